public import Foundation

/// The part of a viewer's login that an app needs, without tokens and without the viewer's name.
public struct Profile: Sendable, Hashable {
    /// The requestor of the session that uses the login.
    ///
    /// A shared login may have been made for another requestor.
    public var requestorID: RequestorID
    /// The TV provider of the viewer.
    public var mvpdID: MVPDID
    /// The time at which the login expires.
    public var expires: Date
    /// The MD5 of the login's GUID in lowercase hexadecimal, which tracking reports use as the viewer's id.
    ///
    /// For a TempPass, it is the MD5 of the device id. The text is empty if the service does not name the viewer.
    @BytewiseEqual public var trackingID: String
    /// The kind of the login.
    public var kind: Kind
    /// The party that vouches for the login, by the service's own name: usually the TV provider, otherwise for example
    /// `Adobe` or `Apple`.
    ///
    /// The value is nil if the service does not name the issuer. The classic services never do.
    @BytewiseEqual public var issuer: String?

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor of the session that uses the login.
    ///   - mvpdID: the TV provider of the viewer.
    ///   - expires: the time at which the login expires.
    ///   - trackingID: MD5 of the login's GUID in lowercase hexadecimal.
    ///   - kind: the kind of the login.
    ///   - issuer: the party that vouches for the login.
    public init(
        requestorID: RequestorID, mvpdID: MVPDID, expires: Date, trackingID: String, kind: Kind = .regular,
        issuer: String? = nil
    ) {
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.expires = expires
        self.trackingID = trackingID
        self.kind = kind
        self.issuer = issuer
    }

    /// The origin of a login.
    ///
    /// An app hides its own "Sign out" for a login that the system owns, and shows no account for a login without one.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A login with the TV provider, or a kind that this version does not know.
        case regular
        /// Temporary access without an account.
        case tempPass
        /// A login that every viewer receives, because the TV provider is degraded.
        case degraded
        /// The viewer's TV provider account in the system's settings, where the viewer must sign out.
        case apple
        /// An account of another platform.
        case platform
        /// A token of the programmer's own identity service.
        case serviceToken
    }
}
