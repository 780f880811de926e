import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// A real Redis Cluster on loopback, which `redis-cli` creates and which ends with the test.
public final class RedisCluster: Sendable {
    private let members: NIOLockedValueBox<[RedisServer]>
    private let arguments: [String]
    /// The time in milliseconds after which a server that does not answer is replaced by its replica, if there is one.
    private let patience: Int

    /// The time in milliseconds that servers have to get to know each other.
    ///
    /// After it a server forgets the other one, and the cluster would never be formed. A busy machine may need more
    /// than the second that Redis leaves them at least.
    private static let introduction = 3_000

    /// Starts servers and forms a cluster of them.
    ///
    /// - Parameters:
    ///   - primaries: the number of primaries, which share the slots. With fewer than three none can be replaced.
    ///   - replicas: the number of replicas of each primary.
    ///   - arguments: further settings of each server.
    public init(primaries: Int = 3, replicas: Int = 0, arguments: [String] = []) throws {
        self.arguments = arguments
        // Without a replica, a shorter time would only let a cluster fail whose server is a moment late.
        patience = replicas > 0 ? 1_000 : Self.introduction
        members = NIOLockedValueBox([])
        for _ in 0..<(primaries * (1 + replicas)) { try start() }
        try introduce {
            if primaries < 3 {
                // redis-cli refuses to create a cluster of so few primaries.
                try meetByHand()
            } else {
                try cli(
                    ["--cluster", "create"] + servers.map { "127.0.0.1:\($0.port)" } + [
                        "--cluster-replicas", String(replicas), "--cluster-yes",
                    ])
            }
        }
    }

    /// Lets servers get to know each other, and waits until they agree.
    private func introduce(_ meet: () throws -> Void) throws {
        func wait(_ milliseconds: Int) throws {
            for server in servers { try server.ask("CONFIG", "SET", "cluster-node-timeout", String(milliseconds)) }
        }
        if patience < Self.introduction { try wait(Self.introduction) }
        try meet()
        try awaitAgreement()
        if patience < Self.introduction { try wait(patience) }
    }

    /// All servers, in the order of their start.
    public var servers: [RedisServer] { members.withLockedValue { $0 } }

    /// Starts a server that belongs to no cluster yet.
    @discardableResult
    private func start() throws -> RedisServer {
        let server = try RedisServer(
            [
                "--cluster-enabled", "yes", "--cluster-port", String(try freePort()), "--cluster-node-timeout",
                String(patience),
                // A failover accepts a replica that lacks data, because the tests are about the missing data.
                "--cluster-replica-validity-factor", "0",
            ] + arguments)
        members.withLockedValue { $0.append(server) }
        return server
    }

    private func meetByHand() throws {
        let all = servers
        let share = 16_384 / all.count
        for (number, server) in all.enumerated() {
            let last = number == all.count - 1 ? 16_383 : (number + 1) * share - 1
            try ask(server, "CLUSTER", "ADDSLOTSRANGE", String(number * share), String(last))
            guard number > 0 else { continue }
            // Each server gets an epoch of its own. Servers with equal epochs would have to resolve the conflict.
            try ask(server, "CLUSTER", "SET-CONFIG-EPOCH", String(number + 1))
            let bus = try ask(all[0], "CONFIG", "GET", "cluster-port").split(separator: "\n").last ?? ""
            try ask(server, "CLUSTER", "MEET", "127.0.0.1", String(all[0].port), String(bus))
        }
    }

    /// Waits until every server that answers knows all others, and all slots are served.
    public func awaitAgreement() throws {
        let all = servers
        let agrees = try waitUntil {
            try all.filter { (try? $0.ask("PING")) == "+PONG" }.allSatisfy { server in
                let state = try ask(server, "CLUSTER", "INFO")
                let role = try ask(server, "INFO", "replication")
                return state.contains("cluster_state:ok") && state.contains("cluster_known_nodes:\(all.count)")
                    && !role.contains("master_link_status:down")
            }
        }
        guard agrees else { throw FixtureError("the servers do not agree on their cluster") }
    }

    /// Adds a primary without slots.
    public func addPrimary() throws -> RedisServer {
        let first = servers[0]
        let server = try start()
        try awaitCheck(first)
        try introduce { try cli(["--cluster", "add-node", "127.0.0.1:\(server.port)", "127.0.0.1:\(first.port)"]) }
        return server
    }

    /// Waits until `redis-cli` finds no mistake in the cluster, because it changes no other.
    ///
    /// A moment after a change, a replica may not know which primary has a slot.
    private func awaitCheck(_ server: RedisServer) throws {
        guard waitUntil({ (try? cli(["--cluster", "check", "127.0.0.1:\(server.port)"])) != nil }) else {
            throw FixtureError("redis-cli finds a mistake in the cluster")
        }
    }

    /// Moves slots with their keys, as an administrator does.
    public func move(_ slots: Int, from: RedisServer, to: RedisServer) throws {
        try awaitCheck(from)
        try cli([
            "--cluster", "reshard", "127.0.0.1:\(from.port)", "--cluster-from", id(of: from), "--cluster-to",
            id(of: to),
            "--cluster-slots", String(slots), "--cluster-yes",
        ])
    }

    /// Returns the id of a server in the cluster.
    public func id(of server: RedisServer) throws -> String { try ask(server, "CLUSTER", "MYID") }

    /// Returns the server that currently claims a slot.
    public func owner(of slot: Int) -> RedisServer? {
        servers.first { server in
            let mine = try? ask(server, "CLUSTER", "NODES").split(separator: "\n").first {
                $0.contains("myself,master")
            }
            return mine?.split(separator: " ").dropFirst(8).contains { range in
                let ends = range.split(separator: "-").compactMap { Int($0) }
                return range.first != "[" && (ends.first ?? .max) <= slot && slot <= (ends.last ?? .min)
            } == true
        }
    }

    /// Sends a command to one server, without following redirections.
    ///
    /// - Returns: the answer as `redis-cli` prints it to a file.
    @discardableResult
    public func ask(_ server: RedisServer, _ words: String...) throws -> String {
        try cli(["-p", String(server.port)] + words)
    }

    @discardableResult
    private func cli(_ arguments: [String]) throws -> String {
        let output = servers[0].folder.appendingPathComponent("cli-\(UInt32.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: output) }
        let places = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/redis-cli" }
        guard let program = places.first(where: FileManager.default.isExecutableFile) else {
            throw FixtureError("redis-cli is not installed (apt-get install redis-tools)")
        }
        let status = try Child(program, arguments, output: output).ended()
        let text = ((try? String(contentsOf: output, encoding: .utf8)) ?? "").replacingOccurrences(of: "\r", with: "")
        guard status == 0 else { throw FixtureError("redis-cli \(arguments): \(text)") }
        return text.trimmingCharacters(in: .newlines)
    }
}
