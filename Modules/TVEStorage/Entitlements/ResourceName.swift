import Crypto
import Foundation
import TVEModels

/// A resource in the key of its permission, by its text or by the hash of a long text.
///
/// The token of the permission contains the text as well.
enum ResourceName: Hashable, Sendable {
    case text(Resource)
    /// SHA-256 in lowercase hexadecimal.
    case hash(String)

    /// The number of bytes of the longest text that is not hashed, which is the length of a hash.
    private static let longest = 64

    init(_ resource: Resource) {
        self =
            resource.text.utf8.count <= Self.longest
            ? .text(resource) : .hash(SHA256.hash(data: Data(resource.text.utf8)).hexadecimal)
    }

    /// Returns the names that a permission for a resource may have.
    ///
    /// The token has the resource as an XML parser returns it. Earlier versions did not hash long texts.
    static func all(of resource: Resource) -> [ResourceName] {
        let name = ResourceName(resource.withLineFeeds)
        return name == .text(resource) ? [name] : [name, .text(resource)]
    }
}
