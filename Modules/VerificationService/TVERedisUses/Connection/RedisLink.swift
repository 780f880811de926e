import Foundation
import TVETokenVerification

/// A connection to a primary that is ready to spend tokens, together with the memories of the primary.
struct RedisLink: Sendable {
    let socket: RedisSocket
    let address: RedisAddress
    private let keys: RedisKeys
    private let state: RedisState
    /// The memories by the number of their part; see ``RedisKeys``.
    private var memories: [Int: RedisMemory] = [:]
    /// The facts about the server from the last round trip.
    private(set) var observation: RedisObservation

    /// The result of a search among the configured servers.
    enum Finding {
        case link(RedisLink)
        case cluster(RedisTopology)
    }

    /// Finds the primary among servers and prepares to spend tokens, or finds that the servers form a cluster.
    ///
    /// - Parameters:
    ///   - servers: the addresses of the configuration.
    ///   - configuration: the rules for using the servers.
    ///   - seconds: the number of seconds within which the search must end once the names are resolved.
    /// - Throws: the error of the last server that could not be used, or `.severalPrimaries`.
    static func find(
        among servers: [RedisAddress], _ configuration: RedisUsesConfiguration, within seconds: TimeInterval
    ) throws(RedisUsesError) -> Finding {
        let places = configuration.names.numbers(of: servers, within: configuration.namePatience)
        let deadline = RedisDeadline.now.advanced(by: seconds)
        var primaries: [(socket: RedisSocket, address: RedisAddress, facts: RedisFacts)] = []
        var views: [RedisTopology] = []
        var failure = RedisUsesError.noPrimary
        for (index, address) in servers.enumerated() {
            // Each server with a known address gets an equal share of the remaining time, even if an earlier one never
            // answers. Once a primary is found, a further share remains for its preparation.
            let rest = places[index...].count { (try? $0.get()) != nil }
            let shares = max(1, rest + (primaries.isEmpty ? 0 : 1))
            let left = Double(deadline.milliseconds) / 1000 / Double(shares)
            let deadline = min(deadline, RedisDeadline.now.advanced(by: left))
            do throws(RedisUsesError) {
                let place = try places[index].get()
                let socket = try RedisSocket.open(address, at: place, configuration, until: deadline)
                let facts = try RedisFacts(socket.ask("INFO", "server", until: deadline))
                guard facts.mode != "sentinel" else { throw .sentinel }
                if facts.mode == "cluster" {
                    views.append(try RedisTopology(of: socket, address, configuration, until: deadline))
                } else if try isPrimary(socket, deadline) {
                    // One server can have several addresses.
                    let id = facts["run_id"]
                    let isKnown = primaries.contains { id != nil && $0.facts["run_id"] == id }
                    if !isKnown { primaries.append((socket, address, facts)) }
                }
            } catch {
                failure = error
                // The system's message does not name the server, and several may be configured. A missing thread has
                // nothing to do with the server.
                if case .unreachable(let reason) = error, reason != RedisThread.noneLeft {
                    failure = .unreachable("\(address): \(reason)")
                }
            }
        }
        // Two primaries that both grant tokens do not know of each other. An administrator must choose one.
        guard primaries.count < 2, primaries.isEmpty || views.isEmpty else { throw .severalPrimaries }
        if let topology = try RedisTopology.common(to: views) { return .cluster(topology) }
        guard let (socket, address, facts) = primaries.first else { throw failure }
        let keys = RedisKeys(prefix: configuration.prefix, isCluster: false)
        var link = try RedisLink(socket, at: address, facts: facts, keys: keys, until: deadline)
        try link.prepare([0], configuration, until: deadline)
        guard link.memories[0] != nil else { throw .refused(code: "MOVED") }
        return .link(link)
    }

    /// Connects to a primary of a cluster and prepares to spend tokens.
    ///
    /// - Parameters:
    ///   - node: the primary.
    ///   - parts: the parts of the keys whose slots the primary has.
    ///   - keys: the names of the keys.
    ///   - configuration: the rules for using the servers.
    ///   - seconds: the number of seconds within which the connection must be ready once its name is resolved.
    /// - Throws: `.noPrimary` if another server answers at the address of `node`, and the errors of the connection.
    static func open(
        _ node: RedisNode, parts: Set<Int>, keys: RedisKeys, configuration: RedisUsesConfiguration,
        within seconds: TimeInterval
    ) throws(RedisUsesError) -> RedisLink {
        let place = try configuration.names.number(of: node.address, within: configuration.namePatience)
        let deadline = RedisDeadline.now.advanced(by: seconds)
        let socket = try RedisSocket.open(node.address, at: place, configuration, until: deadline)
        // By now the address may belong to another cluster, which does not have the tokens of this one.
        guard try RedisMemory.accepted(socket.ask("CLUSTER", "MYID", until: deadline)).string == node.id else {
            throw .noPrimary
        }
        let facts = try RedisFacts(socket.ask("INFO", "server", until: deadline))
        var link = try RedisLink(socket, at: node.address, facts: facts, keys: keys, until: deadline)
        try link.prepare(parts, configuration, until: deadline)
        return link
    }

    private init(
        _ socket: RedisSocket, at address: RedisAddress, facts: RedisFacts, keys: RedisKeys,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        self.socket = socket
        self.address = address
        self.keys = keys
        // Valkey reports the Redis version with which it is compatible in this field, and its own version in another.
        let version = facts["redis_version"] ?? "0"
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 2, (numbers[0], numbers[1]) >= (6, 2) else { throw .tooOld(version: version) }
        // A server that evicts keys when its memory is full would forget spent tokens. A server without a memory limit
        // is never full, but the limit can be set at any time.
        let memory = try RedisFacts(socket.ask("INFO", "memory", until: deadline))
        let policy = try memory.text(of: "maxmemory_policy")
        guard policy == "noeviction" else { throw .evicts(policy: policy) }
        (state, observation) = try RedisState.current(of: socket, until: deadline)
    }

    private static func isPrimary(
        _ socket: RedisSocket, _ deadline: RedisDeadline
    ) throws(RedisUsesError) -> Bool {
        try RedisFacts(socket.ask("INFO", "replication", until: deadline)).text(of: "role") == "master"
    }

    /// Finds or begins the memories of those parts that this server has.
    mutating func prepare(
        _ parts: Set<Int>, _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        // A memory that too few replicas have confirmed may have enough by now.
        let parts = parts.filter { memories[$0].map { $0.confirmations != nil } ?? true }.sorted()
        guard !parts.isEmpty else { return }
        let found = try RedisMemory.find(
            parts.map(keys.mark), on: socket, state: state, configuration, until: deadline)
        for (part, memory) in zip(parts, found) { memories[part] = memory }
    }

    /// Checks that the server still answers, is still the primary, and has forgotten nothing.
    ///
    /// - Throws: an error after which the connection cannot be used.
    mutating func check(until deadline: RedisDeadline) throws(RedisUsesError) {
        let (current, observation) = try RedisState.current(of: socket, until: deadline)
        guard current.follows(state) else { throw .memoryLost }
        self.observation = observation
    }

    /// Spends tokens in one round trip, or in two if the memory of a part is unknown or the clock of Redis was set
    /// back.
    ///
    /// A token is granted according to the time that Redis reports after the write. Whether it may be written at all is
    /// decided earlier: by the time in the last answer if that is late enough, otherwise by a script that reads the
    /// clock. The two decisions differ only if the clock was set back since the last answer, and then the token is
    /// removed again.
    ///
    /// - Returns: the outcome of each token, in the order of `spends`.
    /// - Throws: an error after which the connection cannot be used, and no outcome is known.
    mutating func spend(
        _ spends: [RedisSpend], _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> [Result<MediaTokenUseOutcome, RedisUsesError>] {
        let parts = spends.map(keys.part)
        try prepare(Set(parts), configuration, until: deadline)
        var results = [Result<MediaTokenUseOutcome, RedisUsesError>](
            repeating: .failure(.slotMoved), count: spends.count)
        // A token is written only where a verified memory will find it again.
        let places = spends.indices.filter { place in
            guard let memory = memories[parts[place]] else { return false }
            guard let count = memory.confirmations else { return true }
            results[place] = .failure(.notReplicated(count: count))
            return false
        }
        guard !places.isEmpty else { return results }
        let marks = Set(places.map { parts[$0] }).sorted()

        // The comparison treats a tolerance of NaN as 0.
        let skew = configuration.issuerClockSkew > 0 ? min(configuration.issuerClockSkew, 86_400) : 0
        let allowed = places.filter { spends[$0].wait(at: observation.time, issuerClockSkew: skew) == 0 }
        let newer = places.filter { spends[$0].wait(at: observation.time, issuerClockSkew: skew) > 0 }
        // One script spends all newer tokens. In a cluster each gets its own, because their keys may be in several
        // slots.
        let scripts = keys.isCluster ? newer.map { [$0] } : newer.isEmpty ? [] : [newer]
        var commands: [UInt8] = []
        commands.reserveCapacity(places.count * 150 + scripts.count * 700 + 256)
        for place in allowed { spends[place].append(to: &commands, keys) }
        for group in scripts {
            RedisSpend.append(group.map { spends[$0] }, to: &commands, keys, issuerClockSkew: skew)
        }
        // The marks are read after the tokens are written, so anything forgotten before a write is detected.
        for part in marks { RedisCommand.append(["GET", keys.mark(part)], to: &commands) }
        for command in RedisState.commands { RedisCommand.append(command, to: &commands) }
        RedisCommand.append(["TIME"], to: &commands)
        let required = configuration.replication.required
        let waits = required > 0
        if waits {
            // `WAIT` gets half of the remaining time, so that its answer arrives in time even with too few replicas.
            let patience = max(1, deadline.milliseconds / 2)
            RedisCommand.append(["WAIT", String(required), String(patience)], to: &commands)
        }
        let count = allowed.count + scripts.count + marks.count + RedisState.commands.count + (waits ? 2 : 1)
        let asked = Date()
        var replies = RedisReplies(try socket.exchange(commands, count: count, until: deadline))
        let allowedReplies = replies.next(allowed.count)
        let scriptReplies = replies.next(scripts.count)
        let markReplies = replies.next(marks.count)

        // A primary that has become a replica in its cluster redirects every token, so there is nothing to verify.
        if allowedReplies.allSatisfy(\.isElsewhere), scriptReplies.allSatisfy(\.isElsewhere) { return results }
        let (current, replicaCount) = try RedisState.read(&replies)
        guard current.follows(state) else { throw .memoryLost }
        var proved: [Int: RedisMemory] = [:]
        for (part, answer) in zip(marks, markReplies) {
            if let memory = memories[part], try memory.isProved(by: answer) {
                proved[part] = memory
            } else {
                memories[part] = nil
            }
        }
        let now = try RedisMemory.time(RedisMemory.accepted(replies.next()))
        observation = RedisObservation(time: now, asked: asked, replicas: replicaCount)
        var replicas: Int?
        if waits {
            guard case .number(let reached) = try RedisMemory.accepted(replies.next()) else {
                throw .unreadableAnswer
            }
            if reached < required { replicas = Int(reached) }
        }
        var answers = Array(allowedReplies)
        for (group, reply) in zip(scripts, scriptReplies) {
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

    /// Removes tokens that were written although the clock of Redis has not reached their time of issue.
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
    /// Opens a connection to a server, authenticates and selects the database.
    ///
    /// - Parameters:
    ///   - address: the address of the server.
    ///   - place: the same address with a number in place of a name.
    ///   - configuration: the rules for using the server.
    ///   - deadline: the time by which the connection must be ready.
    /// - Throws: `.sentinel` or `.refused` if the server does not accept the credentials or the database, and the
    ///   errors of the connection.
    static func open(
        _ address: RedisAddress, at place: RedisAddress, _ configuration: RedisUsesConfiguration,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) -> RedisSocket {
        let socket = try RedisSocket(
            address, at: place, tls: configuration.tls, files: configuration.tlsFiles, until: deadline)
        do throws(RedisUsesError) {
            try socket.logIn(configuration, until: deadline)
        } catch .refused(let code, let words) {
            // A Sentinel has users of its own and no databases, and answers who it is all the same.
            let facts = try? RedisFacts(socket.ask("INFO", "server", until: deadline))
            throw facts?.mode == "sentinel" ? .sentinel : .refused(code: code, words: words)
        }
        return socket
    }

    private func logIn(_ configuration: RedisUsesConfiguration, until deadline: RedisDeadline) throws(RedisUsesError) {
        if let password = configuration.presentPassword?() ?? configuration.password {
            let answer =
                if let username = configuration.username {
                    try ask("AUTH", username, password, until: deadline)
                } else {
                    try ask("AUTH", password, until: deadline)
                }
            _ = try RedisMemory.accepted(answer, hiding: password)
        }
        if configuration.database != 0 {
            _ = try RedisMemory.accepted(ask("SELECT", String(configuration.database), until: deadline))
        }
    }
}
