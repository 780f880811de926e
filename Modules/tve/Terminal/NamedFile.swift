import Foundation
import TVEModels

/// The reading of a file or a pipe that the command line names.
enum NamedFile {
    // The whole file is in memory at once, and the largest is a recording. A mapped file would need less memory, but
    // the program would crash if a proxy rewrote the file in the meantime.
    private static let limit = 1 << 30

    /// Returns the software statement in a file, without white space at either end.
    ///
    /// - Throws: `ToolFailure` if the file cannot be read, is longer than any statement, or is not UTF-8.
    static func statement(_ path: String) throws(ToolFailure) -> String {
        let bytes = try bytes(path, atMost: longestStatement, otherwise: .tooLongForStatement(path))
        guard let text = String(validUTF8: bytes) else {
            throw ToolFailure(FileFault.notUTF8(path))
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The maximum length of a file with a software statement in bytes; a statement has one or two kilobytes.
    private static let longestStatement = 1 << 16

    /// Returns the bytes of a file.
    ///
    /// - Throws: `ToolFailure` if the file cannot be read or has more than 1 GB.
    static func bytes(_ path: String) throws(ToolFailure) -> Data {
        try bytes(path, atMost: limit, otherwise: .tooLong(path))
    }

    /// Returns the bytes of standard input.
    ///
    /// - Throws: `ToolFailure` if it cannot be read or has more than 1 GB.
    static func standardInput() throws(ToolFailure) -> Data {
        try bytes("-", of: STDIN_FILENO, atMost: limit, otherwise: .tooLong("Standard input"))
    }

    /// Returns the bytes of a file, or throws a fault if there are more than the limit.
    private static func bytes(
        _ path: String, atMost limit: Int, otherwise fault: FileFault
    ) throws(ToolFailure) -> Data {
        let file = SystemCall.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        return try bytes(path, of: file, atMost: limit, otherwise: fault)
    }

    /// Returns the bytes of an open file, or throws a fault if there are more than the limit.
    private static func bytes(
        _ path: String, of file: Int32, atMost limit: Int, otherwise fault: FileFault
    ) throws(ToolFailure) -> Data {
        var bytes = Data()
        if let status = SystemCall.status(of: file), status.st_mode & S_IFMT == S_IFREG {
            bytes.reserveCapacity(min(Int(status.st_size), limit))
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe read(file, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                guard bytes.count <= limit else { throw ToolFailure(fault) }
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                guard file == STDIN_FILENO else { throw failure(path) }
                throw ToolFailure(FileFault.cannotReadInput(reason: systemText(errno)))
            }
        }
    }

    private static func failure(_ path: String) -> ToolFailure {
        ToolFailure(FileFault.unreadable(name: path, reason: systemText(errno)))
    }
}
