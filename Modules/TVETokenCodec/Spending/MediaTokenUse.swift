public import Foundation

/// One valid media token about to be spent: enough to recognize it again, not enough to play with.
public struct MediaTokenUse: Sendable, Hashable {
    /// SHA-256 of the signed bytes, 32 bytes: the same for every wrapping of the token and spelling of its markers.
    public let digest: Data
    /// When the token expires; after that it need not be remembered.
    public let expires: Date
    /// When the token was issued, by the service's clock; nil when it is not known.
    ///
    /// A memory that was lost grants no token that was issued before its new beginning, because it may have been spent.
    public let issued: Date?

    /// Describes a use.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the signed bytes, 32 bytes.
    ///   - expires: when the token expires.
    ///   - issued: when the token was issued; nil when it is not known.
    public init(digest: Data, expires: Date, issued: Date? = nil) {
        self.digest = digest
        self.expires = expires
        self.issued = issued
    }
}
