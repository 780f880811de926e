import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage

extension ClassicCalls {
    func setRequestor(_ requestorID: String, serviceProviders: [Any]?) {
        let given = (serviceProviders ?? []).map { "\($0)" }
        let endpoints = given.isEmpty ? [options.withLock(\.defaultEndpoint)] : given
        let providers = try? self.serviceProviders(at: endpoints).get()
        let superseded = starts.endPause {
            calls.open { [weak self] in
                await self?.establish(RepeatedStarts.Start(requestorID: requestorID, endpoints: endpoints))
            } supersedes: {
                !$0.isFor(requestorID, at: providers)
            }
        }
        // A start can take as long as its service is silent, and nobody needs that of another requestor any more.
        superseded?.session.close()
    }

    /// Repeats a start that has failed, for a call of the app, which alone is answered.
    ///
    /// - Parameter number: the number for ``RepeatedStarts/next(_:)``.
    func startAgain(_ number: Int) async {
        guard let start = await starts.next(number) else { return }
        await establish(start, isRepeated: true)
    }

    private func establish(_ arguments: RepeatedStarts.Start, isRepeated: Bool = false) async {
        @Sendable func ended(isStarted: Bool, hasSession: Bool) {
            // The app may make its next call inside the callback, so the outcome is recorded first.
            starts.ended(hasSession ? nil : arguments, isRepeated: isRepeated)
            guard !isRepeated else { return }
            callbacks.toDelegate {
                $0.setRequestorComplete(isStarted ? ACCESS_ENABLER_STATUS_SUCCESS : ACCESS_ENABLER_STATUS_ERROR)
            }
        }
        let (established, isNew): (EstablishedSession, Bool)
        do throws(TVEError) {
            (established, isNew) = try await self.session(for: arguments.requestorID, at: arguments.endpoints)
        } catch {
            return ended(isStarted: false, hasSession: false)
        }
        let start: @Sendable (isolated EntitlementSession) async -> Void = { [presenter, hasEverStarted] session in
            let isStarted = (try? await session.start(using: presenter)) != nil
            if isStarted {
                established.hasStarted.withLock { $0 = true }
                hasEverStarted.withLock { $0 = true }
            }
            ended(isStarted: isStarted, hasSession: session.hasStarted)
        }
        // Later calls wait for the first start. While a configuration is loaded again, they use the previous one.
        guard isNew else { return await established.session.begin(start) }
        if calls.waits(forStartOf: established) {
            established.session.close()
        } else {
            // The check runs at most once per access enabler, because a later check could remove a login of this run.
            firstCheck.withLock { $0 = nil }
        }
        await start(established.session)
    }

    /// Returns the current session if it is for the same requestor and endpoints, or replaces it with a new one.
    ///
    /// - Returns: the session, and whether it has not been started yet.
    private func session(
        for requestorID: String, at endpoints: [String]
    ) async throws(TVEError) -> (EstablishedSession, isNew: Bool) {
        let named = serviceProviders(at: endpoints)
        if let established {
            if established.isFor(requestorID, at: try? named.get()) {
                return (established, !(await established.session.hasStarted))
            }
            // Calls that still wait in the previous session receive their callbacks before the new requestor does.
            await established.session.end()
        }
        do throws(TVEError) {
            let providers = try named.get()
            let made = EstablishedSession(
                serviceProviders: providers, session: try await newSession(for: requestorID, at: providers))
            session.withLock { $0 = .success(made) }
            // The app may have released its access enabler before there was a session to close.
            if callbacks.isClosed { made.session.close() }
            return (made, true)
        } catch {
            session.withLock { $0 = .failure(error) }
            report(error)
            throw error
        }
    }

    /// Reports why there is no session, as a session reports its own failures.
    private func report(_ error: TVEError) {
        guard let status = error.status else { return }
        let event = SessionEvent.status(StatusEvent(status, message: error.statusMessage))
        AccessEnabler.log(event)
        callbacks.event(event)
    }

    /// Returns the services at the endpoints that the app has passed.
    ///
    /// An invalid URL among several endpoints only fails for itself, like an endpoint that does not respond (row T-76).
    private func serviceProviders(at endpoints: [String]) -> Result<[ServiceProvider], TVEError> {
        var providers: [ServiceProvider] = []
        var reason = InvalidServiceProvider.noHost
        for endpoint in endpoints {
            do throws(InvalidServiceProvider) {
                providers.append(try ServiceProvider(endpoint, allowsHTTP: environment.allowsHTTP))
            } catch {
                reason = error
            }
        }
        guard providers.isEmpty else { return .success(providers) }
        return .failure(
            TVEError(
                .serviceUnreachable, status: .serviceNotFound, message: "No endpoint is a service URL. \(reason)",
                recovery: .fixConfiguration, underlying: reason))
    }

    private func newSession(
        for requestorID: String, at providers: [ServiceProvider]
    ) async throws(TVEError) -> EntitlementSession {
        let check = firstCheck.withLock(\.self)
        var environment = check?.environment ?? environment
        environment.earlierCheck = await check?.report
        environment.answers.authentication = { [callbacks] in callbacks.authentication($0) }
        environment.answers.permission = { [callbacks] in callbacks.permission($0, $1) }
        return try await EntitlementSession(
            requestorID: RequestorID(requestorID), softwareStatement: softwareStatement.rawValue,
            serviceProviders: providers, service: service, environment: environment,
            observer: { [callbacks] event in
                AccessEnabler.log(event)
                // The presenter reports a code, together with its ticket.
                if case .status(let status) = event, status.registrationCode != nil { return }
                callbacks.event(event)
            })
    }
}

/// The session that `setRequestor` created, and the services for which it was created.
struct EstablishedSession: Sendable {
    let serviceProviders: [ServiceProvider]
    let session: EntitlementSession
    /// A Boolean value that indicates whether a start has succeeded.
    let hasStarted = Guarded(false)

    /// Returns a Boolean value that indicates whether another `setRequestor` with these arguments refers to this
    /// session.
    ///
    /// - Parameter serviceProviders: the services in any order, however the app has written their endpoints, or nil if
    ///   none of the endpoints is a service URL.
    func isFor(_ requestorID: String, at serviceProviders: [ServiceProvider]?) -> Bool {
        session.requestorID == RequestorID(requestorID)
            && Set(self.serviceProviders) == serviceProviders.map { Set($0) }
    }
}
