import TVEFlowEngine
import TVEModels

extension ClassicCalls {
    /// Runs a short call in the queue's order; it fails when `setRequestor` could not make a session.
    func submit(
        _ call: @escaping @Sendable (EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        // Weak, because the queue belongs to the access enabler and may hold the call for a long time.
        calls.submit { [weak self] in
            // `setRequestor` opens the queue, so there is an outcome by now.
            switch self?.session.withLock(\.self) {
            case .success(let established): await call(established.session)
            case .failure(let error): fail(error)
            case nil: break
            }
        }
    }

    /// Begins a call in the queue's order that may wait for the viewer or the network; the queue continues meanwhile.
    ///
    /// The call has begun, up to its first wait, before the next call starts.
    func submitLong(
        _ call: @escaping @Sendable (isolated EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        submit({ session in await session.begin(call) }, orFail: fail)
    }

    /// The same for a call that ends a running login: it counts from now on, so no login is shown until its turn.
    func submitEnd(
        _ call: @escaping @Sendable (isolated EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        presenter.endRequested()
        submit { [presenter] session in
            await session.begin(call)
            presenter.endPerformed()
        } orFail: { [presenter] error in
            presenter.endPerformed()
            fail(error)
        }
    }

    /// Tells the app who is logged in, as the answer to the call that it is making.
    var tell: EntitlementSession.Tell {
        { [answers] status in answers.authentication(status) }
    }

    /// Answers the call that the app is making.
    var answers: CallAnswers { CallAnswers(callbacks: callbacks, call: CallNumber.current) }

    /// Reports the failure of a call about who is logged in.
    var failAuthentication: @Sendable (TVEError) -> Void {
        { [answers] in answers.authentication(AuthenticationStatus($0)) }
    }
}
