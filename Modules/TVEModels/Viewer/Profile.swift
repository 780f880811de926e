public import Foundation

/// The viewer's login, as far as the app needs to know it: no token, no name.
public struct Profile: Sendable, Hashable {
    /// The requestor the login was made for.
    public var requestorID: RequestorID
    /// The TV provider of the viewer.
    public var mvpdID: MVPDID
    /// When the login expires.
    public var expires: Date
    /// MD5 of the login's GUID in lowercase hexadecimal: the id that tracking reports use.
    @BytewiseEqual public var trackingID: String

    /// Makes a profile.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor the login was made for.
    ///   - mvpdID: the TV provider of the viewer.
    ///   - expires: when the login expires.
    ///   - trackingID: MD5 of the login's GUID in lowercase hexadecimal.
    public init(requestorID: RequestorID, mvpdID: MVPDID, expires: Date, trackingID: String) {
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.expires = expires
        self.trackingID = trackingID
    }
}
