import TVEFlowEngine
import TVEModels

extension ClassicCalls {
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

    /// Begins a call that may wait for the viewer or the network in the queue's order, and lets the queue go on meanwhile.
    ///
    /// It has begun, up to its first wait, before the next call is looked at.
    func submitLong(
        _ call: @escaping @Sendable (isolated EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        submit({ session in await session.begin(call) }, orFail: fail)
    }

    /// Answers a call that is about who is logged in, if it has an answer of its own.
    ///
    /// A session that was closed has nobody left to answer to.
    var answerAuthentication:
        @Sendable (
            isolated EntitlementSession,
            @Sendable (isolated EntitlementSession) async throws(TVEError) -> AuthenticationStatus?
        ) async -> Void
    {
        { [callbacks] session, call in
            let status: AuthenticationStatus?
            do throws(TVEError) {
                status = try await call(session)
            } catch {
                status = .notAuthenticated(error)
            }
            if let status, !session.isClosed { callbacks.authentication(status) }
        }
    }

    /// Lets a call fail that is about who is logged in.
    var failAuthentication: @Sendable (TVEError) -> Void {
        { [callbacks] in callbacks.authentication(.notAuthenticated($0)) }
    }
}
