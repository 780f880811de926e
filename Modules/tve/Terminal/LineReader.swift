import Foundation
import TVEModels

/// The lines of a file, read one after the other.
///
/// Safe, because the stream is the C library's, belongs to this object alone, and is closed in `deinit`.
@safe final class LineReader {
    private let stream: UnsafeMutablePointer<FILE>

    /// - Parameter file: its path; `-` for standard input.
    /// - Returns: nil when it cannot be opened; `errno` says why.
    init?(_ file: String) {
        guard let stream = unsafe file == "-" ? fdopen(STDIN_FILENO, "r") : fopen(file, "r") else { return nil }
        unsafe self.stream = stream
    }

    deinit { unsafe fclose(stream) }

    /// The length of a regular file in bytes; nil for anything else.
    var size: Int? {
        guard let status = SystemCall.status(of: unsafe fileno(stream)), status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(status.st_size)
    }

    /// Whether reading has failed; `errno` says why.
    var hasFailed: Bool { unsafe ferror(stream) != 0 }

    /// The next line without its end, nil after the last.
    func next() -> Data? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { unsafe free(buffer) }
        // The C library allocates the buffer, and returns how much of it the line fills.
        let count = unsafe getline(&buffer, &capacity, stream)
        guard count > 0, let buffer = unsafe buffer else { return nil }
        let bytes = unsafe Data(bytes: buffer, count: count)
        return bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }
}
