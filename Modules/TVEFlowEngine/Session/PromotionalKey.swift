import Crypto
import Foundation
import TVEModels

/// The hash by which a promotional TempPass identifies a viewer.
///
/// It is derived from an identifier that the viewer gave, and the identifier itself is never sent (wire protocol,
/// TempPass).
public struct PromotionalKey: Sendable, Hashable {
    /// SHA-256 in 64 lowercase hexadecimal characters, as sent in the generic data of a login.
    public let hexadecimal: String

    /// Hashes the viewer's identifier.
    ///
    /// - Parameter identifier: the identifier, for example an e-mail address. It is hashed without normalization.
    public init(_ identifier: String) {
        hexadecimal = SHA256.hash(data: Data(identifier.utf8)).hexadecimal
    }
}
