import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// A thread that polls the servers of a cluster for the assignment of slots.
///
/// The assignment only decides where tokens are sent. Whether a server may spend them is verified with each batch.
final class RedisTopologyPoller: Sendable {
    private let configuration: RedisUsesConfiguration
    private let adopt: @Sendable (RedisTopology) -> Void
    private let pipe: WakePipe
    private let state: NIOLockedValueBox<State>

    private struct State {
        var topology: RedisTopology
        var turn = 0
        var isClosed = false
    }

    /// Creates a poller and starts its thread.
    ///
    /// - Parameters:
    ///   - configuration: the servers and the rules for using them.
    ///   - topology: the assignment that is known now.
    ///   - adopt: a closure that is called on the thread of the poller with each assignment that is read.
    /// - Throws: `.unreachable` when the process has no file descriptor or thread left.
    init(
        _ configuration: RedisUsesConfiguration, _ topology: RedisTopology,
        adopt: @escaping @Sendable (RedisTopology) -> Void
    ) throws(RedisUsesError) {
        self.configuration = configuration
        self.adopt = adopt
        pipe = try WakePipe()
        state = NIOLockedValueBox(State(topology: topology))
        try configuration.startThread("tve-redis-topology") { self.run() }
    }

    /// Reads the assignment now instead of at the next interval.
    func poll() { pipe.wake() }

    /// Ends the thread.
    func close() {
        state.withLockedValue { $0.isClosed = true }
        pipe.wake()
    }

    private func run() {
        while true {
            _ = pipe.wait(socket: nil, until: RedisDeadline.now.advanced(by: configuration.slotsInterval))
            guard !state.withLockedValue({ $0.isClosed }) else { return }
            if let found = find() {
                state.withLockedValue { $0.topology = found }
                adopt(found)
            }
            // All calls that wait for a slot request a reading. The pause lets them share one.
            usleep(20_000)
        }
    }

    /// Returns the assignment that replaces the known one, or `nil` if no server reports a usable one.
    ///
    /// Each call begins with another server, because a single one may be cut off from the others. An assignment that is
    /// older than the known one is used if the server that reported the known one was removed from the cluster, or if
    /// no server reports another one.
    private func find() -> RedisTopology? {
        let (known, turn) = state.withLockedValue { state in
            state.turn += 1
            return (state.topology, state.turn)
        }
        let patience = max(0.2, configuration.timeout)
        var older: RedisTopology?
        for step in known.nodes.indices {
            let node = known.nodes[(turn + step) % known.nodes.count]
            // An answer of the DNS that comes later is used by the next reading.
            guard let place = try? configuration.names.number(of: node.address, within: patience) else { continue }
            let deadline = RedisDeadline.now.advanced(by: patience)
            guard let socket = try? RedisSocket.open(node.address, at: place, configuration, until: deadline),
                let view = try? RedisTopology(of: socket, node.address, configuration, until: deadline)
            else { continue }
            // The server may have been removed, or its address may now belong to another cluster.
            guard view.hasSlots, known.knows(view.source) else { continue }
            // A server that was removed still has its epoch, which may be the highest.
            if view.epoch >= known.epoch || !view.knows(known.source) { return view }
            if view.epoch > older?.epoch ?? -1 { older = view }
        }
        if let older { return older }
        // No known server can be used. Another cluster may have taken their place.
        guard
            case .cluster(let found)? = try? RedisLink.find(
                among: configuration.servers, configuration,
                within: patience * Double(configuration.servers.count))
        else { return nil }
        return found
    }
}
