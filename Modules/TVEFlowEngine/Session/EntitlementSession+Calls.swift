import TVEModels
import TVETracking

/// Calls: their ids, their order, and their outcomes.
extension EntitlementSession {
    /// Begins a call, and returns when the call waits or has ended.
    ///
    /// The order in which tasks are made is not the order in which they start, so a caller that needs an order waits
    /// for each to start. A started call keeps the actor up to its first wait.
    package func begin(_ call: @escaping @Sendable (isolated EntitlementSession) async -> Void) async {
        let number = calls.next()
        await withCheckedContinuation { begun in
            calls.begun[number] = Task {
                begun.resume()
                await call(self)
                calls.begun[number] = nil
            }
        }
    }

    /// Waits for the answer to a call.
    ///
    /// - Parameters:
    ///   - register: keeps what answers the call under its id, and begins its work.
    ///   - leave: ends the call, and so answers it, because the task that waits was cancelled.
    func answer<Answer: Sendable>(
        _ register: (CallID, CheckedContinuation<Answer, Never>) -> Void,
        leave: @escaping @Sendable (isolated EntitlementSession, CallID) -> Void
    ) async -> Answer {
        let call = calls.next()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                register(call, waiting)
                // Cancelled before the call was registered: the handler below found nothing to end.
                if Task.isCancelled { leave(self, call) }
            }
        } onCancel: {
            Task { await leave(self, call) }
        }
    }

    /// Waits until a machine lets a call continue.
    ///
    /// - Parameters:
    ///   - begin: passes the call to a machine.
    ///   - leave: tells the machine that the call was cancelled; the machine then lets it continue.
    func pause(
        _ begin: (CallID) -> Void, leave: @escaping @Sendable (isolated EntitlementSession, CallID) -> Void
    ) async {
        await answer(
            { call, waiting in
                calls.paused[call] = waiting
                begin(call)
            }, leave: leave)
    }

    /// Lets calls continue that a machine held.
    func proceed(_ held: [CallID]) {
        for call in held { calls.paused.removeValue(forKey: call)?.resume() }
    }

    /// Runs a call and reports how it ended and how long it took.
    func measured<Value>(
        _ call: CallReport.Call, _ body: () async throws(TVEError) -> Value
    ) async throws(TVEError) -> Value {
        let began = clock.uptime()
        do throws(TVEError) {
            let value = try await body()
            report(CallReport(call, duration: clock.uptime() - began))
            return value
        } catch {
            report(CallReport(call, failure: error.code, duration: clock.uptime() - began))
            throw error
        }
    }

    private func report(_ report: CallReport) {
        counts.withLock { $0.record(report) }
        listeners.emit(.completed(report))
    }
}

/// Identifies a call that waits for its answer.
struct CallID: Hashable, Sendable {
    let number: Int
}

/// The calls of a session that have no answer yet, apart from those that belong to a flow.
struct SessionCalls {
    /// Calls that were begun in order.
    var begun: [CallID: Task<Void, Never>] = [:]
    /// Calls that a machine holds.
    var paused: [CallID: CheckedContinuation<Void, Never>] = [:]
    private var count = 0

    mutating func next() -> CallID {
        count += 1
        return CallID(number: count)
    }
}
