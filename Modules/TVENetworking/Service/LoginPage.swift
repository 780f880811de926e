public import Foundation
public import TVEModels

/// A login that waits for its viewer: a page to open, and the code that joins it to this device.
///
/// `Codable` so that a login outlives the app that began it; what it is written to must be as safe as a store of tokens.
public struct LoginPage: Sendable, Hashable, Codable, Redacting {
    /// The page to show in a browser.
    public let url: URL
    /// Where the browser ends.
    public let redirectURL: URL
    /// The requestor the login is for.
    public let requestorID: String
    /// The TV provider to log in with.
    public let mvpdID: String
    /// The registration code, which whoever holds it can turn into a token.
    public let registrationCode: String
    /// When the code runs out.
    public let expires: Date
    /// Whether there is a page to show: a TempPass and a degraded provider let the viewer in without one.
    public var needsViewer = true
    /// What the app sent along for the service.
    public var data: [String: MetadataValue] = [:]

    /// Describes a login.
    ///
    /// - Parameters:
    ///   - url: the page to show in a browser.
    ///   - redirectURL: where the browser ends.
    ///   - requestorID: the requestor the login is for.
    ///   - mvpdID: the TV provider to log in with.
    ///   - registrationCode: joins the login to this device.
    ///   - expires: when the code runs out.
    public init(
        url: URL, redirectURL: URL, requestorID: String, mvpdID: String, registrationCode: String, expires: Date
    ) {
        self.url = url
        self.redirectURL = redirectURL
        self.requestorID = requestorID
        self.mvpdID = mvpdID
        self.registrationCode = registrationCode
        self.expires = expires
    }

    /// Compares every value; ids as UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.redirectURL == right.redirectURL
            && left.requestorID.isSameBytes(as: right.requestorID) && left.mvpdID.isSameBytes(as: right.mvpdID)
            && left.registrationCode.isSameBytes(as: right.registrationCode) && left.expires == right.expires
            && left.needsViewer == right.needsViewer && left.data.isSameBytes(as: right.data)
    }

    /// Requestor and MVPD, not the code.
    public var redactedDescription: String { "LoginPage(\(requestorID), \(mvpdID))" }
}
