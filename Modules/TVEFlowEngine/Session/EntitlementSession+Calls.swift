import TVEModels
import TVETracking

/// Calls: their ids, their order, and their outcomes.
extension EntitlementSession {
    /// Begins a call, and returns when the call waits or has ended.
    ///
    /// The order in which tasks are made is not the order in which they start, so a caller that needs an order waits
    /// for each to start. A started call keeps the actor up to its first wait.
    package func begin(_ call: @escaping @Sendable (isolated EntitlementSession) async -> Void) async {
        let number = nextCall()
        await withCheckedContinuation { begun in
            calls.begun[number] = Task {
                begun.resume()
                await call(self)
                calls.begun[number] = nil
            }
        }
    }

    /// A new id for a call that waits for its answer.
    func nextCall() -> CallID { calls.next() }

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
        hub.emit(.completed(report))
    }
}
