import Crypto
import Foundation
import TVEModels

/// What a promotional TempPass knows a viewer by: a hash of something the viewer gave, never the thing itself (wire
/// protocol, TempPass).
public struct PromotionalKey: Sendable, Hashable {
    /// SHA-256 in 64 lowercase hexadecimal characters, as it goes into the generic data of a login.
    public let hexadecimal: String

    /// Hashes what the viewer gave.
    ///
    /// - Parameter identifier: an e-mail address for example, taken as it is.
    public init(_ identifier: String) {
        hexadecimal = SHA256.hash(data: Data(identifier.utf8)).hexadecimal
    }
}
