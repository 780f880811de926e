public import TVEModels

/// The viewer's login, as tracking reports it.
public struct TrackedLogin: Sendable, Hashable {
    /// The TV provider.
    public var mvpdID: MVPDID
    /// MD5 of the login's GUID.
    public var trackingID: String
    /// Whether the token was already stored.
    public var isCached: Bool

    /// Describes a login.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider.
    ///   - trackingID: MD5 of the login's GUID, lowercase hexadecimal.
    ///   - isCached: whether the token was already stored.
    public init(mvpdID: MVPDID, trackingID: String, isCached: Bool) {
        self.mvpdID = mvpdID
        self.trackingID = trackingID
        self.isCached = isCached
    }
}
