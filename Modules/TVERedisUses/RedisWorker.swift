#if VerificationService
import Foundation
import TVEModels

/// One connection and the thread that serves it.
///
/// Calls queue up; the thread takes all that wait, sends them in one write and answers them in their order, so the busier it is, the
/// fewer round trips a token costs. Connecting has a thread of its own, because asking for a host's name has no time limit: a
/// call gets its answer in time whatever that does.
final class RedisWorker: Sendable {
    /// Most tokens in one round trip: more would keep the first one waiting.
    private static let batchLimit = 256
    /// Most tokens that may wait; at a tenth of a millisecond each they would be late anyway.
    private static let queueLimit = 16_384

    private let configuration: RedisUsesConfiguration
    private let pipe: WakePipe
    private let state = Guarded(State())

    private struct State {
        var calls: [RedisCall] = []
        var waiting = 0
        var link: RedisLink?
        var isConnecting = false
        var failedAttempts = 0
        var nextAttempt = RedisDeadline(nanoseconds: 0)
        var failure: RedisUsesError?
        var isClosed = false
    }

    /// Begins to connect.
    ///
    /// - Parameter configuration: which Redis.
    /// - Throws: `.unreachable` when the process has no descriptor left.
    init(_ configuration: RedisUsesConfiguration) throws(RedisUsesError) {
        self.configuration = configuration
        pipe = try WakePipe()
        startThread(named: "tve-redis") { $0.run() }
    }

    /// Whether tokens can be spent now, as far as is known.
    var isConnected: Bool { state.withLock { $0.link != nil } }

    /// Why the last attempt to connect failed; nil while connected, and before the first attempt ended.
    var failure: RedisUsesError? { state.withLock { $0.failure } }

    /// Takes a call on; it is answered by its deadline.
    func submit(_ call: RedisCall) {
        let refusal: RedisUsesError? = state.withLock { state in
            if state.isClosed { return .closed }
            // Nobody waits for a server that was away a moment ago; somebody else is trying to connect.
            if state.link == nil, let failure = state.failure { return failure }
            guard state.waiting + call.spends.count <= Self.queueLimit else { return .overloaded }
            state.calls.append(call)
            state.waiting += call.spends.count
            return nil
        }
        if let refusal { call.fail(refusal) } else { pipe.wake() }
    }

    /// Ends the thread; calls that wait fail.
    func close() {
        state.withLock { $0.isClosed = true }
        pipe.wake()
    }

    private func startThread(named name: String, _ body: @escaping @Sendable (RedisWorker) -> Void) {
        let thread = Thread { [self] in
            // OpenSSL writes without MSG_NOSIGNAL; a peer that is gone must end a connection, not the process.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            body(self)
        }
        thread.name = name
        thread.stackSize = 512 << 10
        thread.start()
    }

    private enum Step {
        case exchange(RedisLink, [RedisCall])
        case wait(socket: RedisLink?, until: RedisDeadline?)
        case connect
        case stop([RedisCall])
    }

    private func run() {
        while true {
            failLate()
            switch nextStep() {
            case .exchange(let link, let calls): exchange(link, calls)
            case .connect: startThread(named: "tve-redis-connect") { $0.connect() }
            case .wait(let link, let deadline):
                // Redis says nothing unasked: what can be read now is the end of the connection.
                if pipe.wait(socket: link?.socket.descriptor, until: deadline) { drop() }
            case .stop(let calls):
                for call in calls { call.fail(.closed) }
                return
            }
        }
    }

    private func nextStep() -> Step {
        state.withLock { state in
            if state.isClosed {
                defer { state.calls = [] }
                state.link = nil
                return .stop(state.calls)
            }
            if let link = state.link {
                guard !state.calls.isEmpty else { return .wait(socket: link, until: nil) }
                var count = 0
                var taken = 0
                for call in state.calls {
                    guard taken == 0 || count + call.spends.count <= Self.batchLimit else { break }
                    count += call.spends.count
                    taken += 1
                }
                let batch = Array(state.calls.prefix(taken))
                state.calls.removeFirst(taken)
                state.waiting -= count
                return .exchange(link, batch)
            }
            let earliest = state.calls.map(\.deadline).min()
            if state.isConnecting { return .wait(socket: nil, until: earliest) }
            if state.nextAttempt <= .now {
                state.isConnecting = true
                return .connect
            }
            return .wait(socket: nil, until: min(earliest ?? state.nextAttempt, state.nextAttempt))
        }
    }

    private func exchange(_ link: RedisLink, _ calls: [RedisCall]) {
        // The call that waits longest decides: an answer is late for all behind it as well.
        let deadline = calls.map(\.deadline).min() ?? .now
        do throws(RedisUsesError) {
            let results = try link.spend(calls.flatMap(\.spends), configuration, until: deadline)
            var place = 0
            for call in calls {
                call.answer(Array(results[place..<(place + call.spends.count)]))
                place += call.spends.count
            }
            if results.contains(where: Self.tellsOfAnotherRole) { drop() }
        } catch {
            drop()
            for call in calls { call.fail(error) }
        }
    }

    /// Whether a refusal says that this server is not, or not now, the one to ask.
    private static func tellsOfAnotherRole(_ result: Result<Bool, RedisUsesError>) -> Bool {
        guard case .failure(.refused(let code)) = result else { return false }
        return ["READONLY", "LOADING", "MASTERDOWN", "NOAUTH", "NOPERM", "MOVED", "CLUSTERDOWN"].contains(code)
    }

    private func drop() {
        state.withLock { state in
            state.link = nil
            state.nextAttempt = .now
        }
    }

    private func connect() {
        // More than a call may take: a server that is slow to accept is better than none.
        let deadline = RedisDeadline.now.advanced(by: max(1, configuration.timeout * 4))
        let found: Result<RedisLink, RedisUsesError>
        do throws(RedisUsesError) {
            found = .success(try RedisLink.open(configuration, until: deadline))
        } catch {
            found = .failure(error)
        }
        let refused: [RedisCall] = state.withLock { state in
            state.isConnecting = false
            switch found {
            case .success(let link):
                state.link = link
                state.failure = nil
                state.failedAttempts = 0
                return []
            case .failure(let error):
                state.failure = error
                state.failedAttempts += 1
                // 50 ms, then twice as long each time, up to 1 s.
                let pause = min(1, 0.05 * Double(1 << min(state.failedAttempts - 1, 5)))
                state.nextAttempt = RedisDeadline.now.advanced(by: pause * Double.random(in: 0.75...1))
                defer {
                    state.calls = []
                    state.waiting = 0
                }
                return state.calls
            }
        }
        if case .failure(let error) = found { for call in refused { call.fail(error) } }
        pipe.wake()
    }

    /// Answers calls whose time is over, or nearly: one that could only fail would take the others' round trip with it.
    private func failLate() {
        let isConnected = isConnected
        let now = RedisDeadline.now.advanced(by: isConnected ? configuration.timeout / 5 : 0)
        let late: [RedisCall] = state.withLock { state in
            guard state.calls.contains(where: { $0.deadline <= now }) else { return [] }
            let late = state.calls.filter { $0.deadline <= now }
            state.calls.removeAll { $0.deadline <= now }
            state.waiting -= late.reduce(0) { $0 + $1.spends.count }
            return late
        }
        for call in late { call.fail(.timedOut) }
    }
}
#endif
