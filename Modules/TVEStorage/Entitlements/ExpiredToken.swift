import Foundation

/// A token that had expired when it was read.
package struct ExpiredToken: Sendable {
    let key: StorageKey
    /// The stored bytes, which say whether it is still the same token.
    let bytes: Data
    /// Whether it is an AuthN token; otherwise it is an AuthZ token.
    let isLogin: Bool
}
