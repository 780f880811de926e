#if VerificationService
import CHiredis
import Foundation

/// A command, written by hiredis.
enum RedisCommand {
    /// Appends a command in the protocol's form.
    ///
    /// - Parameters:
    ///   - words: the command and its arguments; any bytes.
    ///   - buffer: where the command is appended.
    /// - Throws: `.overloaded` when there is no memory.
    static func append(_ words: [String], to buffer: inout [UInt8]) throws(RedisUsesError) {
        var bytes: [CChar] = []
        var starts: [Int] = []
        var lengths: [Int] = []
        for word in words {
            starts.append(bytes.count)
            lengths.append(word.utf8.count)
            bytes.append(contentsOf: word.utf8.lazy.map { CChar(bitPattern: $0) })
        }
        // So that the last word has an address even when it is empty.
        bytes.append(0)
        var command: UnsafeMutablePointer<CChar>?
        let length = bytes.withUnsafeBufferPointer { all in
            var pointers = starts.map { all.baseAddress?.advanced(by: $0) }
            return Int(redisFormatCommandArgv(&command, Int32(words.count), &pointers, lengths))
        }
        guard length > 0, let command else { throw .overloaded }
        defer { redisFreeCommand(command) }
        buffer.append(contentsOf: UnsafeRawBufferPointer(start: command, count: length))
    }
}
#endif
