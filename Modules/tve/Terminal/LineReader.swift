import Foundation
import TVEModels

/// A reader that returns the lines of a file one after the other.
///
/// The class is memory-safe, because the C library's stream belongs to this object alone and is closed in `deinit`.
@safe final class LineReader {
    private let stream: UnsafeMutablePointer<FILE>

    /// Opens a file, or returns `nil` if it cannot be opened.
    ///
    /// In that case, `errno` holds the cause.
    ///
    /// - Parameter file: the path of the file; `-` selects standard input.
    init?(_ file: String) {
        guard let stream = unsafe file == "-" ? fdopen(STDIN_FILENO, "r") : fopen(file, "r") else { return nil }
        unsafe self.stream = stream
    }

    deinit { unsafe fclose(stream) }

    /// The length of a regular file in bytes, or `nil` for anything else.
    var size: Int? {
        guard let status = SystemCall.status(of: unsafe fileno(stream)), status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(status.st_size)
    }

    /// A Boolean value that indicates whether the last read failed; `errno` holds the cause.
    ///
    /// A line for which there is no memory ends the reading, although the C library sees no error of the stream.
    private(set) var hasFailed = false

    /// Returns the next line without its line break, or `nil` after the last line.
    func next() -> Data? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { unsafe free(buffer) }
        // The C library allocates the buffer, and returns how much of it the line fills.
        let count = unsafe getline(&buffer, &capacity, stream)
        guard count > 0, let buffer = unsafe buffer else {
            hasFailed = unsafe feof(stream) == 0 || ferror(stream) != 0
            return nil
        }
        let bytes = unsafe Data(bytes: buffer, count: count)
        return bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }
}
