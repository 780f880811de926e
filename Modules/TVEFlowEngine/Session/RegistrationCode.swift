public import Foundation
public import TVEModels

/// A code that the viewer types on another device to log this one in.
public struct RegistrationCode: Sendable, Hashable, Redacting {
    /// The code to show.
    public let code: String
    /// The TV provider it was made for.
    public let mvpdID: MVPDID
    /// When it expires; a new code follows.
    public let expires: Date
    /// The page at which the viewer types the code, with the code in the query item `code`: the text of a QR code; nil if
    /// the app named no page (`SessionEnvironment.activationURL`).
    public var activationURL: URL?

    /// Describes a code.
    ///
    /// - Parameters:
    ///   - code: the code to show.
    ///   - mvpdID: the TV provider it was made for.
    ///   - expires: when it expires.
    public init(code: String, mvpdID: MVPDID, expires: Date) {
        self.code = code
        self.mvpdID = mvpdID
        self.expires = expires
    }

    /// The provider, not the code.
    public var redactedDescription: String { "RegistrationCode(\(mvpdID))" }
}
