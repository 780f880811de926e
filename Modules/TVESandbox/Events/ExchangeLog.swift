package import Foundation
import TVEModels

/// The record of the last exchanges and of those in flight, with the listeners for new ones.
///
/// An exchange arrives, is answered, and is sent. Each of these events takes only a lock and a place in a list. The
/// facts of an exchange are computed when somebody reads it.
package final class ExchangeLog: Sendable {
    /// The largest number of exchanges in the log, and the largest number of bytes of all their bodies and of the heads
    /// of their requests.
    package static let maximumCount = 5_000
    static let maximumBytes = 64 << 20
    /// The largest number of listeners, each of which has its own queue.
    static let maximumListeners = 64

    /// The place of a request in the log.
    package struct Ticket: Sendable {
        package let id: Int
        let timer: ExchangeTimer
        /// The number of the answer, counted from 1; 0 before the answer.
        fileprivate(set) var answer = 0
    }

    /// A version of the log, whose numbers grow with everything that a list of exchanges or of changes shows.
    package struct Revision: Sendable, Equatable {
        package var exchanges = 0
        package var changes = 0
    }

    /// A line between two exchanges that records another event, such as a restart.
    package struct Mark: Sendable, Codable {
        /// The number of exchanges that had arrived before.
        package let after: Int
        package let text: String
        package let date: Date
    }

    /// A request without an answer.
    ///
    /// Most are answered before anyone reads them.
    struct Arrival {
        let id: Int
        let timer: ExchangeTimer
        let head: RequestHead
        let body: RequestBody
        let step: ServiceStep?

        var exchange: SandboxExchange {
            SandboxExchange(
                id: id, head, body: body.stored, length: body.length, timer: timer, reply: nil, step: step)
        }
    }

    struct State {
        /// The exchanges with an answer.
        ///
        /// When the list is full it is a ring, whose oldest element is at `first`.
        var exchanges: [SandboxExchange] = []
        var first = 0
        var bytes = 0
        var arrived = 0
        var answered = 0
        /// The number of answers that are hidden, and the number that were hidden before the last
        /// ``ExchangeLog/clear()``.
        var cleared = 0
        var clearedBefore = 0
        /// The requests without an answer, of which there are few, the oldest first.
        var open: [Arrival] = []
        /// The number of the newest exchanges that have no facts yet.
        var unread = 0
        var flows = FlowIndex()
        var revision = Revision()
        /// The sentences about the last changes, the newest last.
        var sentences: [String] = []
        var marks: [Mark] = []
        /// A Boolean value that indicates whether there may be listeners; `false` avoids a search for them.
        var isHeard = false

        func index(_ place: Int) -> Int { (first + place) % exchanges.count }

        /// Returns the index of the exchange with the number of its answer; `nil` when it is no longer in the log.
        func index(ofAnswer number: Int) -> Int? {
            let place = number - 1 - (answered - exchanges.count)
            return number > 0 && exchanges.indices.contains(place) ? index(place) : nil
        }
    }

    let state = Guarded(State())
    private let events = Broadcast<SandboxEvent>()
    private let signals = Broadcast<Void>()
    /// A Boolean value that indicates whether the log records exchanges; `false` only to measure its cost.
    private let keeps: Bool

    init(keeps: Bool = true) {
        self.keeps = keeps
    }

    // MARK: - Recording exchanges

    /// Records a request under the next number.
    ///
    /// - Returns: the place of the exchange in the log; `nil` when the log records nothing.
    func arrive(_ head: RequestHead, body: RequestBody, timer: ExchangeTimer, step: ServiceStep? = nil) -> Ticket? {
        guard keeps else { return nil }
        return state.withLock { state in
            state.arrived += 1
            state.open.append(Arrival(id: state.arrived, timer: timer, head: head, body: body, step: step))
            tell(&state) { state in state.exchangesWithoutAnswer.last.map { .arrived($0) } }
            return Ticket(id: state.arrived, timer: timer)
        }
    }

    /// Records the answer to a request before the answer is sent.
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

    /// Ends an exchange whose answer was sent or whose client has gone.
    ///
    /// - Parameters:
    ///   - ticket: the place of the exchange in the log.
    ///   - wasAbandoned: a Boolean value that indicates whether the client had closed its side of the connection, or
    ///     the sandbox had stopped, before the client had the whole answer.
    func sent(_ ticket: Ticket?, wasAbandoned: Bool = false) {
        guard let ticket else { return }
        let milliseconds = ticket.timer.milliseconds
        state.withLock { state in
            guard let index = state.index(ofAnswer: ticket.answer) else { return }
            state.exchanges[index].milliseconds = milliseconds
            state.exchanges[index].isSent = true
            state.exchanges[index].wasAbandoned = wasAbandoned
            state.exchanges[index].lastArrival = state.arrived
            tell(&state) { state in
                state.read()
                return state.index(ofAnswer: ticket.answer).map { .exchange(state.exchanges[$0]) }
            }
        }
    }

    /// Counts a change of the list, and notifies the listeners.
    ///
    /// The caller holds the lock, so that the listeners receive the events in their order. The end of a stream never
    /// waits for this lock.
    private func tell(_ state: inout State, _ event: (inout State) -> SandboxEvent?) {
        state.revision.exchanges += 1
        guard state.isHeard else { return }
        let hasListeners = events.hasListeners
        state.isHeard = hasListeners || signals.hasListeners
        if hasListeners, let event = event(&state) { events.send(event) }
        signals.send(())
    }

    // MARK: - Changes and lines

    /// Records a change with one sentence about it, and notifies the listeners.
    package func note(_ sentence: String) {
        state.withLock { state in
            state.revision.changes += 1
            state.sentences = state.sentences.suffix(49) + [sentence]
        }
        events.send(.change(sentence))
        signals.send(())
    }

    /// Draws a line after the newest exchange, and records the change.
    package func mark(_ sentence: String, at date: Date) {
        state.withLock { state in
            state.marks = state.marks.suffix(199) + [Mark(after: state.arrived, text: sentence, date: date)]
            state.revision.exchanges += 1
        }
        note(sentence)
    }

    /// Hides all exchanges so far.
    ///
    /// The numbers continue, and the flows remain.
    package func clear() {
        state.withLock { state in
            if state.answered > state.cleared { state.clearedBefore = state.cleared }
            state.cleared = state.answered
            state.revision.exchanges += 1
        }
    }

    /// Shows the exchanges again that the last ``clear()`` has hidden, as far as they are still stored.
    package func restore() {
        state.withLock { state in
            state.cleared = state.clearedBefore
            state.revision.exchanges += 1
        }
    }

    // MARK: - Listeners

    /// Returns a stream of the events from now on, whose queue holds the newest 5,000 events for a slow listener.
    ///
    /// - Returns: the stream; `nil` when there are already too many listeners.
    package func listen() -> AsyncStream<SandboxEvent>? {
        state.withLock { state in
            state.read()
            state.isHeard = true
            return events.stream(waiting: Self.maximumCount, limit: Self.maximumListeners)
        }
    }

    /// Returns a stream with an element whenever there is something new since the last element.
    ///
    /// - Returns: the stream; `nil` when there are already too many listeners.
    package func watch() -> AsyncStream<Void>? {
        state.withLock { state in
            state.isHeard = true
            return signals.stream(waiting: 1, limit: Self.maximumListeners)
        }
    }

    /// Reports the exchanges whose answers are still being sent, and ends all streams.
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
