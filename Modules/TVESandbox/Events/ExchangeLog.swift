package import Foundation
import TVEModels

/// The last exchanges, those in flight, and the listeners for new ones.
///
/// An exchange arrives, is answered and is sent; each takes only a lock and a place in a list. Its facts are computed when
/// it is read.
package final class ExchangeLog: Sendable {
    /// Most exchanges in the log, and most bytes of all their bodies.
    package static let maximumCount = 5_000
    static let maximumBytes = 64 << 20
    /// Most listeners; each has its own queue.
    static let maximumListeners = 64

    /// The place of a request in the log.
    package struct Ticket: Sendable {
        package let id: Int
        let timer: ExchangeTimer
        /// The number of its answer, counted from 1.
        fileprivate(set) var answer = 0
    }

    /// A change of the log since it was read: its number grows with everything that a list of exchanges shows.
    package struct Revision: Sendable, Equatable {
        package var exchanges = 0
        package var changes = 0
    }

    /// A line between exchanges: after this number of arrivals something happened that is no exchange.
    package struct Mark: Sendable, Codable {
        package let after: Int
        package let text: String
        package let date: Date
    }

    /// A request without an answer; most are answered before anyone reads them.
    struct Arrival {
        let id: Int
        let timer: ExchangeTimer
        let head: RequestHead
        let body: Data
        let step: ServiceStep?

        var exchange: SandboxExchange { SandboxExchange(id: id, timer, head, body, reply: nil, step: step) }
    }

    struct State {
        /// A ring when it is full: the oldest is at `first`.
        var exchanges: [SandboxExchange] = []
        var first = 0
        var bytes = 0
        var arrived = 0
        var answered = 0
        /// How many of the answers are hidden, and how many were before the last ``ExchangeLog/clear()``.
        var cleared = 0
        var clearedBefore = 0
        /// Requests without an answer: a few, the oldest first.
        var open: [Arrival] = []
        /// How many of the newest have no facts yet.
        var unread = 0
        var flows = FlowIndex()
        var revision = Revision()
        /// The last sentences about changes, the newest last.
        var sentences: [String] = []
        var marks: [Mark] = []
        /// False while nobody listens, so that nobody needs to be told.
        var isHeard = false

        func index(_ place: Int) -> Int { (first + place) % exchanges.count }

        /// The place in the list of an answer by its number; nil when it is not in the log any more.
        func index(ofAnswer number: Int) -> Int? {
            let place = number - 1 - (answered - exchanges.count)
            return number > 0 && exchanges.indices.contains(place) ? index(place) : nil
        }
    }

    let state = Guarded(State())
    private let events = Broadcast<SandboxEvent>()
    private let signals = Broadcast<Void>()
    /// False only to measure the cost of the log.
    private let keeps: Bool

    init(keeps: Bool = true) {
        self.keeps = keeps
    }

    // MARK: - An exchange

    /// Takes a request with the next number.
    func arrive(_ timer: ExchangeTimer, _ head: RequestHead, _ body: Data, _ step: ServiceStep? = nil) -> Ticket? {
        guard keeps else { return nil }
        return state.withLock { state in
            state.arrived += 1
            state.open.append(Arrival(id: state.arrived, timer: timer, head: head, body: body, step: step))
            tell(&state) { state in state.exchangesWithoutAnswer.last.map { .arrived($0) } }
            return Ticket(id: state.arrived, timer: timer)
        }
    }

    /// Adds the answer of a request, which is about to be sent.
    func answer(_ ticket: Ticket?, _ make: (_ id: Int) -> SandboxExchange) -> Ticket? {
        guard var ticket else { return nil }
        return state.withLock { state in
            if let place = state.open.lastIndex(where: { $0.id == ticket.id }) { state.open.remove(at: place) }
            let exchange = make(ticket.id)
            state.answered += 1
            ticket.answer = state.answered
            state.bytes += exchange.bytes
            if state.exchanges.count < Self.maximumCount {
                state.makeLinear()
                state.exchanges.append(exchange)
            } else {
                if state.unread >= state.exchanges.count { state.readOldest() }
                state.bytes -= state.exchanges[state.first].bytes
                state.exchanges[state.first] = exchange
                state.first = (state.first + 1) % state.exchanges.count
            }
            state.unread += 1
            if state.bytes > Self.maximumBytes { state.shrink() }
            tell(&state) { _ in nil }
            return ticket
        }
    }

    /// Ends an exchange: its answer was sent, or its client has gone.
    func sent(_ ticket: Ticket?) {
        guard let ticket else { return }
        let milliseconds = ticket.timer.milliseconds
        state.withLock { state in
            guard let index = state.index(ofAnswer: ticket.answer) else { return }
            state.exchanges[index].milliseconds = milliseconds
            state.exchanges[index].isSent = true
            tell(&state) { state in
                state.read()
                return state.index(ofAnswer: ticket.answer).map { .exchange(state.exchanges[$0]) }
            }
        }
    }

    /// Counts a change of the list, and tells the listeners.
    ///
    /// Under the lock, so that they get the events in their order. The end of a stream never waits for it.
    private func tell(_ state: inout State, _ event: (inout State) -> SandboxEvent?) {
        state.revision.exchanges += 1
        guard state.isHeard else { return }
        let hasListeners = events.hasListeners
        state.isHeard = hasListeners || signals.hasListeners
        if hasListeners, let event = event(&state) { events.send(event) }
        signals.send(())
    }

    // MARK: - What is no exchange

    package func note(_ sentence: String) {
        state.withLock { state in
            state.revision.changes += 1
            state.sentences = state.sentences.suffix(49) + [sentence]
        }
        events.send(.change(sentence))
        signals.send(())
    }

    /// Draws a line after the newest exchange, and notes it.
    package func mark(_ sentence: String, at date: Date) {
        state.withLock { state in
            state.marks = state.marks.suffix(199) + [Mark(after: state.arrived, text: sentence, date: date)]
            state.revision.exchanges += 1
        }
        note(sentence)
    }

    /// Hides all exchanges until now; numbers continue, and flows stay known.
    package func clear() {
        state.withLock { state in
            if state.answered > state.cleared { state.clearedBefore = state.cleared }
            state.cleared = state.answered
            state.revision.exchanges += 1
        }
    }

    /// Shows again what the last ``clear()`` has hidden, as far as it is still stored.
    package func restore() {
        state.withLock { state in
            state.cleared = state.clearedBefore
            state.revision.exchanges += 1
        }
    }

    // MARK: - Listeners

    /// Events from now on; the newest 5,000 wait for a slow listener.
    ///
    /// - Returns: nil when there are already too many listeners.
    package func listen() -> AsyncStream<SandboxEvent>? {
        state.withLock { state in
            state.read()
            state.isHeard = true
            return events.stream(waiting: Self.maximumCount, limit: Self.maximumListeners)
        }
    }

    /// An element when there is something new since the last one; nil when there are already too many listeners.
    package func watch() -> AsyncStream<Void>? {
        state.withLock { state in
            state.isHeard = true
            return signals.stream(waiting: 1, limit: Self.maximumListeners)
        }
    }

    /// Tells about answers that are still being sent, and ends all streams.
    func finish() {
        state.withLock { state in
            guard state.isHeard, events.hasListeners else { return }
            state.read()
            state.makeLinear()
            for exchange in state.exchanges where !exchange.isSent { events.send(.exchange(exchange)) }
        }
        events.finish()
        signals.finish()
    }
}
