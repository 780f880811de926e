import Foundation

/// A name of any content as one component of a path: it never names a parent, another folder or nothing.
struct PathComponent {
    /// The bytes of the name; a slash and a NUL are `_`, and so is every byte of a name that is empty or only dots.
    let text: String

    init(_ name: String) {
        // The system reads bytes: a slash with a combining mark is another character, and still divides a path.
        let isDots = name.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
        let bytes = name.isEmpty ? [0] : name.utf8.map { isDots ? 0 : $0 }
        text = String(
            decoding: bytes.map { $0 == 0 || $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    }
}

extension URL {
    /// The place of an entry of this folder.
    func appending(_ component: PathComponent, isDirectory: Bool) -> URL {
        appendingPathComponent(component.text, isDirectory: isDirectory)
    }
}
