import TVEFlowEngine
import TVEModels

extension AccessEnabler {
    /// Runs a short call in the queue's order; it fails when `setRequestor` could not make a session.
    func submit(
        _ call: @escaping @Sendable (EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        // Weak, since the queue belongs to the access enabler and may hold the call for a long time.
        calls.submit { [weak self] in
            // The queue opens with `setRequestor`, so there is an outcome by now.
            switch self?.session.withLock(\.self) {
            case .success(let established): await call(established.session)
            case .failure(let error): fail(error)
            case nil: break
            }
        }
    }

    /// Starts a call that may wait for the viewer in the queue's order, and lets the queue go on meanwhile.
    func submitLong(
        _ call: @escaping @Sendable (EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        submit({ session in Task { await call(session) } }, orFail: fail)
    }

    /// Lets a call fail that is about who is logged in.
    var failAuthentication: @Sendable (TVEError) -> Void {
        { [callbacks] in callbacks.authentication(.notAuthenticated($0)) }
    }
}
