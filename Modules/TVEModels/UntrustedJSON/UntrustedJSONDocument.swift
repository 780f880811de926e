import Foundation

/// A document that ``UntrustedJSON`` is reading, for its values that may be of any kind.
///
/// `Decodable` cannot state which kind a value has. A reader tries one type after another, and each failure creates an
/// error with the whole path to the value. Values of any kind are therefore looked up in a separate tree.
final class UntrustedJSONDocument: Sendable {
    /// The key under which a decoder stores the document.
    static let key = CodingUserInfoKey(rawValue: "TVEModels.UntrustedJSONDocument")

    private enum Tree: Sendable {
        case unread
        case read(MetadataValue?)
    }

    private let start: JSONCursor
    private let tree = Guarded(Tree.unread)

    /// Creates the document.
    ///
    /// - Parameter start: a cursor at the beginning of the document.
    init(_ start: JSONCursor) {
        self.start = start
    }

    /// Returns the document of a decoder, or nil for a decoder that ``UntrustedJSON`` did not create.
    static func of(_ decoder: any Decoder) -> UntrustedJSONDocument? {
        key.flatMap { decoder.userInfo[$0] as? UntrustedJSONDocument }
    }

    /// Returns the value at a path.
    ///
    /// - Parameter path: names in maps and indices in lists, starting with the outermost.
    /// - Returns: the value, or nil when there is none or the document cannot be read.
    func value(at path: [any CodingKey]) -> MetadataValue? {
        // Most documents have no values of any kind, so the tree is built on first use.
        let whole = tree.withLock { tree -> MetadataValue? in
            if case .read(let value) = tree { return value }
            var cursor = start
            let value = try? cursor.tree()
            tree = .read(value)
            return value
        }
        guard var value = whole else { return nil }
        for key in path {
            switch value {
            case .array(let values):
                guard let place = key.intValue, values.indices.contains(place) else { return nil }
                value = values[place]
            case .object(let values):
                guard let inner = values[key.stringValue] else { return nil }
                value = inner
            case .null, .bool, .number, .string: return nil
            }
        }
        return value
    }
}
