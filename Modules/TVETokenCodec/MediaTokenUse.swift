public import Foundation

/// One valid media token about to be spent: enough to recognise it again, nothing to play with.
public struct MediaTokenUse: Sendable, Hashable {
    /// SHA-256 of what was signed, 32 bytes: the same however the token is wrapped or its markers are spelled.
    public let digest: Data
    /// From when on the token is refused for its age, so that nobody needs to remember it any longer.
    public let expires: Date
    /// When the token was issued, on the clock of the service; nil when it is not known.
    ///
    /// A memory that was lost and began anew grants no token that was issued before, since it may have been spent there.
    public let issued: Date?

    /// Describes a token.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of what was signed, 32 bytes.
    ///   - expires: from when on the token is refused for its age.
    ///   - issued: when the token was issued; nil when it is not known.
    public init(digest: Data, expires: Date, issued: Date? = nil) {
        self.digest = digest
        self.expires = expires
        self.issued = issued
    }
}
