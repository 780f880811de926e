import CTVEHiredis
import Foundation
import TVEModels

/// The encoding of commands in the Redis protocol.
enum RedisCommand {
    /// Appends a command, whose words may contain any characters.
    static func append(_ words: [String], to buffer: inout [UInt8]) {
        buffer += "*\(words.count)\r\n".utf8
        for word in words {
            buffer += "$\(word.utf8.count)\r\n".utf8
            buffer += word.utf8
            buffer += "\r\n".utf8
        }
    }
}

/// The answers to commands that were sent together, which are taken in the order of the commands.
struct RedisReplies {
    private var rest: ArraySlice<RedisReply>

    /// Begins at the answer to the first command.
    ///
    /// - Parameter replies: one answer for each command.
    init(_ replies: [RedisReply]) {
        rest = replies[...]
    }

    /// Takes the answer to the next command.
    mutating func next() -> RedisReply { rest.removeFirst() }

    /// Takes the answers to the next commands.
    mutating func next(_ count: Int) -> ArraySlice<RedisReply> {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
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

    /// Copies a reply of hiredis, which still belongs to the caller.
    ///
    /// - Parameters:
    ///   - reply: a reply whose pointers are valid.
    ///   - depth: the number of nested lists that are copied. A list nested deeper becomes ``null``.
    @unsafe init(_ reply: UnsafePointer<redisReply>, depth: Int = 3) {
        let length = unsafe Int(reply.pointee.len)
        let bytes = unsafe reply.pointee.str.map { unsafe Data(bytes: $0, count: length) } ?? Data()
        switch unsafe reply.pointee.type {
        case REDIS_REPLY_STRING: self = .text(bytes)
        case REDIS_REPLY_STATUS: self = .status(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_INTEGER: self = unsafe .number(Int64(reply.pointee.integer))
        case REDIS_REPLY_ARRAY where depth > 0:
            let elements = unsafe UnsafeBufferPointer(start: reply.pointee.element, count: Int(reply.pointee.elements))
            self = unsafe .list(elements.map { unsafe $0.map { unsafe RedisReply($0, depth: depth - 1) } ?? .null })
        default: self = .null
        }
    }

    /// The text of a bulk or status answer; `nil` for any other answer.
    var string: String? {
        switch self {
        case .text(let bytes): String(validating: bytes, as: UTF8.self)
        case .status(let text): text
        default: nil
        }
    }

    /// The first word of an error; `nil` for any other answer.
    var errorCode: String? {
        guard case .error(let text) = self else { return nil }
        // Before version 7 Redis puts the position in the script before the error of a command inside it.
        let isOfScript = ["ERR Error running script", "@user_script"].contains { text.utf8.starts(with: $0.utf8) }
        if isOfScript, let inner = text.firstMatch(of: /: -([A-Z]{2,24})\s/) {
            return String(inner.1)
        }
        let word = text.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }.prefix(24)
        return word.isEmpty ? "ERR" : String(word)
    }

    /// The text of an error after its first word, on one line; empty for any other answer.
    ///
    /// The arguments that Redis repeats for an unknown command are omitted, because a password or the key of a token
    /// can be among them.
    var errorWords: String {
        guard case .error(let text) = self, let code = errorCode else { return "" }
        var words = Data(text.utf8)
        if let repeated = words.range(of: Data(", with args".utf8)) { words = words[..<repeated.lowerBound] }
        if words.starts(with: code.utf8) { words = words.dropFirst(code.utf8.count) }
        let line = words.prefix(240).map { (0x20..<0x7F).contains($0) ? $0 : 0x20 }
        guard let first = line.firstIndex(where: { $0 != 0x20 }), let last = line.lastIndex(where: { $0 != 0x20 })
        else { return "" }
        return String(decoding: line[first...last], as: UTF8.self)
    }

    /// A Boolean value that indicates whether the slot of the key is on another server of the cluster, or is moving to
    /// one.
    ///
    /// A command with this answer had no effect.
    var isElsewhere: Bool {
        guard let code = errorCode else { return false }
        return code == "MOVED" || code == "ASK" || code == "TRYAGAIN"
    }
}
