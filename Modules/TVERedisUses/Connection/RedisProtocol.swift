#if VerificationService
import CHiredis
import Foundation
import TVEModels

/// A command, written by hiredis.
enum RedisCommand {
    /// Appends a command, whose words may be any bytes, in the protocol's form.
    ///
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

/// An answer of Redis as a value.
enum RedisReply: Sendable, Hashable {
    case text(Data)
    case status(String)
    case error(String)
    case number(Int64)
    case list([RedisReply])
    case null

    /// Copies hiredis' reply, which still belongs to the caller; lists nested deeper than `depth` read as null.
    init(_ reply: UnsafePointer<redisReply>, depth: Int = 3) {
        let length = Int(reply.pointee.len)
        let bytes = reply.pointee.str.map { Data(bytes: $0, count: length) } ?? Data()
        switch reply.pointee.type {
        case REDIS_REPLY_STRING: self = .text(bytes)
        case REDIS_REPLY_STATUS: self = .status(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_INTEGER: self = .number(Int64(reply.pointee.integer))
        case REDIS_REPLY_ARRAY where depth > 0:
            let elements = UnsafeBufferPointer(start: reply.pointee.element, count: Int(reply.pointee.elements))
            self = .list(elements.map { $0.map { RedisReply($0, depth: depth - 1) } ?? .null })
        default: self = .null
        }
    }

    /// The text of a bulk or status answer; nil for any other.
    var string: String? {
        switch self {
        case .text(let bytes): String(validUTF8: bytes)
        case .status(let text): text
        default: nil
        }
    }

    /// The first word of an error, without the server's further text; nil for any other answer.
    var errorCode: String? {
        guard case .error(let text) = self else { return nil }
        let word = text.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }.prefix(24)
        return word.isEmpty ? "ERR" : String(word)
    }

    /// Whether the key's slot is on another server of the cluster, or moves to one; the command had no effect.
    var isElsewhere: Bool {
        guard let code = errorCode else { return false }
        return code == "MOVED" || code == "ASK" || code == "TRYAGAIN"
    }
}
#endif
