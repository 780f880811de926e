/// Calls that wait until a machine lets them go on.
extension EntitlementSession {
    /// Puts a call to the machine of kept logins, and waits until it lets the call go on.
    func pause(
        _ left: @escaping @Sendable (CallID) -> KeptLoginsEvent, _ event: (CallID) -> KeptLoginsEvent
    ) async {
        await pause {
            handle(event($0))
        } leave: { session, call in
            session.handle(left(call))
        }
    }

    /// Waits until a call is let go on.
    ///
    /// - Parameters:
    ///   - begin: puts the call to a machine.
    ///   - leave: tells the machine that the call was cancelled; it lets the call go on then.
    func pause(
        _ begin: (CallID) -> Void, leave: @escaping @Sendable (isolated EntitlementSession, CallID) -> Void
    ) async {
        let call = nextCall()
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                calls.paused[call] = waiting
                begin(call)
                // Cancelled before it was there: the handler below found nothing to end.
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
