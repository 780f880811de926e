import Foundation
import TVEModels

/// The name of a stored value, which consists of components from the general to the specific, like a path.
public struct StorageKey: Sendable, Hashable, Comparable, CustomStringConvertible, CustomReflectable {
    /// The components joined with `/`.
    ///
    /// A `/` or `%` inside a component is percent-encoded.
    public let rawValue: String

    /// Creates a key from its encoded form, as a backend reads it.
    ///
    /// - Parameter rawValue: the ``rawValue`` of another key.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a key from components of any content.
    ///
    /// - Parameter components: the components from the general to the specific.
    public init(_ components: String...) {
        self.init(components)
    }

    init(_ components: [String]) {
        var text = Self.encoded(components.first ?? "")
        for component in components.dropFirst() { Self.append(component, to: &text) }
        self.init(rawValue: text)
    }

    /// Returns the key of a child of this key.
    ///
    /// - Parameter component: the next component, of any content.
    public func appending(_ component: String) -> StorageKey {
        var text = rawValue
        Self.append(component, to: &text)
        return StorageKey(rawValue: text)
    }

    /// Appends a component to the text of a key.
    static func append(_ component: String, to text: inout String) {
        text += "/"
        text += encoded(component)
    }

    /// The parent of all keys.
    public static let everything = StorageKey(rawValue: "")

    /// The components, decoded.
    public var components: [String] { parts.map(Self.decoded) }

    /// The components in their encoded form, without copies, for callers that read many keys.
    var parts: [Substring] {
        let bytes = rawValue.utf8
        var parts: [Substring] = []
        parts.reserveCapacity(7)
        var start = bytes.startIndex
        while let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
            parts.append(rawValue[start..<slash])
            start = bytes.index(after: slash)
        }
        parts.append(rawValue[start...])
        return parts
    }

    static func decoded(_ part: Substring) -> String {
        guard part.utf8.contains(UInt8(ascii: "%")) else { return String(part) }
        return String(part).replacingBytes(of: "%2F", with: "/").replacingBytes(of: "%25", with: "%")
    }

    /// Returns a Boolean value that indicates whether this key is the other one or lies below it.
    ///
    /// - Parameter ancestor: a key with fewer or the same components, or ``everything``.
    public func isInside(_ ancestor: StorageKey) -> Bool {
        rawValue.withUTF8Span { own in
            ancestor.rawValue.withUTF8Span { other in
                guard !other.isEmpty else { return true }
                guard own.count >= other.count, own.extracting(first: other.count).isSame(as: other) else {
                    return false
                }
                return own.count == other.count || own[other.count] == UInt8(ascii: "/")
            }
        }
    }

    /// The names in the key without its last component, which may be a resource that contains a title.
    public var description: String { parts.dropLast().joined(separator: "/") + "/…" }

    /// A mirror without children, so that `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Returns a Boolean value that indicates whether two keys have the same bytes.
    ///
    /// Keys that only look the same are different.
    public static func == (left: StorageKey, right: StorageKey) -> Bool {
        left.rawValue.isSameBytes(as: right.rawValue)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }

    /// Orders by bytes.
    public static func < (left: StorageKey, right: StorageKey) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }

    private static func encoded(_ component: String) -> String {
        let mustEncode = component.withUTF8Span { bytes in
            bytes.firstIndex(of: UInt8(ascii: "%")) != nil || bytes.firstIndex(of: UInt8(ascii: "/")) != nil
        }
        guard mustEncode else { return component }
        return component.replacingBytes(of: "%", with: "%25").replacingBytes(of: "/", with: "%2F")
    }
}

extension [StorageKey] {
    /// Returns the first of these keys that has no other key below it, or nil if each has one.
    ///
    /// Removing all under it erases old bytes from the medium, and removes no other value.
    ///
    /// - Parameter all: the keys that may be below these.
    func firstWithoutKeysBelow(amongst all: [StorageKey]) -> StorageKey? {
        first { key in !all.contains { $0 != key && $0.isInside(key) } }
    }
}
