import Crypto
import Foundation
import TVEModels

/// How a promotional TempPass identifies a viewer: by a hash of something the viewer gave, never by the value itself
/// (wire protocol, TempPass).
public struct PromotionalKey: Sendable, Hashable {
    /// SHA-256 in 64 lowercase hexadecimal characters, as sent in the generic data of a login.
    public let hexadecimal: String

    /// Hashes the viewer's identifier.
    ///
    /// - Parameter identifier: for example an e-mail address; it is hashed as it is.
    public init(_ identifier: String) {
        hexadecimal = SHA256.hash(data: Data(identifier.utf8)).hexadecimal
    }
}
