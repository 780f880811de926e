public import Foundation

/// Internals of this package that the verification service uses.
///
/// The service is a package of its own (Documentation/Architecture.md) and cannot see `package` declarations of this
/// one. Apps need none of this, so it is only visible with `@_spi(VerificationService)`.
@_spi(VerificationService)
public enum ServiceSupport {
    /// Opens a file.
    ///
    /// - Returns: the file descriptor, or a negative number on failure, with the reason in `errno`.
    public static func open(_ path: String, _ flags: Int32) -> Int32 { SystemCall.open(path, flags) }

    /// Returns the file status of a path without following a symbolic link, or nil if the path does not exist or the
    /// call failed.
    public static func status(of path: String) -> stat? { SystemCall.status(of: path, followsLinks: false) }

    /// Writes bytes, and waits for the reader of a pipe or socket only for a limited time.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to write.
    ///   - descriptor: the file descriptor of the output.
    ///   - milliseconds: the number of milliseconds after which a reader that takes nothing stands still.
    /// - Returns: the number of bytes written, which is smaller than that of all bytes if the reader stands still.
    public static func write(_ bytes: [UInt8], to descriptor: Int32, within milliseconds: Int32) -> Int {
        // A pipe that can be written to has so much room, and does not mix so many bytes with those of other processes.
        let room = Int(PIPE_BUF)
        var written = 0
        while written < bytes.count, SystemCall.isWritable(descriptor, within: milliseconds) {
            let end = min(written + room, bytes.count)
            let count = bytes[written..<end].withSpan { SystemCall.write($0, to: descriptor) }
            guard count > 0 else { break }
            written += count
        }
        return written
    }

    /// Returns the system's text for an error number.
    public static func message(_ number: Int32) -> String { SystemCall.message(number) }

    /// Decodes a JSON document from outside, whose size and shape are checked first.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - bytes: the document in UTF-8.
    ///   - maximumBytes: the maximum length of the document, in bytes.
    ///   - depth: the maximum nesting of lists and maps.
    ///   - nameBytes: the maximum length of a name in a map, in bytes.
    /// - Throws: any ``UntrustedJSONError``.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: Data, maximumBytes: Int, depth: Int = 8, nameBytes: Int = 64
    ) throws(UntrustedJSONError) -> Value {
        try UntrustedJSON.decode(
            type, from: bytes, UntrustedJSON.Limits(bytes: maximumBytes, depth: depth, nameBytes: nameBytes))
    }

    /// Creates a string from bytes, or returns nil when they are not valid UTF-8.
    public static func text(_ bytes: Span<UInt8>) -> String? { String(validUTF8: bytes) }

    /// Returns a Boolean value that indicates whether two texts have the same bytes.
    ///
    /// The operator `==` also treats different encodings of a character as equal.
    public static func isSame(_ text: String, _ other: String) -> Bool { text.isSameBytes(as: other) }

    /// Splits a text at each delimiter, byte by byte.
    ///
    /// Adjacent delimiters produce an empty part unless `keepsEmpty` is false.
    public static func parts(
        of text: Substring, separatedBy delimiter: Unicode.Scalar, keepsEmpty: Bool = true
    ) -> [Substring] {
        text.parts(separatedBy: delimiter, keepsEmpty: keepsEmpty)
    }

    /// Divides a text at the first delimiter, byte by byte.
    ///
    /// The second part is nil when there is no delimiter.
    public static func divided(
        _ text: Substring, at delimiter: Unicode.Scalar
    ) -> (before: Substring, after: Substring?) {
        text.divided(at: delimiter)
    }

    /// Divides a text at the last delimiter, byte by byte, or returns nil when there is no delimiter.
    public static func dividedAtLast(
        _ text: Substring, _ delimiter: Unicode.Scalar
    ) -> (before: Substring, after: Substring)? {
        text.dividedAtLast(delimiter)
    }
}
