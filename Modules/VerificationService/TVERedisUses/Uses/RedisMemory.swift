import Foundation
import TVEModels

/// What a primary remembers, and since when: read when a connection opens, and checked with every batch.
///
/// A key beside the tokens, the mark, says which history of data began to remember, and when. A restart, a replica that
/// takes over, and an old primary that is one again begin another history, in which the tokens spent last may be
/// missing; after an eviction some tokens may be missing from this one; after `FLUSHALL` the mark is missing. The first
/// verifier that finds any of this begins a new memory, and tokens that were issued before are not granted any more.
///
/// In a cluster each part of the keys has a mark of its own, which moves with the part's slot. At the other server it
/// names another history. Nothing there proves that every token came along, so the part begins a new memory.
struct RedisMemory: Sendable, Hashable {
    private let mark: String
    /// When remembering began, in milliseconds since 1970 on the clock of Redis.
    private let began: Int64
    /// A Boolean value that indicates whether a verifier with `restarts: keep` has continued the memory over a restart.
    private let wasContinued: Bool
    private let state: RedisState

    /// Since when nothing was forgotten, on the clock of Redis.
    var beginning: Date { Date(timeIntervalSince1970: Double(began) / 1000) }

    /// Writes a mark unless another verifier has written one meanwhile, and returns the one that counts.
    ///
    /// The time is that of the write, so that no token was spent and forgotten between the two.
    private static let begin = """
        local found = redis.call('GET', KEYS[1]) or ''
        if found ~= ARGV[1] then return found end
        local began = ARGV[3]
        if began == '' then
            local now = redis.call('TIME')
            began = string.format('%.0f', now[1] * 1000 + math.ceil(now[2] / 1000))
        end
        local mark = ARGV[2] .. ' ' .. began .. ' ' .. ARGV[4] .. ARGV[5]
        redis.call('SET', KEYS[1], mark)
        return mark
        """

    /// The last word of a mark that was continued over a restart.
    private static let continued = "continued"

    /// Finds memories of a primary, and begins those that are missing or are of another history.
    ///
    /// - Parameters:
    ///   - keys: the names of their marks.
    ///   - state: the state of the primary, which was read before: what happened later is found with the first batch.
    ///   - restarts: whether another history is a new memory.
    /// - Returns: the memory of each key; nil where the key's slot is on another server, or moves.
    static func find(
        _ keys: [String], on socket: RedisSocket, state: RedisState, restarts: RedisUsesConfiguration.Restarts,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) -> [RedisMemory?] {
        var memories = [RedisMemory?](repeating: nil, count: keys.count)
        var places = Array(keys.indices)
        var commands: [UInt8] = []
        for key in keys { RedisCommand.append(["GET", key], to: &commands) }
        var note = ""
        // Another verifier may begin at the same time; then its mark counts, so few rounds are enough.
        for _ in 0..<8 {
            let replies = try socket.exchange(commands, count: places.count, until: deadline)
            commands = []
            var missing: [Int] = []
            for (place, reply) in zip(places, replies) where !reply.isElsewhere {
                let mark = try accepted(reply, note: note).string ?? ""
                let found = RedisMemory(mark)
                // Who forgets at a restart does not trust a memory that somebody else continued over one: this verifier
                // would have begun anew there, and the tokens spent last may be missing.
                if let found, state.follows(found.state), restarts == .keep || !found.wasContinued {
                    memories[place] = found
                    continue
                }
                var began = ""
                if restarts == .keep, let found, found.state.history != state.history {
                    // The new history has all tokens of the old one, so it remembers as far back.
                    began = String(found.began)
                }
                let nonce = String(UInt64.random(in: .min ... .max))
                RedisCommand.append(
                    [
                        "EVAL", begin, "1", keys[place], mark, "3 \(state.text)", began, nonce,
                        began.isEmpty ? "" : " \(continued)",
                    ], to: &commands)
                missing.append(place)
            }
            guard !missing.isEmpty else { return memories }
            places = missing
            // Where a user may not run a command of a script, Redis does not name the command.
            note = " (in a script of GET, SET and TIME)"
        }
        throw .memoryLost
    }

    private init?(_ mark: String) {
        let words = mark.split(separator: " ", omittingEmptySubsequences: false)
        wasContinued = words.count == 7 && words[6] == Self.continued
        guard words.count == 6 || wasContinued, words[0] == "3", let offset = Int64(words[2]),
            let evictions = Int64(words[3]),
            let began = Int64(words[4])
        else { return nil }
        self.mark = mark
        self.began = began
        state = RedisState(history: String(words[1]), offset: offset, evictions: evictions)
    }

    /// Whether the answer to `GET` of the mark's key, sent behind tokens, shows this memory.
    func isProved(by answer: RedisReply) throws(RedisUsesError) -> Bool {
        guard !answer.isElsewhere else { return false }
        return try Self.accepted(answer).string == mark
    }

    /// The answer, unless it is an error: then it throws `.full` or `.refused`.
    ///
    /// - Parameters:
    ///   - reply: the answer.
    ///   - note: what Redis does not say about the command, added to its words.
    ///   - secret: a text that the words must not repeat.
    static func accepted(
        _ reply: RedisReply, note: String = "", hiding secret: String? = nil
    ) throws(RedisUsesError) -> RedisReply {
        guard let code = reply.errorCode else { return reply }
        var words = reply.errorWords + note
        if let secret, !secret.isEmpty, words.contains(secret) { words = "" }
        throw code == "OOM" ? .full : .refused(code: code, words: words)
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

    /// The state as words of a mark.
    var text: String { "\(history) \(offset) \(evictions)" }

    /// The commands whose answers are the state.
    static let questions = [["INFO", "replication"], ["INFO", "stats"]]

    init(history: String, offset: Int64, evictions: Int64) {
        self.history = history
        self.offset = offset
        self.evictions = evictions
    }

    /// Reads the answers to ``questions``.
    ///
    /// - Returns: the state, and the number of connected replicas.
    /// - Throws: `.noPrimary` when the server is a replica now: it may accept writes and lose them.
    static func read(_ answers: ArraySlice<RedisReply>) throws(RedisUsesError) -> (state: RedisState, replicas: Int) {
        var facts: [RedisFacts] = []
        for answer in answers { facts.append(try RedisFacts(answer)) }
        guard facts.count == 2, let role = facts[0]["role"], let history = facts[0]["master_replid"],
            history.utf8.count <= 64, !history.utf8.contains(UInt8(ascii: " ")),
            let offset = facts[0]["master_repl_offset"].flatMap({ Int64($0) }),
            let evictions = facts[1]["evicted_keys"].flatMap({ Int64($0) }),
            let replicas = facts[0]["connected_slaves"].flatMap({ Int($0) })
        else { throw .unreadableAnswer }
        guard role == "master" else { throw .noPrimary }
        return (RedisState(history: history, offset: offset, evictions: evictions), replicas)
    }

    /// Asks a server for its state, and for what an operator should know about it.
    static func current(
        of socket: RedisSocket, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> (RedisState, RedisObservation) {
        var commands: [UInt8] = []
        for question in questions { RedisCommand.append(question, to: &commands) }
        RedisCommand.append(["TIME"], to: &commands)
        let asked = Date()
        let replies = try socket.exchange(commands, count: questions.count + 1, until: deadline)
        let (state, replicas) = try read(replies[..<questions.count])
        let now = try RedisMemory.time(RedisMemory.accepted(replies[questions.count]))
        return (state, RedisObservation(time: now, asked: asked, replicas: replicas))
    }

    /// Whether nothing was forgotten between an earlier state and this one.
    func follows(_ earlier: RedisState) -> Bool {
        history == earlier.history && offset >= earlier.offset && evictions == earlier.evictions
    }
}

/// The fields of an answer to `INFO`.
struct RedisFacts: Sendable {
    private let bytes: Data

    /// - Throws: `.restartsUnseen`, `.unreadableAnswer`, and the errors of ``RedisMemory/accepted(_:)``.
    init(_ reply: RedisReply) throws(RedisUsesError) {
        // Forbidden by the access list, or renamed by the operator.
        if let code = reply.errorCode, code == "NOPERM" || reply.errorWords.utf8.starts(with: "unknown command".utf8) {
            throw .restartsUnseen("\(code) \(reply.errorWords)")
        }
        guard case .text(let bytes) = try RedisMemory.accepted(reply) else { throw .unreadableAnswer }
        self.bytes = bytes
    }

    /// The value of a field; nil when there is none.
    ///
    /// Every batch of tokens looks for some, and a map of all fields takes many times as long.
    subscript(name: String) -> String? {
        guard let found = bytes.range(of: Data("\n\(name):".utf8)) else { return nil }
        return String(validating: bytes[found.upperBound...].prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    }
}
