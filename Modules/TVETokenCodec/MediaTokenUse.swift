public import Foundation

/// One valid media token about to be spent: enough to recognise it again, nothing to play with.
public struct MediaTokenUse: Sendable, Hashable {
    /// SHA-256 of what was signed, 32 bytes: the same however the token is wrapped or its markers are spelled.
    public let digest: Data
    /// From when on the token is refused for its age, so that nobody needs to remember it any longer.
    public let expires: Date

    /// Describes a token.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of what was signed, 32 bytes.
    ///   - expires: from when on the token is refused for its age.
    public init(digest: Data, expires: Date) {
        self.digest = digest
        self.expires = expires
    }
}
