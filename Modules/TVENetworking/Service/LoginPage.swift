public import Foundation
public import TVEModels

/// A login that waits for its viewer: a page to open, and the code that links it to this device.
///
/// `Codable` so that a login survives the end of the app; the place where it is stored must be as safe as a store of
/// tokens.
public struct LoginPage: Sendable, Hashable, Codable, Redacting {
    /// The page to show in a browser.
    public let url: URL
    /// Where the browser ends.
    public let redirectURL: URL
    /// The requestor the login is for.
    public let requestorID: RequestorID
    /// The TV provider to log in with.
    public let mvpdID: MVPDID
    /// The registration code, which anyone who has it can exchange for a token.
    @BytewiseEqual public private(set) var registrationCode: String
    /// When the code expires.
    public let expires: Date
    /// Whether there is a page to show: a TempPass and a degraded provider log the viewer in without one.
    public var needsViewer = true
    /// The app's data for the service.
    @BytewiseEqual public var data: [String: MetadataValue] = [:]

    /// Describes a login.
    ///
    /// - Parameters:
    ///   - url: the page to show in a browser.
    ///   - redirectURL: where the browser ends.
    ///   - requestorID: the requestor the login is for.
    ///   - mvpdID: the TV provider to log in with.
    ///   - registrationCode: links the login to this device.
    ///   - expires: when the code expires.
    public init(
        url: URL, redirectURL: URL, requestorID: RequestorID, mvpdID: MVPDID, registrationCode: String, expires: Date
    ) {
        self.url = url
        self.redirectURL = redirectURL
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.registrationCode = registrationCode
        self.expires = expires
    }

    /// Requestor and MVPD, not the code.
    public var redactedDescription: String { "LoginPage(\(requestorID), \(mvpdID))" }
}
