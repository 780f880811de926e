public import Foundation

/// What the verification service takes from the inside of this package.
///
/// The service is a package of its own (Documentation/Architecture.md), which sees no `package` declaration of this one.
/// Apps need none of this, so it is not public without `@_spi(VerificationService)`.
@_spi(VerificationService)
public enum ServiceSupport {
    /// Opens a file.
    ///
    /// - Returns: its descriptor; negative when it failed, with the reason in `errno`.
    public static func open(_ path: String, _ flags: Int32) -> Int32 { SystemCall.open(path, flags) }

    /// Returns what the system knows about a path, of a symbolic link itself; nil when there is nothing, or it failed.
    public static func status(of path: String) -> stat? { SystemCall.status(of: path, followsLinks: false) }

    /// Writes bytes with one call, or some of them, or none.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) {
        _ = bytes.withSpan { bytes in SystemCall.write(bytes, to: descriptor) }
    }

    /// Returns the system's text for an error number.
    public static func message(_ number: Int32) -> String { SystemCall.message(number) }

    /// Decodes a JSON document from outside, whose size and shape are checked first.
    ///
    /// - Parameters:
    ///   - type: what it must be.
    ///   - bytes: the document in UTF-8.
    ///   - maximumBytes: how long it may be.
    ///   - depth: how deep lists and maps may be nested.
    ///   - nameBytes: how long a name in a map may be, in bytes.
    /// - Throws: any ``UntrustedJSONError``.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: Data, maximumBytes: Int, depth: Int = 8, nameBytes: Int = 64
    ) throws(UntrustedJSONError) -> Value {
        try UntrustedJSON.decode(
            type, from: bytes, UntrustedJSON.Limits(bytes: maximumBytes, depth: depth, nameBytes: nameBytes))
    }

    /// Makes a string from bytes; nil when they are not UTF-8.
    public static func text(_ bytes: Span<UInt8>) -> String? { String(validUTF8: bytes) }

    /// Returns whether two texts have the same bytes; `==` also takes other spellings of a character for the same.
    public static func isSame(_ text: String, _ other: String) -> Bool { text.isSameBytes(as: other) }

    /// Splits a text at each delimiter, as bytes; between two delimiters is an empty part unless `keepsEmpty` is false.
    public static func parts(
        of text: Substring, separatedBy delimiter: Unicode.Scalar, keepsEmpty: Bool = true
    ) -> [Substring] {
        text.parts(separatedBy: delimiter, keepsEmpty: keepsEmpty)
    }

    /// Divides a text at the first delimiter, as bytes; nothing is after it when there is none.
    public static func divided(
        _ text: Substring, at delimiter: Unicode.Scalar
    ) -> (before: Substring, after: Substring?) {
        text.divided(at: delimiter)
    }

    /// Divides a text at the last delimiter, as bytes; nil when there is none.
    public static func dividedAtLast(
        _ text: Substring, _ delimiter: Unicode.Scalar
    ) -> (before: Substring, after: Substring)? {
        text.dividedAtLast(delimiter)
    }
}
