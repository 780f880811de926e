package import TVEModels

extension ExchangeLog {
    /// The kept exchanges that have an answer, in the order of the answers.
    package var exchanges: [SandboxExchange] {
        state.withLock { $0.shown() }
    }

    /// The kept exchanges and those without an answer, in the order of their arrival.
    package var all: [SandboxExchange] {
        state.withLock { $0.shown() + $0.exchangesWithoutAnswer }.sorted { $0.id < $1.id }
    }

    /// One exchange by its number; nil when it is not in the log any more.
    package func exchange(_ id: Int) -> SandboxExchange? { all.last { $0.id == id } }

    /// The flows seen so far, newest first.
    package var flows: [FlowIndex.Flow] {
        state.withLock { state in
            state.read()
            return state.flows.flows.reversed()
        }
    }

    /// The number of the flow of each application, by its client id.
    package var flowsByClient: [ExactText: Int] {
        state.withLock { state in
            state.read()
            return state.flows.byClient
        }
    }

    /// The device of a request that has no answer yet.
    func device(of exchange: SandboxExchange) -> String? {
        state.withLock { state in
            state.read()
            return state.flows.device(of: exchange)
        }
    }

    /// The lines between exchanges, the oldest first.
    package var marks: [Mark] { state.withLock(\.marks) }

    package var revision: Revision { state.withLock(\.revision) }

    /// The revision, and the sentences about the changes since another one; the last fifty are kept.
    package func news(since old: Revision) -> (revision: Revision, sentences: [String]) {
        state.withLock { ($0.revision, Array($0.sentences.suffix(max(0, $0.revision.changes - old.changes)))) }
    }
}

// MARK: - Keeping order

extension ExchangeLog.State {
    /// The exchanges with an answer that are not hidden, with their facts.
    mutating func shown() -> [SandboxExchange] {
        read()
        makeLinear()
        let hidden = cleared - (answered - exchanges.count)
        return hidden > 0 ? Array(exchanges.dropFirst(hidden)) : exchanges
    }

    /// The requests without an answer as exchanges, the oldest first.
    var exchangesWithoutAnswer: [SandboxExchange] {
        open.map { arrival in
            var exchange = arrival.exchange
            exchange.facts = flows.facts(ofOpen: exchange)
            return exchange
        }
    }

    /// Computes the facts of the exchanges since the last call.
    mutating func read() {
        let count = exchanges.count
        for place in max(0, count - unread)..<count {
            let index = index(place)
            exchanges[index].facts = flows.take(exchanges[index])
        }
        unread = 0
    }

    /// Computes what later exchanges need of the oldest, which is about to be removed: most of them need nothing.
    mutating func readOldest() {
        let oldest = exchanges[first]
        if FlowIndex.links(oldest.facts.step) { _ = flows.take(oldest) }
        unread -= 1
    }

    mutating func makeLinear() {
        guard first > 0 else { return }
        exchanges = Array(exchanges[first...] + exchanges[..<first])
        first = 0
    }

    /// Removes the oldest quarter, so that the next removal comes later.
    mutating func shrink() {
        read()
        makeLinear()
        while bytes > ExchangeLog.maximumBytes * 3 / 4, let oldest = exchanges.first {
            let dropped = max(1, min(exchanges.count / 8, exchanges.count - 1))
            guard exchanges.count > 1 else {
                bytes = oldest.bytes
                return
            }
            bytes -= exchanges[..<dropped].reduce(0) { $0 + $1.bytes }
            exchanges.removeFirst(dropped)
        }
    }
}

extension SandboxExchange {
    /// The length of both bodies, as far as they are kept.
    var bytes: Int { request.body.count + answer.body.count }

    package var target: String { path + (query.isEmpty ? "" : "?\(query)") }
}
