#if VerificationService
import Foundation
import TVEModels

/// What a primary remembers, and since when: read when a connection opens, and checked with every batch.
///
/// A key beside the tokens, the mark, says which history of data began to remember, and when. A restart, a replica that
/// takes over, and an old primary that is one again begin another history, in which the tokens spent last may be
/// missing; after an eviction some tokens may be missing from this one; after `FLUSHALL` the mark is missing. The first
/// verifier that finds any of this begins a new memory, and tokens that were issued before are not granted any more.
struct RedisMemory: Sendable, Hashable {
    private let mark: String
    /// When remembering began, in milliseconds since 1970 on the clock of Redis.
    private let began: Int64
    private let state: RedisState

    /// Since when nothing was forgotten, on the clock of Redis.
    var beginning: Date { Date(timeIntervalSince1970: Double(began) / 1000) }

    /// Finds the memory of a primary, or begins one.
    ///
    /// - Parameters:
    ///   - key: the name of the mark's key.
    ///   - restarts: whether another history is a new memory.
    static func find(
        on socket: RedisSocket, key: String, restarts: RedisUsesConfiguration.Restarts, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> RedisMemory {
        // Another verifier may begin at the same time; then its mark counts, so few rounds are enough.
        for _ in 0..<8 {
            _ = try accepted(socket.ask("WATCH", key, until: deadline))
            // After `WATCH`: what happens later than this is found by the transaction, or by the first batch.
            let state = try RedisState.current(of: socket, until: deadline)
            let found = try accepted(socket.ask("GET", key, until: deadline)).string.flatMap { RedisMemory($0) }
            if let found, state.follows(found.state) {
                _ = try accepted(socket.ask("UNWATCH", until: deadline))
                return found
            }
            var began = try time(accepted(socket.ask("TIME", until: deadline)))
            if restarts == .keep, let found, found.state.history != state.history {
                // The new history has all tokens of the old one, so it remembers as far back.
                began = found.began
            }
            let memory = RedisMemory(began: began, state: state)
            _ = try accepted(socket.ask("MULTI", until: deadline))
            _ = try accepted(socket.ask("SET", key, memory.mark, until: deadline))
            guard case .list = try accepted(socket.ask("EXEC", until: deadline)) else { continue }
            return memory
        }
        throw .memoryLost
    }

    private init(began: Int64, state: RedisState) {
        let facts = "\(state.history) \(state.offset) \(state.evictions)"
        mark = "2 \(facts) \(began) \(UInt64.random(in: .min ... .max))"
        self.began = began
        self.state = state
    }

    private init?(_ mark: String) {
        let words = mark.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0] == "2", let offset = Int64(words[2]), let evictions = Int64(words[3]),
            let began = Int64(words[4])
        else { return nil }
        self.mark = mark
        self.began = began
        state = RedisState(history: String(words[1]), offset: offset, evictions: evictions)
    }

    /// Whether nothing was forgotten until a batch of tokens was answered.
    ///
    /// - Parameters:
    ///   - mark: the answer to `GET` of the mark's key, sent behind the tokens.
    ///   - facts: the answers to ``RedisState/questions``, sent behind the tokens.
    func isProved(by mark: RedisReply, _ facts: ArraySlice<RedisReply>) throws(RedisUsesError) -> Bool {
        let found = try Self.accepted(mark).string
        return try RedisState(facts).follows(state) && found == self.mark
    }

    /// The answer, unless it is an error: then it throws `.full` or `.refused`.
    static func accepted(_ reply: RedisReply) throws(RedisUsesError) -> RedisReply {
        guard let code = reply.errorCode else { return reply }
        throw code == "OOM" ? .full : .refused(code: code)
    }

    /// The milliseconds since 1970, rounded up, in an answer to `TIME`.
    static func time(_ reply: RedisReply) throws(RedisUsesError) -> Int64 {
        guard case .list(let parts) = reply, parts.count == 2, let seconds = parts[0].string.flatMap({ Int64($0) }),
            let microseconds = parts[1].string.flatMap({ Int64($0) }), (0..<(1 << 40)).contains(seconds),
            (0..<1_000_000).contains(microseconds)
        else { throw .unreadableAnswer }
        return seconds * 1000 + (microseconds + 999) / 1000
    }
}

/// What must stay as it is while Redis remembers: the history of its data, and that it has thrown nothing away.
struct RedisState: Sendable, Hashable {
    /// `master_replid`: another one after every restart, and on every server that becomes a primary.
    let history: String
    /// How far the history has come; it never goes back.
    let offset: Int64
    /// How many keys were thrown away since the start of the server, whichever policy it had at the time.
    let evictions: Int64

    /// The commands whose answers are the state.
    static let questions = [["INFO", "replication"], ["INFO", "stats"]]

    init(history: String, offset: Int64, evictions: Int64) {
        self.history = history
        self.offset = offset
        self.evictions = evictions
    }

    /// Reads the answers to ``questions``.
    ///
    /// - Throws: `.noPrimary` when the server is a replica now: it may accept writes and lose them.
    init(_ answers: ArraySlice<RedisReply>) throws(RedisUsesError) {
        var facts: [RedisFacts] = []
        for answer in answers { facts.append(try RedisFacts(answer)) }
        guard facts.count == 2, let role = facts[0]["role"], let history = facts[0]["master_replid"],
            history.utf8.count <= 64, !history.utf8.contains(UInt8(ascii: " ")),
            let offset = facts[0]["master_repl_offset"].flatMap({ Int64($0) }),
            let evictions = facts[1]["evicted_keys"].flatMap({ Int64($0) })
        else { throw .unreadableAnswer }
        guard role == "master" else { throw .noPrimary }
        self.init(history: history, offset: offset, evictions: evictions)
    }

    /// Asks a server.
    static func current(of socket: RedisSocket, until deadline: RedisDeadline) throws(RedisUsesError) -> RedisState {
        var commands: [UInt8] = []
        for question in questions { try RedisCommand.append(question, to: &commands) }
        return try RedisState(socket.exchange(commands, count: questions.count, until: deadline)[...])
    }

    /// Whether nothing was forgotten between an earlier state and this one.
    func follows(_ earlier: RedisState) -> Bool {
        history == earlier.history && offset >= earlier.offset && evictions == earlier.evictions
    }
}

/// The fields of an answer to `INFO`.
struct RedisFacts: Sendable {
    private let bytes: Data

    /// - Throws: `.unreadableAnswer`, and the errors of ``RedisMemory/accepted(_:)``.
    init(_ reply: RedisReply) throws(RedisUsesError) {
        guard case .text(let bytes) = try RedisMemory.accepted(reply) else { throw .unreadableAnswer }
        self.bytes = bytes
    }

    /// The value of a field; nil when there is none.
    ///
    /// Every batch of tokens looks for some, and a map of all fields takes many times as long.
    subscript(name: String) -> String? {
        guard let found = bytes.range(of: Data("\n\(name):".utf8)) else { return nil }
        return String(validUTF8: bytes[found.upperBound...].prefix { $0 != 0x0D && $0 != 0x0A })
    }
}
#endif
