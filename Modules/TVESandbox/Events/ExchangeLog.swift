import Foundation
package import TVEModels

/// The last exchanges, and the listeners for new ones.
///
/// Adding an exchange takes only a lock and a place in a list. Its facts are computed when it is read.
package final class ExchangeLog: Sendable {
    /// Most exchanges in the log, and most bytes of all their bodies.
    package static let maximumCount = 5_000
    static let maximumBytes = 64 << 20
    /// Most listeners; each has its own queue.
    static let maximumListeners = 64

    private struct State {
        /// A ring when it is full: the oldest is at `first`.
        package var exchanges: [SandboxExchange] = []
        var first = 0
        var bytes = 0
        var count = 0
        /// How many of the newest have no facts yet.
        var unread = 0
        var flows = FlowIndex()

        func index(_ place: Int) -> Int { (first + place) % exchanges.count }
    }

    private let state = Guarded(State())
    private let events = Broadcast<SandboxEvent>()
    /// False only to measure the cost of the log.
    private let keeps: Bool

    init(keeps: Bool = true) {
        self.keeps = keeps
    }

    /// Adds an exchange with the next number.
    func add(_ make: (_ id: Int) -> SandboxExchange) {
        guard keeps else { return }
        state.withLock { state in
            state.count += 1
            let exchange = make(state.count)
            state.bytes += exchange.bytes
            if state.exchanges.count < Self.maximumCount {
                if state.first > 0 { Self.makeLinear(&state) }
                state.exchanges.append(exchange)
            } else {
                if state.unread >= state.exchanges.count { Self.readOldest(&state) }
                state.bytes -= state.exchanges[state.first].bytes
                state.exchanges[state.first] = exchange
                state.first = (state.first + 1) % state.exchanges.count
            }
            state.unread += 1
            if state.bytes > Self.maximumBytes { Self.shrink(&state) }
            guard events.hasListeners else { return }
            Self.read(&state)
            // Under the lock, so that listeners get the exchanges in their order. The end of a stream never waits for it.
            events.send(.exchange(state.exchanges[state.index(state.exchanges.count - 1)]))
        }
    }

    package func note(_ sentence: String) { events.send(.change(sentence)) }

    /// The kept exchanges, oldest first.
    package var exchanges: [SandboxExchange] {
        state.withLock { state in
            Self.read(&state)
            Self.makeLinear(&state)
            return state.exchanges
        }
    }

    /// One exchange by its number; nil when it is not in the log any more.
    package func exchange(_ id: Int) -> SandboxExchange? { exchanges.first { $0.id == id } }

    /// The flows seen so far, newest first.
    package var flows: [FlowIndex.Flow] {
        state.withLock { state in
            Self.read(&state)
            return state.flows.flows.reversed()
        }
    }

    /// The number of the flow of each application, by its client id.
    package var flowsByClient: [ExactText: Int] {
        state.withLock { state in
            Self.read(&state)
            return state.flows.byClient
        }
    }

    /// The device of a request that has no answer yet.
    func device(of exchange: SandboxExchange) -> String? {
        state.withLock { state in
            Self.read(&state)
            return state.flows.device(of: exchange)
        }
    }

    /// Forgets all exchanges; numbers continue, and flows stay known.
    package func clear() {
        state.withLock { state in
            Self.read(&state)
            state.exchanges = []
            (state.first, state.bytes) = (0, 0)
        }
    }

    /// Events from now on; the newest 5,000 wait for a slow listener.
    ///
    /// - Returns: nil when there are already too many listeners.
    package func listen() -> AsyncStream<SandboxEvent>? {
        state.withLock { state in
            Self.read(&state)
            return events.stream(waiting: Self.maximumCount, limit: Self.maximumListeners)
        }
    }

    func finish() { events.finish() }

    // MARK: - Keeping order

    /// Computes the facts of the exchanges since the last call.
    private static func read(_ state: inout State) {
        let count = state.exchanges.count
        for place in max(0, count - state.unread)..<count {
            let index = state.index(place)
            state.exchanges[index].facts = state.flows.take(state.exchanges[index])
        }
        state.unread = 0
    }

    /// Computes what later exchanges need of the oldest, which is about to be removed: most of them need nothing.
    private static func readOldest(_ state: inout State) {
        let oldest = state.exchanges[state.first]
        if FlowIndex.links(oldest.facts.step) { _ = state.flows.take(oldest) }
        state.unread -= 1
    }

    private static func makeLinear(_ state: inout State) {
        guard state.first > 0 else { return }
        state.exchanges = Array(state.exchanges[state.first...] + state.exchanges[..<state.first])
        state.first = 0
    }

    /// Removes the oldest quarter, so that the next removal comes later.
    private static func shrink(_ state: inout State) {
        read(&state)
        makeLinear(&state)
        while state.bytes > maximumBytes * 3 / 4, let oldest = state.exchanges.first {
            let dropped = max(1, min(state.exchanges.count / 8, state.exchanges.count - 1))
            guard state.exchanges.count > 1 else {
                state.bytes = oldest.bytes
                return
            }
            state.bytes -= state.exchanges[..<dropped].reduce(0) { $0 + $1.bytes }
            state.exchanges.removeFirst(dropped)
        }
    }
}

extension SandboxExchange {
    fileprivate var bytes: Int { request.body.count + answer.body.count }
}
