import TVEFlowEngine
import TVEModels

extension ClassicCalls {
    /// Runs a short call in the queue's order.
    ///
    /// The call fails if `setRequestor` could not create a session, or if the app has released its access enabler by
    /// then.
    ///
    /// - Parameter start: the number of a start that has failed and is repeated before the call, or nil if there is
    ///   none.
    func submit(
        _ call: @escaping @Sendable (EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void, repeating start: Int? = nil
    ) {
        // The reference is weak, because the queue belongs to the access enabler and may retain the call for a long
        // time.
        calls.submit { [weak self] in
            // The repeated start and the call are one item of the queue. The item is not recorded as a call that waits
            // for the start, so that the next `setRequestor` can end both.
            if let start { await self?.startAgain(start) }
            // `setRequestor` opens the queue, so its outcome is available by now.
            switch self?.session.withLock(\.self) {
            case .success(let established): await call(established.session)
            case .failure(let error): fail(error)
            case nil: fail(TVEError(.requestorNotConfigured))
            }
        }
    }

    /// Starts a call in the queue's order that may wait for the viewer or the network.
    ///
    /// The queue continues in the meantime. The call has run up to its first suspension before the next call starts.
    func submitLong(
        _ call: @escaping @Sendable (isolated EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        submit({ session in await session.begin(call) }, orFail: fail)
    }

    /// Starts a call that needs a session and may wait for the viewer or the network, as
    /// ``submitLong(_:orFail:)`` does.
    ///
    /// A start that has failed before the call is repeated first.
    func submitWithStart(
        _ call: @escaping @Sendable (isolated EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        submit({ session in await session.begin(call) }, orFail: fail, repeating: starts.number)
    }

    /// Starts a call that ends a running login.
    ///
    /// It takes effect from now on, so no login is shown until its turn in the queue.
    func submitEnd(
        _ call: @escaping @Sendable (isolated EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        presenter.endRequested()
        starts.endPause {
            submit { [presenter] session in
                await session.begin(call)
                presenter.endPerformed()
            } orFail: { [presenter] error in
                presenter.endPerformed()
                fail(error)
            }
        }
    }

    /// A closure that reports the failure of a call with the authentication status.
    var failAuthentication: @Sendable (TVEError) -> Void {
        { [callbacks] in callbacks.authentication(AuthenticationStatus($0)) }
    }
}
