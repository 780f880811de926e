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
    /// Where the login comes from.
    public var kind: Kind
    /// Who vouches for the login, by the service's own name: mostly the TV provider, else for example `Adobe` or `Apple`; nil
    /// where the service does not say so, as the classic services.
    @BytewiseEqual public var issuer: String?

    /// Makes a profile.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor the login was made for.
    ///   - mvpdID: the TV provider of the viewer.
    ///   - expires: when the login expires.
    ///   - trackingID: MD5 of the login's GUID in lowercase hexadecimal.
    ///   - kind: where the login comes from.
    ///   - issuer: who vouches for the login.
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

    /// Where a login comes from: an app hides its own "Sign out" for a login that the system owns, and shows no account
    /// for one without an account.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The viewer logged in with the TV provider, or a kind that this version does not know.
        case regular
        /// Temporary access without an account.
        case tempPass
        /// The TV provider is degraded, and every viewer counts as logged in.
        case degraded
        /// The viewer's TV provider account in the system's settings; the viewer signs out there.
        case apple
        /// Another platform's account.
        case platform
        /// A token of the programmer's own identity service.
        case serviceToken
    }
}
