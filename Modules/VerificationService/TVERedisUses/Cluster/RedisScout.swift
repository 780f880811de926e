import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// Asks the servers of a cluster again and again which of them has which slots.
///
/// What it finds only decides where tokens are sent. The server that gets them proves that it may spend them.
final class RedisScout: Sendable {
    private let configuration: RedisUsesConfiguration
    private let adopt: @Sendable (RedisTopology) -> Void
    private let pipe: WakePipe
    private let state: NIOLockedValueBox<State>

    private struct State {
        var topology: RedisTopology
        var turn = 0
        var isClosed = false
    }

    /// Begins, with what is known.
    ///
    /// - Throws: `.unreachable` when the process has no descriptor left.
    init(
        _ configuration: RedisUsesConfiguration, _ topology: RedisTopology,
        adopt: @escaping @Sendable (RedisTopology) -> Void
    ) throws(RedisUsesError) {
        self.configuration = configuration
        self.adopt = adopt
        pipe = try WakePipe()
        state = NIOLockedValueBox(State(topology: topology))
        RedisThread.start("tve-redis-scout") { self.run() }
    }

    /// Looks now, and not only when it is time.
    func look() { pipe.wake() }

    /// Ends the thread.
    func close() {
        state.withLockedValue { $0.isClosed = true }
        pipe.wake()
    }

    private func run() {
        while true {
            // A failover takes longer than that.
            _ = pipe.wait(socket: nil, until: RedisDeadline.now.advanced(by: 1))
            guard !state.withLockedValue({ $0.isClosed }) else { return }
            if let found = find() {
                state.withLockedValue { $0.topology = found }
                adopt(found)
            }
            // All calls that wait for a slot ask for a look, and share one.
            usleep(20_000)
        }
    }

    /// Asks the known servers in turn, another one first each time: one alone may be cut off from the others.
    private func find() -> RedisTopology? {
        let (known, turn) = state.withLockedValue { state in
            state.turn += 1
            return (state.topology, state.turn)
        }
        let patience = max(0.2, configuration.timeout)
        for step in known.nodes.indices {
            let node = known.nodes[(turn + step) % known.nodes.count]
            let deadline = RedisDeadline.now.advanced(by: patience)
            guard let socket = try? RedisSocket.open(node.address, configuration, until: deadline),
                let view = try? RedisTopology(of: socket, node.address, configuration, until: deadline)
            else { continue }
            // Not a server that was removed, nor one of another cluster with the same address.
            if view.hasSlots, known.knows(view.source) { return view }
        }
        // All of them are gone: perhaps another cluster took their place.
        let deadline = RedisDeadline.now.advanced(by: patience * Double(configuration.servers.count))
        guard
            case .cluster(let found)? = try? RedisLink.find(
                among: configuration.servers, configuration, until: deadline)
        else { return nil }
        return found
    }
}
