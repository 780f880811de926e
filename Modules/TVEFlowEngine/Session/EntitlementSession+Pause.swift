/// Calls that wait until a machine lets them continue.
extension EntitlementSession {
    /// Passes a call to the machine of kept logins, and waits until the machine lets it continue.
    func pause(
        _ left: @escaping @Sendable (CallID) -> KeptLoginsEvent, _ event: (CallID) -> KeptLoginsEvent
    ) async {
        await pause {
            handle(event($0))
        } leave: { session, call in
            session.handle(left(call))
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
        let call = nextCall()
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                calls.paused[call] = waiting
                begin(call)
                // Cancelled before the call was stored: the handler below found nothing to end.
                if Task.isCancelled { leave(self, call) }
            }
        } onCancel: {
            Task { await leave(self, call) }
        }
    }

    func proceed(_ held: [CallID]) {
        for call in held { calls.paused.removeValue(forKey: call)?.resume() }
    }
}
