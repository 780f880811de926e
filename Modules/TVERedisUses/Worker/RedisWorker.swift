#if VerificationService
import Foundation
import TVEModels

/// One connection and the thread that serves it.
///
/// Calls queue up; the thread takes all waiting calls, sends them in one write and answers them in order. So a busier
/// worker needs fewer round trips per token. Connecting has its own thread, because resolving a host's name has no time
/// limit: a call gets its answer in time anyway.
final class RedisWorker: Sendable {
    private let configuration: RedisUsesConfiguration
    private let count: RedisConnectionCount
    private let pipe: WakePipe
    private let state = Guarded(State())

    private struct State {
        var queue = RedisQueue()
        var link: RedisLink?
        var isConnecting = false
        var failedAttempts = 0
        var nextAttempt = RedisDeadline(nanoseconds: 0)
        var failure: RedisUsesError?
        var isClosed = false
    }

    /// Begins to connect, and tells `count` of each connection that opens or breaks.
    ///
    /// - Throws: `.unreachable` when the process has no descriptor left.
    init(_ configuration: RedisUsesConfiguration, _ count: RedisConnectionCount) throws(RedisUsesError) {
        self.configuration = configuration
        self.count = count
        pipe = try WakePipe()
        startThread(named: "tve-redis") { $0.run() }
    }

    /// Whether tokens can be spent now, as far as is known.
    var isConnected: Bool { state.withLock { $0.link != nil } }

    /// Why the last attempt to connect failed; nil while connected, and before the first attempt ended.
    var failure: RedisUsesError? { state.withLock { $0.failure } }

    /// Accepts a call; it is answered by its deadline.
    func submit(_ call: RedisCall) {
        let refusal: RedisUsesError? = state.withLock { state in
            if state.isClosed { return .closed }
            // No call waits for a server that was unavailable a moment ago; another thread is connecting.
            if state.link == nil, let failure = state.failure { return failure }
            return state.queue.append(call) ? nil : .overloaded
        }
        if let refusal { call.fail(refusal) } else { pipe.wake() }
    }

    /// Ends the thread; waiting calls fail.
    func close() {
        state.withLock { $0.isClosed = true }
        pipe.wake()
    }

    private func startThread(named name: String, _ body: @escaping @Sendable (RedisWorker) -> Void) {
        let thread = Thread { [self] in
            // OpenSSL writes without MSG_NOSIGNAL; a closed peer must end a connection, not the process.
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
                // Redis sends nothing on its own: data to read now means the end of the connection.
                if pipe.wait(socket: link?.socket.descriptor, until: deadline) { drop(.disconnected) }
            case .stop(let calls):
                for call in calls { call.fail(.closed) }
                return
            }
        }
    }

    private func nextStep() -> Step {
        state.withLock { state in
            if state.isClosed {
                state.link = nil
                return .stop(state.queue.takeAll())
            }
            if let link = state.link {
                return state.queue.isEmpty
                    ? .wait(socket: link, until: nil) : .exchange(link, state.queue.takeBatch())
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
        // The earliest deadline decides: if that answer is late, all answers after it are late as well.
        let deadline = calls.map(\.deadline).min() ?? .now
        do throws(RedisUsesError) {
            let results = try link.spend(calls.flatMap(\.spends), configuration, until: deadline)
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

    /// An error that says that this server is not the primary, or not now; nil for any other result.
    private static func otherRole(_ result: Result<Bool, RedisUsesError>) -> RedisUsesError? {
        guard case .failure(.refused(let code)) = result else { return nil }
        let codes: Set = ["READONLY", "LOADING", "MASTERDOWN", "NOAUTH", "NOPERM", "MOVED", "CLUSTERDOWN"]
        return codes.contains(code) ? .refused(code: code) : nil
    }

    private func drop(_ error: RedisUsesError) {
        count.lost(error)
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
        // Before the connection is used: it may break at once.
        if case .success = found { count.connected() }
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
                return state.queue.takeAll()
            }
        }
        if case .failure(let error) = found {
            count.failed(error)
            for call in refused { call.fail(error) }
        }
        pipe.wake()
    }

    /// Answers calls whose deadline has passed, or nearly has: such a call would fail, and the other calls of its round
    /// trip too.
    private func failLate() {
        let isConnected = isConnected
        let now = RedisDeadline.now.advanced(by: isConnected ? configuration.timeout / 5 : 0)
        let late = state.withLock { $0.queue.takeLate(now) }
        for call in late { call.fail(.timedOut) }
    }
}
#endif
