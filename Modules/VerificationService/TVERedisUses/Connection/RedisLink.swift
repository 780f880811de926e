import Foundation
import TVETokenVerification

/// A connection to a primary that is ready to spend tokens, with the primary's memories.
struct RedisLink: Sendable {
    let socket: RedisSocket
    let address: RedisAddress
    private let keys: RedisKeys
    private let state: RedisState
    /// By part; see ``RedisKeys``.
    private var memories: [Int: RedisMemory] = [:]
    /// Facts about the server from the last round trip.
    private(set) var observation: RedisObservation

    /// What was found where tokens should be spent.
    enum Finding {
        case link(RedisLink)
        case cluster(RedisTopology)
    }

    /// Finds the primary among servers and prepares to spend tokens, or finds that they are a cluster.
    static func find(
        among servers: [RedisAddress], _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> Finding {
        var primaries: [(socket: RedisSocket, address: RedisAddress, facts: RedisFacts)] = []
        var views: [RedisTopology] = []
        var failure = RedisUsesError.noPrimary
        for (index, address) in servers.enumerated() {
            // Later servers get their share of the time, even if this one never answers.
            let left = Double(deadline.milliseconds) / 1000 / Double(servers.count - index)
            let deadline = min(deadline, RedisDeadline.now.advanced(by: left))
            do throws(RedisUsesError) {
                let socket = try RedisSocket.open(address, configuration, until: deadline)
                let facts = try RedisFacts(socket.ask("INFO", "server", until: deadline))
                guard facts["redis_mode"] != "sentinel" else { throw .sentinel }
                if facts["redis_mode"] == "cluster" {
                    views.append(try RedisTopology(of: socket, address, configuration, until: deadline))
                } else if try isPrimary(socket, deadline) {
                    primaries.append((socket, address, facts))
                }
            } catch {
                failure = error
            }
        }
        // Two primaries that both grant tokens do not know of each other; an administrator must decide between them.
        guard primaries.count < 2, primaries.isEmpty || views.isEmpty else { throw .severalPrimaries }
        if let topology = try RedisTopology.common(to: views) { return .cluster(topology) }
        guard let (socket, address, facts) = primaries.first else { throw failure }
        let keys = RedisKeys(prefix: configuration.prefix, isCluster: false)
        var link = try RedisLink(socket, address, facts, keys, until: deadline)
        try link.prepare([0], configuration, until: deadline)
        guard link.memories[0] != nil else { throw .refused(code: "MOVED") }
        return .link(link)
    }

    /// Connects to a primary of a cluster and prepares to spend tokens.
    ///
    /// - Parameter parts: the parts of the keys that it has.
    static func open(
        _ node: RedisNode, parts: Set<Int>, _ keys: RedisKeys, _ configuration: RedisUsesConfiguration,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) -> RedisLink {
        let socket = try RedisSocket.open(node.address, configuration, until: deadline)
        // The address may belong to another cluster by now, which knows nothing of this one's tokens.
        guard try RedisMemory.accepted(socket.ask("CLUSTER", "MYID", until: deadline)).string == node.id else {
            throw .noPrimary
        }
        let facts = try RedisFacts(socket.ask("INFO", "server", until: deadline))
        var link = try RedisLink(socket, node.address, facts, keys, until: deadline)
        try link.prepare(parts, configuration, until: deadline)
        return link
    }

    private init(
        _ socket: RedisSocket, _ address: RedisAddress, _ facts: RedisFacts, _ keys: RedisKeys,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        self.socket = socket
        self.address = address
        self.keys = keys
        // Valkey reports its own version in addition to the Redis version it is compatible with.
        let version = facts["redis_version"] ?? "0"
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 2, (numbers[0], numbers[1]) >= (6, 2) else { throw .tooOld(version: version) }
        // A server that throws keys away when it is full would forget spent tokens. Without a limit of its memory it is
        // never full; but the limit can be set at any time.
        let memory = try RedisFacts(socket.ask("INFO", "memory", until: deadline))
        guard let policy = memory["maxmemory_policy"] else { throw .unreadableAnswer }
        guard policy == "noeviction" else { throw .evicts(policy: policy) }
        (state, observation) = try RedisState.current(of: socket, until: deadline)
    }

    private static func isPrimary(
        _ socket: RedisSocket, _ deadline: RedisDeadline
    ) throws(RedisUsesError) -> Bool {
        let facts = try RedisFacts(socket.ask("INFO", "replication", until: deadline))
        guard let role = facts["role"] else { throw .unreadableAnswer }
        return role == "master"
    }

    /// Finds or begins the memories of parts, as far as this server has them.
    mutating func prepare(
        _ parts: Set<Int>, _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        let parts = parts.filter { memories[$0] == nil }.sorted()
        guard !parts.isEmpty else { return }
        let found = try RedisMemory.find(
            parts.map(keys.mark), on: socket, state: state, restarts: configuration.restarts, until: deadline)
        for (part, memory) in zip(parts, found) { memories[part] = memory }
    }

    /// Spends tokens in one round trip, or two if a part's memory is not known yet or the clock of Redis was set back.
    ///
    /// A token is granted by the time that Redis names after it was written. Whether it may be written at all is decided
    /// before: by the time of the last answer if that is late enough, else by a script that reads the clock. Only a clock
    /// that was set back since the last answer makes the two differ, and then the token is taken back.
    ///
    /// - Returns: the outcome of each token, in order.
    /// - Throws: an error after which the connection cannot be used; then no outcome is known.
    mutating func spend(
        _ spends: [RedisSpend], _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> [Result<MediaTokenUseOutcome, RedisUsesError>] {
        let parts = spends.map(keys.part)
        try prepare(Set(parts), configuration, until: deadline)
        var results = [Result<MediaTokenUseOutcome, RedisUsesError>](
            repeating: .failure(.slotMoved), count: spends.count)
        // A token is written only where it will be found again.
        let places = spends.indices.filter { memories[parts[$0]] != nil }
        guard !places.isEmpty else { return results }
        let marks = Set(places.map { parts[$0] }).sorted()

        // What is not a number allows for nothing.
        let skew = configuration.issuerClockSkew > 0 ? min(configuration.issuerClockSkew, 86_400) : 0
        let allowed = places.filter { spends[$0].wait(at: observation.time, issuerClockSkew: skew) == 0 }
        let newer = places.filter { spends[$0].wait(at: observation.time, issuerClockSkew: skew) > 0 }
        // One script for all tokens, as far as one command may have their keys.
        let scripts = keys.isCluster ? newer.map { [$0] } : newer.isEmpty ? [] : [newer]
        var commands: [UInt8] = []
        commands.reserveCapacity(places.count * 150 + scripts.count * 700 + 256)
        for place in allowed { spends[place].append(to: &commands, keys) }
        for group in scripts {
            RedisSpend.append(group.map { spends[$0] }, to: &commands, keys, issuerClockSkew: skew)
        }
        let firstMark = allowed.count + scripts.count
        // Behind the tokens: what was forgotten before one of them shows here.
        for part in marks { RedisCommand.append(["GET", keys.mark(part)], to: &commands) }
        for question in RedisState.questions { RedisCommand.append(question, to: &commands) }
        RedisCommand.append(["TIME"], to: &commands)
        let required = configuration.replication.required
        let waits = required > 0
        if waits {
            // Half of the remaining time, so that an answer with too few replicas still comes in time.
            let patience = max(1, deadline.milliseconds / 2)
            RedisCommand.append(["WAIT", String(required), String(patience)], to: &commands)
        }
        let firstFact = firstMark + marks.count
        let clock = firstFact + RedisState.questions.count
        let asked = Date()
        let replies = try socket.exchange(commands, count: clock + (waits ? 2 : 1), until: deadline)

        // A primary that has become a replica of a cluster answers so, and has nothing to prove.
        if replies[..<firstMark].allSatisfy(\.isElsewhere) { return results }
        let (current, replicaCount) = try RedisState.read(replies[firstFact..<clock])
        guard current.follows(state) else { throw .memoryLost }
        var proved: [Int: RedisMemory] = [:]
        for (part, answer) in zip(marks, replies[firstMark..<firstFact]) {
            if let memory = memories[part], try memory.isProved(by: answer) {
                proved[part] = memory
            } else {
                memories[part] = nil
            }
        }
        let now = try RedisMemory.time(RedisMemory.accepted(replies[clock]))
        observation = RedisObservation(time: now, asked: asked, replicas: replicaCount)
        var replicas: Int?
        if waits {
            guard case .number(let reached) = try RedisMemory.accepted(replies[clock + 1]) else {
                throw .unreadableAnswer
            }
            if reached < required { replicas = Int(reached) }
        }
        var answers = Array(replies[..<allowed.count])
        for (group, reply) in zip(scripts, replies[allowed.count...]) {
            answers += try RedisSpend.answers(in: reply, to: group.count)
        }
        var early: [RedisSpend] = []
        for (place, reply) in zip(allowed + newer, answers) where !reply.isElsewhere {
            let isEarly = spends[place].wait(at: now, issuerClockSkew: skew) > 0
            if isEarly, reply == .status("OK") { early.append(spends[place]) }
            do throws(RedisUsesError) {
                if let replicas { throw .notReplicated(count: replicas) }
                guard let memory = proved[parts[place]] else { throw .memoryLost }
                results[place] = .success(
                    try spends[place].outcome(of: reply, now: now, began: memory.beginning, issuerClockSkew: skew))
            } catch {
                results[place] = .failure(error)
            }
        }
        try takeBack(early, until: deadline)
        return results
    }

    /// Removes tokens that were written although they have to wait for the clock of Redis.
    private func takeBack(_ spends: [RedisSpend], until deadline: RedisDeadline) throws(RedisUsesError) {
        guard !spends.isEmpty else { return }
        var commands: [UInt8] = []
        for spend in spends { spend.appendRemoval(to: &commands, keys) }
        for reply in try socket.exchange(commands, count: spends.count, until: deadline) {
            _ = try RedisMemory.accepted(reply)
        }
    }
}

extension RedisSocket {
    /// Connects, logs in and selects the database.
    static func open(
        _ address: RedisAddress, _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> RedisSocket {
        let socket = try RedisSocket(address, configuration.tls, configuration.tlsFiles, until: deadline)
        if let password = configuration.password {
            let answer =
                if let username = configuration.username {
                    try socket.ask("AUTH", username, password, until: deadline)
                } else {
                    try socket.ask("AUTH", password, until: deadline)
                }
            _ = try RedisMemory.accepted(answer, hiding: password)
        }
        if configuration.database != 0 {
            _ = try RedisMemory.accepted(socket.ask("SELECT", String(configuration.database), until: deadline))
        }
        return socket
    }
}
