import Crypto
import Foundation
import TVEModels

/// A resource in the key of its permission: its text, or the hash of a long one, whose text is in the token as well.
enum ResourceName: Hashable, Sendable {
    case text(Resource)
    /// SHA-256 in lowercase hexadecimal.
    case hash(String)

    /// The most bytes of a text that is not hashed: as many as a hash has.
    private static let longest = 64

    init(_ resource: Resource) {
        let bytes = Data(resource.text.utf8)
        self = bytes.count <= Self.longest ? .text(resource) : .hash(SHA256.hash(data: bytes).hexadecimal)
    }

    /// The names that a permission for a resource may have: earlier versions wrote long texts too.
    static func all(of resource: Resource) -> [ResourceName] {
        let name = ResourceName(resource)
        return name == .text(resource) ? [name] : [name, .text(resource)]
    }
}
