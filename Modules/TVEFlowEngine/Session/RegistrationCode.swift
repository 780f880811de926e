public import Foundation
public import TVEModels

/// A code that the viewer types on another device to log this one in.
public struct RegistrationCode: Sendable, Hashable, Redacting {
    /// The code to show.
    public let code: String
    /// The TV provider for which the code was issued.
    public let mvpdID: MVPDID
    /// The time at which the code expires.
    ///
    /// A new code then follows, until a login has shown four codes.
    public let expires: Date
    /// The page at which the viewer types the code, with the code in the query item `code`, or `nil` if the app named
    /// no page (`SessionEnvironment.activationURL`).
    ///
    /// This is the text of a QR code.
    public var activationURL: URL?

    /// Creates a code.
    ///
    /// - Parameters:
    ///   - code: the code to show.
    ///   - mvpdID: the TV provider for which the code was issued.
    ///   - expires: the time at which the code expires.
    public init(code: String, mvpdID: MVPDID, expires: Date) {
        self.code = code
        self.mvpdID = mvpdID
        self.expires = expires
    }

    /// A description with the provider and without the code.
    public var redactedDescription: String { "RegistrationCode(\(mvpdID))" }
}
