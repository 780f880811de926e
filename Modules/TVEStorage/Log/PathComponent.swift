import Foundation

/// A name of any content as one component of a path, which never names a parent, another folder or nothing.
struct PathComponent {
    /// The bytes of the name, in which a slash and a NUL are replaced by `_`.
    ///
    /// If the name is empty or consists only of dots, all its bytes are replaced.
    let text: String

    init(_ name: String) {
        // The system interprets bytes. A slash with a combining mark is another `Character`, but still divides a path.
        let isDots = name.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
        let bytes = name.isEmpty ? [0] : name.utf8.map { isDots ? 0 : $0 }
        text = String(
            decoding: bytes.map { $0 == 0 || $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    }
}

extension URL {
    /// Returns the URL of an entry of this folder.
    func appending(_ component: PathComponent, isDirectory: Bool) -> URL {
        appendingPathComponent(component.text, isDirectory: isDirectory)
    }
}
