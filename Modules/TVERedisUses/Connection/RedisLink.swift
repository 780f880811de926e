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
        try checkVersion(socket, deadline)
        try checkMemoryPolicy(socket, deadline)
        let memory = try RedisMemory.find(
            on: socket, key: "\(configuration.prefix):began", restarts: configuration.restarts, until: deadline)
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

    private static func checkVersion(_ socket: RedisSocket, _ deadline: RedisDeadline) throws(RedisUsesError) {
        let facts = try RedisFacts(socket.ask("INFO", "server", until: deadline))
        // Valkey reports its own version in addition to the Redis version it is compatible with.
        let version = facts["redis_version"] ?? "0"
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 2, (numbers[0], numbers[1]) >= (6, 2) else { throw .tooOld(version: version) }
    }

    /// A server that throws keys away when it is full would forget spent tokens.
    ///
    /// Without a limit of its memory it is never full; but the limit can be set at any time.
    private static func checkMemoryPolicy(_ socket: RedisSocket, _ deadline: RedisDeadline) throws(RedisUsesError) {
        let facts = try RedisFacts(socket.ask("INFO", "memory", until: deadline))
        guard let policy = facts["maxmemory_policy"] else { throw .unreadableAnswer }
        guard policy == "noeviction" else { throw .evicts(policy: policy) }
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
        // Behind the tokens: what was forgotten before one of them shows here.
        try RedisCommand.append(["GET", "\(configuration.prefix):began"], to: &commands)
        for question in RedisState.questions { try RedisCommand.append(question, to: &commands) }
        try RedisCommand.append(["TIME"], to: &commands)
        let waits = configuration.replicas > 0
        if waits {
            // Half of the remaining time, so that an answer with too few replicas still comes in time.
            let patience = max(1, deadline.milliseconds / 2)
            try RedisCommand.append(["WAIT", String(configuration.replicas), String(patience)], to: &commands)
        }
        let mark = spends.count
        let clock = mark + 1 + RedisState.questions.count
        let replies = try socket.exchange(commands, count: clock + (waits ? 2 : 1), until: deadline)
        guard try memory.isProved(by: replies[mark], replies[(mark + 1)..<clock]) else { throw .memoryLost }
        let now = try RedisMemory.time(RedisMemory.accepted(replies[clock]))
        if waits {
            guard case .number(let reached) = try RedisMemory.accepted(replies[clock + 1]) else {
                throw .unreadableAnswer
            }
            if reached < configuration.replicas {
                let count = Int(reached)
                return spends.map { _ in .failure(.notReplicated(count: count)) }
            }
        }
        let skew = min(configuration.issuerClockSkew, 86_400)
        return zip(spends, replies).map { spend, reply in
            do throws(RedisUsesError) {
                return .success(
                    try spend.isGranted(reply, now: now, began: memory.beginning, issuerClockSkew: skew))
            } catch {
                return .failure(error)
            }
        }
    }
}
#endif
