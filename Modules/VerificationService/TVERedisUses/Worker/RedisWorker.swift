import Foundation
import NIOConcurrencyHelpers
import TVEModels
import TVETokenVerification

/// A connection to Redis and the thread that serves it.
///
/// The thread takes all waiting calls from a queue, sends them in one write and answers them in order, so a busier
/// worker needs fewer round trips per token. Connecting runs on a thread of its own, because it may take longer than
/// calls, which must be answered in time regardless.
final class RedisWorker: Sendable {
    /// The server at which a worker spends tokens.
    enum Place: Sendable {
        /// The configured server that is the primary at the time.
        case primary
        /// A server of a cluster.
        case node(RedisNode, RedisKeys)
    }

    private let configuration: RedisUsesConfiguration
    private let place: Place
    private let count: RedisConnectionCount
    private let onCluster: @Sendable (RedisTopology) -> Bool
    private let pipe: WakePipe
    private let state = NIOLockedValueBox(State())

    private struct State {
        var queue = RedisQueue()
        var link: RedisLink?
        /// The time of the last answer over the connection.
        var answered = RedisDeadline(nanoseconds: 0)
        /// The parts of the keys of a cluster that the server has.
        ///
        /// Their memories begin before the first token arrives.
        var parts: Set<Int> = []
        var hasNewParts = false
        var isConnecting = false
        var failedAttempts = 0
        var nextAttempt = RedisDeadline(nanoseconds: 0)
        var failure: RedisUsesError?
        /// The reason for which the last connection was given up; `nil` if none was.
        var loss: RedisUsesError?
        /// The error with which calls fail once the worker has ended; `nil` until then.
        var end: RedisUsesError?
    }

    /// Creates a worker and begins to connect.
    ///
    /// - Parameters:
    ///   - configuration: the servers and the rules for using them.
    ///   - place: the server at which the worker spends tokens.
    ///   - count: the count that is notified of each connection that opens or breaks.
    ///   - onCluster: a closure that is called when the configured servers turn out to be a cluster. It returns whether
    ///     this worker can end because others have taken over its work.
    /// - Throws: `.unreachable` when the process has no file descriptor or thread left.
    init(
        _ configuration: RedisUsesConfiguration, place: Place, count: RedisConnectionCount,
        onCluster: @escaping @Sendable (RedisTopology) -> Bool = { _ in false }
    ) throws(RedisUsesError) {
        self.configuration = configuration
        self.place = place
        self.count = count
        self.onCluster = onCluster
        pipe = try WakePipe()
        try configuration.startThread("tve-redis") { self.run() }
    }

    /// A Boolean value that indicates whether tokens can be spent now, as far as is known.
    var isConnected: Bool { state.withLockedValue { $0.link != nil } }

    /// The reason for which the last attempt to connect failed.
    ///
    /// The value is `nil` after a successful attempt, and before the first one has ended.
    var failure: RedisUsesError? { state.withLockedValue { $0.failure } }

    /// The facts about the server from the last round trip; `nil` without a connection.
    var observation: RedisObservation? { state.withLockedValue { $0.link?.observation } }

    /// Accepts a call, which is answered by its deadline.
    func submit(_ call: RedisCall) {
        let refusal: RedisUsesError? = state.withLockedValue { state in
            if let end = state.end { return end }
            // A call does not wait for a server that was unavailable a moment ago. Another thread is connecting.
            if state.link == nil, let failure = state.failure { return failure }
            return state.queue.append(call) ? nil : .overloaded
        }
        if let refusal { call.fail(refusal) } else { pipe.wake() }
    }

    /// Sets the parts of the keys of a cluster that the server has.
    func expect(_ parts: Set<Int>) {
        state.withLockedValue { state in
            state.hasNewParts = state.hasNewParts || !parts.isSubset(of: state.parts)
            state.parts = parts
        }
        pipe.wake()
    }

    /// Ends the thread, and lets waiting calls and later ones fail.
    func close(_ end: RedisUsesError = .closed) {
        state.withLockedValue { $0.end = $0.end ?? end }
        pipe.wake()
    }

    private enum Step {
        case exchange(RedisLink, [RedisCall])
        case prepare(RedisLink, Set<Int>)
        case check(RedisLink)
        case wait(socket: RedisLink?, until: RedisDeadline?)
        case connect
        case stop(link: RedisLink?, calls: [RedisCall], end: RedisUsesError)
    }

    private func run() {
        while true {
            failLate()
            switch nextStep() {
            case .exchange(let link, let calls): exchange(link, calls)
            case .prepare(let link, let parts): prepare(link, parts)
            case .check(let link): check(link)
            case .connect: startConnecting()
            case .wait(let link, let deadline):
                // Redis sends nothing unasked, so a readable socket means the end of the connection.
                if pipe.wait(socket: link?.socket.descriptor, until: deadline) { drop(.disconnected) }
            case .stop(let link, let calls, let end):
                if link != nil { count.closed() }
                for call in calls { call.fail(end) }
                return
            }
        }
    }

    private func nextStep() -> Step {
        state.withLockedValue { state in
            if let end = state.end {
                defer { state.link = nil }
                return .stop(link: state.link, calls: state.queue.takeAll(), end: end)
            }
            if let link = state.link {
                if state.hasNewParts {
                    state.hasNewParts = false
                    return .prepare(link, state.parts)
                }
                guard state.queue.isEmpty else { return .exchange(link, state.queue.takeBatch()) }
                let idleEnd = state.answered.advanced(by: configuration.idleLimit)
                return idleEnd <= .now ? .check(link) : .wait(socket: link, until: idleEnd)
            }
            let earliest = state.queue.firstDeadline
            if state.isConnecting { return .wait(socket: nil, until: earliest) }
            if state.nextAttempt <= .now {
                state.isConnecting = true
                return .connect
            }
            return .wait(socket: nil, until: min(earliest ?? state.nextAttempt, state.nextAttempt))
        }
    }

    private func exchange(_ link: RedisLink, _ calls: [RedisCall]) {
        // The earliest deadline applies to all calls: if its answer is late, all answers after it are late as well.
        let deadline = calls.map(\.deadline).min() ?? .now
        var link = link
        do throws(RedisUsesError) {
            let results = try link.spend(calls.flatMap(\.spends), configuration, until: deadline)
            keep(link)
            report(link)
            var place = 0
            for call in calls {
                call.answer(Array(results[place..<(place + call.spends.count)]))
                place += call.spends.count
            }
            if let refusal = results.lazy.compactMap(Self.otherRole).first { drop(refusal) }
        } catch {
            drop(error)
            for call in calls { call.fail(error) }
        }
    }

    private func prepare(_ link: RedisLink, _ parts: Set<Int>) {
        var link = link
        do throws(RedisUsesError) {
            try link.prepare(parts, configuration, until: RedisDeadline.now.advanced(by: configuration.timeout))
            keep(link)
        } catch {
            drop(error)
        }
    }

    /// Sends a request over a connection that had nothing to do.
    ///
    /// A server whose machine or network fails does not end its connections. Without this request, the first viewer
    /// would notice.
    private func check(_ link: RedisLink) {
        var link = link
        do throws(RedisUsesError) {
            try link.check(until: RedisDeadline.now.advanced(by: configuration.timeout))
            keep(link)
            report(link)
        } catch {
            drop(error)
        }
    }

    /// Stores a link that has just answered, with the changes to its memories.
    ///
    /// Only the thread of this worker changes a stored link.
    private func keep(_ link: RedisLink) {
        state.withLockedValue { state in
            state.link = link
            state.answered = .now
        }
    }

    private func report(_ link: RedisLink) {
        count.found(link.observation.replicas, of: link.address, configured: configuration.replication)
    }

    /// Returns the error of a server that is not the primary, or cannot act as one now; `nil` for any other result.
    private static func otherRole(_ result: Result<MediaTokenUseOutcome, RedisUsesError>) -> RedisUsesError? {
        guard case .refused(let code, _)? = result.failure else { return nil }
        let codes: Set = ["READONLY", "LOADING", "MASTERDOWN", "NOAUTH", "NOPERM", "CLUSTERDOWN"]
        return codes.contains(code) ? result.failure : nil
    }

    private func drop(_ error: RedisUsesError) {
        count.lost(error)
        state.withLockedValue { state in
            state.link = nil
            state.loss = error
            state.nextAttempt = .now
        }
    }

    private func startConnecting() {
        do throws(RedisUsesError) {
            try configuration.startThread("tve-redis-connect") { self.connect() }
        } catch {
            // The system may have a thread for the next attempt.
            finishConnecting(.failure(error))
        }
    }

    private func connect() {
        // Connecting may take longer than a call, because a server that accepts slowly is better than none.
        let seconds = max(1, configuration.timeout * 4)
        let found: Result<RedisLink, RedisUsesError>
        do throws(RedisUsesError) {
            guard let link = try open(within: seconds) else { return close(.slotMoved) }
            found = .success(link)
        } catch {
            found = .failure(error)
        }
        finishConnecting(found)
    }

    /// Takes over the connection of an attempt, or plans the next attempt.
    private func finishConnecting(_ found: Result<RedisLink, RedisUsesError>) {
        // The connection is reported before it is used, because it may break at once.
        if case .success(let link) = found {
            count.connected()
            report(link)
        }
        let (refused, isOver): ([RedisCall], Bool) = state.withLockedValue { state in
            state.isConnecting = false
            guard state.end == nil else { return ([], true) }
            switch found {
            case .success(let link):
                state.link = link
                state.answered = .now
                state.failure = nil
                state.failedAttempts = 0
                return ([], false)
            case .failure(let error):
                state.failure = error
                state.failedAttempts += 1
                let pause = Self.pause(afterFailures: state.failedAttempts)
                state.nextAttempt = RedisDeadline.now.advanced(by: pause * Double.random(in: 0.75...1))
                return (state.queue.takeAll(), false)
            }
        }
        switch found {
        case .success: if isOver { count.closed() }
        case .failure(let error):
            if !isOver { count.failed(error) }
            for call in refused { call.fail(error) }
        }
        pipe.wake()
    }

    /// Returns the number of seconds before the next attempt to connect: 0.05 at first, and twice as many with each
    /// failure, up to 1.
    ///
    /// - Parameter count: the number of attempts that have failed since the last connection, from 1 on.
    static func pause(afterFailures count: Int) -> TimeInterval {
        min(1, 0.05 * Double(1 << min(count - 1, 5)))
    }

    /// Opens a connection that is ready to spend tokens.
    ///
    /// - Returns: the connection; `nil` if the servers are a cluster, to which other workers connect.
    private func open(within seconds: TimeInterval) throws(RedisUsesError) -> RedisLink? {
        switch place {
        case .node(let node, let keys):
            let parts = state.withLockedValue { state in
                state.hasNewParts = false
                return state.parts
            }
            return try .open(node, parts: parts, keys: keys, configuration: configuration, within: seconds)
        case .primary:
            switch try RedisLink.find(among: configuration.servers, configuration, within: seconds) {
            case .link(let link): return link
            case .cluster(let topology):
                guard onCluster(topology) else { throw .unreachable("there is no room for the connections") }
                return nil
            }
        }
    }

    /// Answers the calls whose deadline has passed or is close.
    ///
    /// If such a call were sent, it would time out together with all other calls of its round trip. A call that waited
    /// for the next connection fails with the reason for which the last one was given up.
    private func failLate() {
        let (late, error): ([RedisCall], RedisUsesError) = state.withLockedValue { state in
            let isConnected = state.link != nil
            let now = RedisDeadline.now.advanced(by: isConnected ? configuration.timeout / 5 : 0)
            return (state.queue.takeLate(now), isConnected ? .timedOut : state.loss ?? .timedOut)
        }
        for call in late { call.fail(error) }
    }
}

extension Result {
    /// The error; `nil` for a success.
    fileprivate var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
