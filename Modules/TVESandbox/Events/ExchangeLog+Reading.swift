package import TVEModels

extension ExchangeLog {
    /// The recorded exchanges that have an answer, in the order of the answers.
    package var exchanges: [SandboxExchange] {
        state.withLock { $0.shown() }
    }

    /// The recorded exchanges with and without an answer, in the order of their arrival.
    package var all: [SandboxExchange] {
        state.withLock { $0.shown() + $0.exchangesWithoutAnswer }.sorted { $0.id < $1.id }
    }

    /// Returns the exchange with a number; `nil` when it is no longer in the log.
    package func exchange(_ id: Int) -> SandboxExchange? { all.last { $0.id == id } }

    /// The flows seen so far, the newest first.
    package var flows: [FlowIndex.Flow] {
        state.withLock { state in
            state.read()
            return state.flows.flows.reversed()
        }
    }

    /// The number of each application's flow, by the client id.
    package var flowsByClient: [ExactText: Int] {
        state.withLock { state in
            state.read()
            return state.flows.byClient
        }
    }

    /// Returns the id of the device that has sent a request; `nil` when it is not known.
    func device(of request: RecordedRequest) -> String? {
        state.withLock { state in
            state.read()
            return state.flows.device(of: request)
        }
    }

    /// The lines between exchanges, the oldest first.
    package var marks: [Mark] { state.withLock(\.marks) }

    package var revision: Revision { state.withLock(\.revision) }

    /// Returns the current revision, and the sentences about the changes since an earlier one.
    ///
    /// The log holds the last fifty sentences.
    package func news(since old: Revision) -> (revision: Revision, sentences: [String]) {
        state.withLock { ($0.revision, Array($0.sentences.suffix(max(0, $0.revision.changes - old.changes)))) }
    }
}

// MARK: - The list of exchanges

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

    /// Computes the facts of the exchanges that were answered since the last call.
    mutating func read() {
        let count = exchanges.count
        for place in max(0, count - unread)..<count {
            let index = index(place)
            exchanges[index].facts = flows.take(exchanges[index])
        }
        unread = 0
    }

    /// Computes the facts that later exchanges need from the oldest exchange, which is about to be removed.
    ///
    /// Later exchanges need nothing from most exchanges.
    mutating func readOldest() {
        let oldest = exchanges[first]
        if FlowIndex.links(oldest.facts.step) { _ = flows.take(oldest) }
        unread -= 1
    }

    /// Moves the oldest exchange of the ring to the beginning of the list.
    mutating func makeLinear() {
        guard first > 0 else { return }
        exchanges = Array(exchanges[first...] + exchanges[..<first])
        first = 0
    }

    /// Removes the oldest exchanges until a quarter of the space is free, so that the next removal comes later.
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
    /// The number of bytes of the request's head and of both bodies that are stored.
    ///
    /// The head of an answer is short, unless it repeats a part of the request's.
    var bytes: Int { headBytes + request.body.count + answer.body.count }

    package var target: String { path + (query.isEmpty ? "" : "?\(query)") }
}
