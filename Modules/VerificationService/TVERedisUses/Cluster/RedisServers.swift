import NIOConcurrencyHelpers
import TVEModels

/// The primaries that remember tokens, each with its connections.
///
/// There is one primary, or there are those of a cluster.
final class RedisServers: Sendable {
    private let configuration: RedisUsesConfiguration
    private let keys: RedisKeys
    private let count: RedisConnectionCount
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The connections to the primary among the configured servers; empty once these are known to be a cluster.
        var single: [RedisWorker] = []
        /// The primary of each part of the keys; empty until the servers are known to be a cluster.
        var primaries: [RedisNode?] = []
        var shards: [RedisNode: [RedisWorker]] = [:]
        var poller: RedisTopologyPoller?
        var turn = 0
        var isClosed = false

        var workers: [RedisWorker] { single + shards.values.joined() }
    }

    /// Creates the connections and begins to connect.
    ///
    /// - Throws: `.unreachable` when the process has no file descriptor or thread left.
    init(_ configuration: RedisUsesConfiguration, count: RedisConnectionCount) throws(RedisUsesError) {
        self.configuration = configuration
        self.count = count
        keys = RedisKeys(prefix: configuration.prefix, isCluster: true)
        let workers: [RedisWorker]
        do throws(RedisUsesError) {
            workers = try connections { () throws(RedisUsesError) in
                try RedisWorker(configuration, place: .primary, count: count) { [weak self] in
                    self?.adopt($0) ?? true
                }
            }
        } catch {
            // The first worker may have found a cluster already, whose workers and poller nobody else would end.
            close()
            throw error
        }
        let areNeeded = state.withLockedValue { state in
            guard state.poller == nil else { return false }
            state.single = workers
            return true
        }
        // If a worker has already found a cluster, it did not know the others, which would connect for as long as the
        // process runs.
        if !areNeeded { for worker in workers { worker.close(.slotMoved) } }
    }

    /// Opens as many connections as are configured, or none.
    ///
    /// - Parameter open: a closure that opens one connection.
    /// - Throws: the error of `open`, after which the connections before it are closed.
    func connections(
        _ open: () throws(RedisUsesError) -> RedisWorker
    ) throws(RedisUsesError) -> [RedisWorker] {
        var workers: [RedisWorker] = []
        do throws(RedisUsesError) {
            for _ in 0..<min(max(1, configuration.connections), 64) { workers.append(try open()) }
        } catch {
            // The thread of a connection would otherwise try to connect for as long as the process runs.
            for worker in workers { worker.close() }
            throw error
        }
        return workers
    }

    private func connections(to node: RedisNode) -> [RedisWorker] {
        let count = RedisConnectionCount(of: node.address, in: count)
        let workers = try? connections { () throws(RedisUsesError) in
            try RedisWorker(configuration, place: .node(node, keys), count: count)
        }
        return workers ?? []
    }

    /// A Boolean value that indicates whether a token could be spent now, as far as is known.
    var isConnected: Bool { state.withLockedValue { $0.workers }.contains(where: \.isConnected) }

    /// A Boolean value that indicates whether the servers are known to be a cluster.
    var isCluster: Bool { state.withLockedValue { !$0.primaries.isEmpty } }

    /// The share of tokens, from 0 to 1, that could not be spent now, as far as is known.
    var unavailableShare: Double {
        state.withLockedValue { state in
            guard !state.primaries.isEmpty else { return state.single.contains(where: \.isConnected) ? 0 : 1 }
            let connected = Set(state.shards.filter { $0.value.contains(where: \.isConnected) }.keys)
            let missing = state.primaries.count { node in node.map { !connected.contains($0) } ?? true }
            return Double(missing) / Double(state.primaries.count)
        }
    }

    /// The reason for which an attempt to connect failed last; `nil` if no connection has failed.
    var failure: RedisUsesError? { state.withLockedValue { $0.workers }.lazy.compactMap(\.failure).first }

    /// The facts about each connected primary from its last round trip.
    var observations: [RedisObservation] { state.withLockedValue { $0.workers }.compactMap(\.observation) }

    /// Assigns each token to a connection, in turn among those to the primary of the token.
    ///
    /// - Returns: the connections, each with the indices of its tokens. The connection is `nil` for tokens that no
    ///   server can spend.
    func route(_ spends: [RedisSpend]) -> [(worker: RedisWorker?, places: [Int])] {
        state.withLockedValue { state in
            state.turn &+= 1
            guard !state.primaries.isEmpty else {
                return [(Self.next(of: state.single, state.turn), Array(spends.indices))]
            }
            var places: [RedisNode?: [Int]] = [:]
            for (place, spend) in spends.enumerated() {
                places[state.primaries[keys.part(of: spend)], default: []].append(place)
            }
            return places.map { node, places in
                (node.flatMap { state.shards[$0] }.flatMap { Self.next(of: $0, state.turn) }, places)
            }
        }
    }

    /// Returns the next connected worker in turn, or the next worker if none is connected.
    private static func next(of workers: [RedisWorker], _ turn: Int) -> RedisWorker? {
        guard !workers.isEmpty else { return nil }
        let first = Int(UInt(bitPattern: turn) % UInt(workers.count))
        let inTurn = workers[first...] + workers[..<first]
        return inTurn.first(where: \.isConnected) ?? inTurn.first
    }

    /// Requests a new reading of the assignment of slots.
    func refresh() { state.withLockedValue { $0.poller }?.poll() }

    /// Ends all connections and their threads.
    func close() {
        let (workers, poller) = state.withLockedValue { state in
            state.isClosed = true
            return (state.workers, state.poller)
        }
        poller?.close()
        for worker in workers { worker.close() }
    }

    /// Connects to the primaries of a cluster, and disconnects from servers that no longer have slots.
    ///
    /// - Returns: `true` if the cluster is observed from now on.
    private func adopt(_ topology: RedisTopology) -> Bool {
        let (left, isWatched): ([RedisWorker], Bool) = state.withLockedValue { state in
            guard !state.isClosed else { return ([], true) }
            if state.poller == nil {
                state.poller = try? RedisTopologyPoller(configuration, topology) { [weak self] in _ = self?.adopt($0) }
            }
            guard state.poller != nil else { return ([], false) }
            var left = state.single
            state.single = []
            state.primaries = keys.slots.map(topology.primary)
            var parts: [RedisNode: Set<Int>] = [:]
            for (part, node) in state.primaries.enumerated() {
                if let node { parts[node, default: []].insert(part) }
            }
            for (node, workers) in state.shards where parts[node] == nil {
                left += workers
                state.shards[node] = nil
            }
            for (node, parts) in parts {
                // Without file descriptors there are no connections now. The next reading tries again.
                let workers = state.shards[node] ?? connections(to: node)
                state.shards[node] = workers.isEmpty ? nil : workers
                for worker in workers { worker.expect(parts) }
            }
            return (left, true)
        }
        // With this error, waiting calls are sent again to another server.
        for worker in left { worker.close(.slotMoved) }
        return isWatched
    }
}
