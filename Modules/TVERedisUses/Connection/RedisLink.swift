#if VerificationService
import Foundation

/// A connection to the primary that is ready to spend tokens, with the primary's memory.
struct RedisLink: Sendable {
    let socket: RedisSocket
    let memory: RedisMemory

    /// Finds the primary among the servers and prepares to spend tokens.
    static func open(
        _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> RedisLink {
        var primaries: [RedisSocket] = []
        var failure = RedisUsesError.noPrimary
        for (index, address) in configuration.servers.enumerated() {
            // Later servers get their share of the time, even if this one never answers.
            let left = Double(deadline.milliseconds) / 1000 / Double(configuration.servers.count - index)
            let deadline = min(deadline, RedisDeadline.now.advanced(by: left))
            do throws(RedisUsesError) {
                let socket = try RedisSocket(address, configuration.tls, until: deadline)
                if try isPrimary(socket, configuration, deadline) { primaries.append(socket) }
            } catch {
                failure = error
            }
        }
        // Two primaries that both grant tokens do not know of each other; an administrator must decide between them.
        guard primaries.count < 2 else { throw .severalPrimaries }
        guard let socket = primaries.first else { throw failure }
        let process = try process(of: socket, deadline)
        try checkMemoryPolicy(socket, deadline)
        let memory = try RedisMemory.find(
            on: socket, key: "\(configuration.prefix):began",
            process: configuration.restarts == .forget ? process : nil, until: deadline)
        return RedisLink(socket: socket, memory: memory)
    }

    private static func isPrimary(
        _ socket: RedisSocket, _ configuration: RedisUsesConfiguration, _ deadline: RedisDeadline
    ) throws(RedisUsesError) -> Bool {
        if let password = configuration.password {
            let answer =
                if let username = configuration.username {
                    try socket.ask("AUTH", username, password, until: deadline)
                } else {
                    try socket.ask("AUTH", password, until: deadline)
                }
            _ = try RedisMemory.accepted(answer)
        }
        if configuration.database != 0 {
            _ = try RedisMemory.accepted(socket.ask("SELECT", String(configuration.database), until: deadline))
        }
        guard case .list(let role) = try RedisMemory.accepted(socket.ask("ROLE", until: deadline)) else {
            throw .unreadableAnswer
        }
        return role.first?.string == "master"
    }

    private static func process(of socket: RedisSocket, _ deadline: RedisDeadline) throws(RedisUsesError) -> String {
        let facts = try info(socket, "server", deadline)
        // Valkey reports its own version in addition to the Redis version it is compatible with.
        let version = facts["redis_version"] ?? "0"
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 2, (numbers[0], numbers[1]) >= (6, 2) else { throw .tooOld(version: version) }
        guard let process = facts["run_id"], process.utf8.count <= 64, !process.contains(" ") else {
            throw .unreadableAnswer
        }
        return process
    }

    /// A server that evicts keys when it is full would forget spent tokens.
    private static func checkMemoryPolicy(_ socket: RedisSocket, _ deadline: RedisDeadline) throws(RedisUsesError) {
        let facts = try info(socket, "memory", deadline)
        guard let policy = facts["maxmemory_policy"], policy != "noeviction", facts["maxmemory"] != "0" else { return }
        throw .evicts(policy: policy)
    }

    private static func info(
        _ socket: RedisSocket, _ section: String, _ deadline: RedisDeadline
    ) throws(RedisUsesError) -> [String: String] {
        guard let text = try RedisMemory.accepted(socket.ask("INFO", section, until: deadline)).string else {
            throw .unreadableAnswer
        }
        var facts: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            facts[String(line[..<colon])] = String(line[line.index(after: colon)...])
        }
        return facts
    }

    /// Spends tokens in one round trip.
    ///
    /// - Returns: the outcome of each token, in order.
    /// - Throws: an error after which the connection cannot be used; then no outcome is known.
    func spend(
        _ spends: [RedisSpend], _ configuration: RedisUsesConfiguration, until deadline: RedisDeadline
    ) throws(RedisUsesError) -> [Result<Bool, RedisUsesError>] {
        var commands: [UInt8] = []
        commands.reserveCapacity(spends.count * 140 + 256)
        for spend in spends { try spend.append(to: &commands) }
        // Behind the tokens: if the memory had been lost before one of them, the mark would be lost as well.
        try RedisCommand.append(["GET", "\(configuration.prefix):began"], to: &commands)
        try RedisCommand.append(["TIME"], to: &commands)
        let count = spends.count
        let waits = configuration.replicas > 0
        if waits {
            // Half of the remaining time, so that an answer with too few replicas still comes in time.
            let patience = max(1, deadline.milliseconds / 2)
            try RedisCommand.append(["WAIT", String(configuration.replicas), String(patience)], to: &commands)
        }
        let replies = try socket.exchange(commands, count: count + (waits ? 3 : 2), until: deadline)
        guard try RedisMemory.accepted(replies[count]).string == memory.mark else { throw .memoryLost }
        let now = try RedisMemory.time(RedisMemory.accepted(replies[count + 1]))
        if waits {
            guard case .number(let reached) = try RedisMemory.accepted(replies[count + 2]) else {
                throw .unreadableAnswer
            }
            if reached < configuration.replicas {
                let count = Int(reached)
                return spends.map { _ in .failure(.notReplicated(count: count)) }
            }
        }
        // When a restart loses nothing, the age of the memory says nothing about a token.
        let skew = Int64(min(max(configuration.issuerClockSkew, 0), 86_400) * 1000)
        let began = configuration.restarts == .forget ? memory.began + skew : .min
        return zip(spends, replies).map { spend, reply in
            do throws(RedisUsesError) {
                return .success(try spend.isGranted(reply, now: now, began: began))
            } catch {
                return .failure(error)
            }
        }
    }
}
#endif
