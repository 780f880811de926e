#if VerificationService
import Foundation
import Logging
import ServiceLifecycle
import TVEModels
import TVEVerification

/// The file of bearer keys: one per line, as `name key`; lines that begin with `#` are comments.
///
/// It is read again when it changes.
struct CallerKeyFile: Service {
    let path: String
    let keys: CallerKeys
    let logger: Logger

    /// Why a file was not loaded.
    enum Failure: Error, Hashable, CustomStringConvertible {
        case unreadable
        case line(Int)
        case empty

        var description: String {
            switch self {
            case .unreadable: "cannot be read, or is longer than a megabyte"
            case .line(let line):
                "line \(line) is not a name and a key of at least \(CallerKeys.minimumLength) characters"
            case .empty: "contains no key"
            }
        }
    }

    /// Reads a file; the error contains no part of a key.
    static func keys(path: String) throws(Failure) -> [String] {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw .unreadable }
        defer { try? handle.close() }
        guard let bytes = try? handle.read(upToCount: (1 << 20) + 1), bytes.count <= 1 << 20,
            let text = String(validUTF8: bytes)
        else { throw .unreadable }
        var keys: [String] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count == 2, words[1].utf8.count >= CallerKeys.minimumLength else { throw .line(number + 1) }
            keys.append(String(words[1]))
        }
        guard !keys.isEmpty else { throw .empty }
        return keys
    }

    /// Reads the file every other second until the service ends; an invalid file does not change the keys.
    func run() async throws {
        await pollFiles(
            every: .seconds(2), read: { () throws(Failure) in try Self.keys(path: path) },
            onChange: { found, isFirst throws(Failure) in
                keys.replace(with: found)
                if !isFirst { logger.info("The callers' keys were read again.") }
            },
            onFailure: { error, isNew in
                if isNew { logger.error("The callers' keys stay as they were: the file \(error).") }
            })
    }
}
#endif
