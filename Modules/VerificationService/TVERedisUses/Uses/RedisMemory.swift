import Foundation
import TVEModels

/// An uninterrupted record of spent tokens on a primary, and the time at which it began.
///
/// The memory is read when a connection opens and verified with every batch. A key beside the tokens, the mark, states
/// the replication history in which the record began and the time of its beginning. Another history begins at a
/// restart, when a replica takes over, and when an old primary returns; the tokens spent last may be missing from it.
/// After an eviction some tokens may be missing from the current history, and after `FLUSHALL` the mark is missing. The
/// first verifier that finds any of this begins a new memory, and tokens that were issued before it are no longer
/// granted.
///
/// In a cluster each part of the keys has a mark of its own, which moves with the slot of the part. The new server has
/// another history, and nothing proves that it received every token. The part therefore begins a new memory there.
///
/// If replicas must confirm each token, they must confirm the memory first. Until then its mark is provisional, and the
/// memory begins after the confirmation. Otherwise the primary of the smaller half of a network that is cut could begin
/// a memory alone, and after the network has healed it would not know the tokens that the other half granted meanwhile.
///
/// A replica that leaves a primary with a confirmed memory, confirms tokens for the other one, and comes back forgets
/// them. Its return looks like that of a replica that was only away, so this is not detected.
struct RedisMemory: Sendable, Hashable {
    private let mark: String
    /// The time at which the memory began, in milliseconds since 1970 on the clock of Redis.
    private let began: Int64
    /// A Boolean value that indicates whether a verifier with `restarts: keep` has continued the memory across a
    /// restart.
    private let wasContinued: Bool
    private let state: RedisState
    /// The random word that distinguishes the mark from others.
    private let nonce: String
    /// A Boolean value that indicates whether replicas confirmed the mark before the memory began.
    private let isConfirmed: Bool
    /// The number of replicas that confirmed the mark, if there were too few; otherwise `nil`.
    ///
    /// No token may be granted with such a memory.
    private(set) var confirmations: Int?

    /// The time since which no token has been forgotten, on the clock of Redis.
    var beginning: Date { Date(timeIntervalSince1970: Double(began) / 1000) }

    /// A script that writes a mark, unless another verifier has written one meanwhile, and returns the valid one.
    ///
    /// The memory begins at the time of the write, so that no token can be spent and forgotten between the two.
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

    /// A script that writes a mark again if it is still there, so that `WAIT` counts the replicas that have it.
    private static let touch = """
        local found = redis.call('GET', KEYS[1]) or ''
        if found == ARGV[1] then redis.call('SET', KEYS[1], found) end
        return found
        """

    /// The first word of a mark.
    private enum Kind: String {
        /// A mark that no replica has to confirm.
        case plain = "3"
        /// A mark that replicas must confirm before the memory begins.
        case provisional = "wait"
        case confirmed = "4"
    }

    /// The last word of a mark whose memory was continued across a restart.
    private static let continued = "continued"

    /// Finds the memories of a primary, and begins those that are missing or belong to another history.
    ///
    /// - Parameters:
    ///   - keys: the names of the keys that store the marks.
    ///   - socket: the connection to the primary.
    ///   - state: the state of the primary, read before this call. Whatever has changed since then is detected with the
    ///     first batch.
    ///   - configuration: the rules for restarts and for the replicas that must confirm.
    ///   - deadline: the time by which all answers must have arrived.
    /// - Returns: the memory for each key; `nil` where the slot of the key is on another server, or is moving.
    /// - Throws: `.memoryLost` if other verifiers keep replacing the marks, and the errors of the connection.
    static func find(
        _ keys: [String], on socket: RedisSocket, state: RedisState, _ configuration: RedisUsesConfiguration,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) -> [RedisMemory?] {
        var memories = [RedisMemory?](repeating: nil, count: keys.count)
        var places = Array(keys.indices)
        var commands: [UInt8] = []
        for key in keys { RedisCommand.append(["GET", key], to: &commands) }
        var note = ""
        // The words of the marks that this connection has just written, so that `WAIT` counts their replicas.
        var written: [Int: String] = [:]
        // If another verifier begins a memory at the same time, its mark is used, so a few rounds are enough.
        for _ in 0..<12 {
            let waits = !written.isEmpty
            if waits {
                let patience = max(1, deadline.milliseconds / 2)
                let required = String(configuration.replication.required)
                RedisCommand.append(["WAIT", required, String(patience)], to: &commands)
            }
            var replies = try socket.exchange(commands, count: places.count + (waits ? 1 : 0), until: deadline)
            var reached: Int64?
            if waits {
                guard case .number(let count) = try accepted(replies.removeLast()) else { throw .unreadableAnswer }
                reached = count
            }
            commands = []
            let waited = written
            written = [:]
            var missing: [Int] = []
            for (place, reply) in zip(places, replies) where !reply.isElsewhere {
                let mark = try accepted(reply, note: note).string ?? ""
                let found = RedisMemory(mark)
                let isWritten = found != nil && waited[place] == found?.nonce
                switch step(for: found, at: state, configuration, confirmations: isWritten ? reached : nil) {
                case .take(let memory): memories[place] = memory
                case .touch(let memory):
                    RedisCommand.append(["EVAL", touch, "1", keys[place], mark], to: &commands)
                    written[place] = memory.nonce
                    missing.append(place)
                case .begin(let kind, let began):
                    let nonce = String(UInt64.random(in: .min ... .max))
                    RedisCommand.append(
                        [
                            "EVAL", begin, "1", keys[place], mark, "\(kind.rawValue) \(state.text)", began, nonce,
                            began.isEmpty ? "" : " \(continued)",
                        ], to: &commands)
                    if kind == .provisional { written[place] = nonce }
                    missing.append(place)
                }
            }
            guard !missing.isEmpty else { return memories }
            places = missing
            // When the access list forbids a command inside a script, Redis does not name that command.
            note = " (in a script of GET, SET and TIME)"
        }
        throw .memoryLost
    }

    /// The step of a connection that has read a mark.
    private enum Step {
        /// The memory is used, or known to have too few confirmations.
        case take(RedisMemory)
        /// The mark is written again.
        case touch(RedisMemory)
        /// Another mark is written, with the time of an earlier beginning, or an empty text for the time of the write.
        case begin(Kind, began: String)
    }

    /// Returns the step for a mark.
    ///
    /// - Parameters:
    ///   - found: the memory of the mark, or `nil` if there is none that can be read.
    ///   - confirmations: the number of replicas that have the mark, if this connection has just written it.
    private static func step(
        for found: RedisMemory?, at state: RedisState, _ configuration: RedisUsesConfiguration, confirmations: Int64?
    ) -> Step {
        let required = configuration.replication.required
        let first = required > 0 ? Kind.provisional : .plain
        // A verifier with `restarts: forget` does not trust a memory that another verifier continued across a restart:
        // it would have begun a new memory there, because the tokens spent last may be missing.
        guard let found, configuration.restarts == .keep || !found.wasContinued else {
            return .begin(first, began: "")
        }
        guard state.follows(found.state) else {
            // The new history contains all tokens of the old one, so its memory reaches back as far.
            let isContinued = configuration.restarts == .keep && found.state.history != state.history
            return .begin(first, began: isContinued ? String(found.began) : "")
        }
        if required == 0 || found.isConfirmed { return .take(found) }
        guard let confirmations else { return .touch(found) }
        guard confirmations >= required else {
            var unconfirmed = found
            unconfirmed.confirmations = Int(confirmations)
            return .take(unconfirmed)
        }
        return .begin(.confirmed, began: found.wasContinued ? String(found.began) : "")
    }

    private init?(_ mark: String) {
        let words = mark.split(separator: " ", omittingEmptySubsequences: false)
        wasContinued = words.count == 7 && words[6] == Self.continued
        guard words.count == 6 || wasContinued, let kind = Kind(rawValue: String(words[0])),
            let offset = Int64(words[2]),
            let evictions = Int64(words[3]),
            let began = Int64(words[4])
        else { return nil }
        self.mark = mark
        self.began = began
        nonce = String(words[5])
        isConfirmed = kind == .confirmed
        state = RedisState(history: String(words[1]), offset: offset, evictions: evictions)
    }

    /// Returns a Boolean value that indicates whether the primary still has this memory.
    ///
    /// - Parameter answer: the answer to `GET` of the mark's key, sent after the tokens of a batch.
    func isProved(by answer: RedisReply) throws(RedisUsesError) -> Bool {
        guard !answer.isElsewhere else { return false }
        return try Self.accepted(answer).string == mark
    }

    /// Returns an answer of Redis, unless it is an error.
    ///
    /// - Parameters:
    ///   - reply: the answer.
    ///   - note: text about the command that is appended to the message of Redis.
    ///   - secret: a text that the error must not repeat.
    /// - Throws: `.full` or `.refused` if the answer is an error.
    static func accepted(
        _ reply: RedisReply, note: String = "", hiding secret: String? = nil
    ) throws(RedisUsesError) -> RedisReply {
        guard let code = reply.errorCode else { return reply }
        var words = reply.errorWords + note
        if let secret, !secret.isEmpty, words.contains(secret) { words = "" }
        throw code == "OOM" ? .full : .refused(code: code, words: words)
    }

    /// Returns the time in an answer to `TIME`, in milliseconds since 1970, rounded up.
    static func time(_ reply: RedisReply) throws(RedisUsesError) -> Int64 {
        guard case .list(let parts) = reply, parts.count == 2, let seconds = parts[0].string.flatMap({ Int64($0) }),
            let microseconds = parts[1].string.flatMap({ Int64($0) }), (0..<(1 << 40)).contains(seconds),
            (0..<1_000_000).contains(microseconds)
        else { throw .unreadableAnswer }
        return seconds * 1000 + (microseconds + 999) / 1000
    }
}

/// The state of a primary that must not change while it remembers tokens: the history of its data, and its evictions.
struct RedisState: Sendable, Hashable {
    /// The `master_replid`, which changes with every restart and whenever a server becomes a primary.
    let history: String
    /// The position in the history, which never decreases.
    let offset: Int64
    /// The number of keys that the server has evicted since its start, under any eviction policy.
    let evictions: Int64

    /// The state in the form in which a mark stores it.
    var text: String { "\(history) \(offset) \(evictions)" }

    /// The commands whose answers contain the state.
    static let commands = [["INFO", "replication"], ["INFO", "stats"]]

    init(history: String, offset: Int64, evictions: Int64) {
        self.history = history
        self.offset = offset
        self.evictions = evictions
    }

    /// Takes and reads the answers to ``commands``.
    ///
    /// - Returns: the state, and the number of connected replicas.
    /// - Throws: `.noPrimary` if the server has become a replica, which may accept writes and lose them;
    ///   `.incompleteInfo` if a field is missing, and `.unreadableAnswer` if one cannot be read.
    static func read(_ answers: inout RedisReplies) throws(RedisUsesError) -> (state: RedisState, replicas: Int) {
        let replication = try RedisFacts(answers.next())
        let statistics = try RedisFacts(answers.next())
        guard try replication.text(of: "role") == "master" else { throw .noPrimary }
        let history = try replication.text(of: "master_replid")
        guard history.utf8.count <= 64, !history.utf8.contains(UInt8(ascii: " ")) else { throw .unreadableAnswer }
        let state = try RedisState(
            history: history, offset: replication.number(of: "master_repl_offset"),
            evictions: statistics.number(of: "evicted_keys"))
        return (state, Int(clamping: try replication.number(of: "connected_slaves")))
    }

    /// Requests the state of a server, together with the facts that an operator should know about it.
    static func current(
        of socket: RedisSocket, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> (RedisState, RedisObservation) {
        var bytes: [UInt8] = []
        for command in commands { RedisCommand.append(command, to: &bytes) }
        RedisCommand.append(["TIME"], to: &bytes)
        let asked = Date()
        var replies = RedisReplies(try socket.exchange(bytes, count: commands.count + 1, until: deadline))
        let (state, replicas) = try read(&replies)
        let now = try RedisMemory.time(RedisMemory.accepted(replies.next()))
        return (state, RedisObservation(time: now, asked: asked, replicas: replicas))
    }

    /// Returns a Boolean value that indicates whether nothing was forgotten between an earlier state and this one.
    func follows(_ earlier: RedisState) -> Bool {
        history == earlier.history && offset >= earlier.offset && evictions == earlier.evictions
    }
}

/// The fields of an answer to `INFO`.
struct RedisFacts: Sendable {
    private let bytes: Data

    /// Reads an answer to `INFO`.
    ///
    /// - Throws: `.restartsUnseen` if the access list forbids `INFO` or the command was renamed; `.unreadableAnswer`;
    ///   and the errors of ``RedisMemory/accepted(_:note:hiding:)``.
    init(_ reply: RedisReply) throws(RedisUsesError) {
        // The access list forbids `INFO`, or the operator has renamed the command.
        if let code = reply.errorCode, code == "NOPERM" || reply.errorWords.utf8.starts(with: "unknown command".utf8) {
            throw .restartsUnseen("\(code) \(reply.errorWords)")
        }
        guard case .text(let bytes) = try RedisMemory.accepted(reply) else { throw .unreadableAnswer }
        self.bytes = bytes
    }

    /// The mode of the server, such as `standalone`, `cluster` or `sentinel`.
    var mode: String? {
        // Valkey 8 renamed the field.
        self["redis_mode"] ?? self["server_mode"]
    }

    /// Returns the value of a field, or `nil` if there is none.
    ///
    /// The answer is searched for each field, because every batch of tokens reads a few of them, and building a
    /// dictionary of all fields takes many times as long.
    subscript(name: String) -> String? {
        guard let found = bytes.range(of: Data("\n\(name):".utf8)) else { return nil }
        return String(validating: bytes[found.upperBound...].prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    }

    /// Returns the value of a field that the memory depends on.
    ///
    /// - Throws: `.incompleteInfo` if there is none, as in the answers of some managed servers.
    func text(of name: String) throws(RedisUsesError) -> String {
        guard let value = self[name] else { throw .incompleteInfo(field: name) }
        return value
    }

    /// Returns the number in a field that the memory depends on.
    ///
    /// - Throws: `.incompleteInfo`, or `.unreadableAnswer` if the value is no number.
    func number(of name: String) throws(RedisUsesError) -> Int64 {
        guard let number = Int64(try text(of: name)) else { throw .unreadableAnswer }
        return number
    }
}
