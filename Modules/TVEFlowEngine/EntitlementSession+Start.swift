import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Loads the requestor's configuration, registering the application first if that was never done.
    ///
    /// All services are asked at once; one that answers is enough, and once one has, the others have five seconds. Then the store
    /// is brought in order, and a login is taken over where that needs no viewer: from an older store, from the platform's
    /// sign-on, and with a presenter from another requestor's login (API reference, rows Q1 to Q17). May be called again, for
    /// example when the app returns to the foreground; the old configuration serves until the new one is there. Calls at the
    /// same time share one start.
    ///
    /// - Parameter presenter: opens the page of a silent login with another requestor's session; without it there is none.
    /// - Returns: the configuration with its providers.
    /// - Throws: `TVEError`: `applicationNotRegistered`, `accessTokenUnavailable`, `unknownRequestor`,
    ///   `serviceUnreachable`, `connectionNotTrusted`, `serviceFailed`, `clientTooOld`, `throttled`, `storageFailed`. The
    ///   status code goes out as an event as well (API reference, `setRequestor`).
    @discardableResult
    public func start(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError)
        -> RequestorConfiguration
    {
        try await measured(.start) { () async throws(TVEError) in
            let outcome = await starts.run { [self] in
                do throws(TVEError) {
                    return .success(try await load(presenter))
                } catch {
                    return .failure(await reported(error))
                }
            }
            guard let outcome else {
                throw TVEError(
                    .serviceUnreachable, message: "The start was cancelled.", underlying: TransportError.cancelled)
            }
            return try outcome.get()
        }
    }

    private func load(_ presenter: (any AuthenticationPresenter)?) async throws(TVEError) -> RequestorConfiguration {
        guard !requestorID.isEmpty else {
            throw TVEError(.unknownRequestor, status: .unknownRequestor, message: "The requestor id is empty.")
        }
        checkStore()
        let loaded = try await askEveryService()
        self.loaded = loaded
        tidyUp()
        if isClockSkewed {
            hub.emit(.status(StatusEvent(.clockSkew, message: "The device's clock differs from the service's.")))
        }
        await signOnSilently()
        await takeOverLogins()
        if let presenter { await logInPassively(presenter) }
        return loaded.merged
    }

    /// Looks at what is stored, once in the life of the session (API reference, rows T-64 to T-74).
    ///
    /// A store that cannot be read just now was not looked at, and the next start tries again.
    private func checkStore() {
        if let earlyReport { hub.emit(.integrity(earlyReport)) }
        earlyReport = nil
        guard !hasCheckedStore, housekeeping.integrityCheck != .none else { return }
        let report = store.check(housekeeping.integrityCheck, loggingOut: keepsCopies ? [requestorID] : [])
        if case .unavailable = report.outcome {} else { hasCheckedStore = true }
        hub.emit(.integrity(report))
    }

    /// Takes over what a check before the session found.
    func remember(_ report: IntegrityReport?) {
        earlyReport = report
        if report != nil { hasCheckedStore = true }
    }

    private enum Arrival: Sendable {
        case answer(Int, Result<RequestorConfiguration, TVEError>)
        case timeIsOver
    }

    private func askEveryService() async throws(TVEError) -> LoadedConfiguration {
        var answers: [(index: Int, service: any EntitlementService, configuration: RequestorConfiguration)] = []
        var failures: [Int: TVEError] = [:]
        await withTaskGroup(of: Arrival.self) { group in
            for (index, service) in services.enumerated() {
                group.addTask { [requestorID] in
                    do throws(ServiceError) {
                        return .answer(index, .success(try await service.configuration(of: requestorID)))
                    } catch {
                        return .answer(index, .failure(TVEError(error, during: .start)))
                    }
                }
            }
            for await arrival in group {
                switch arrival {
                case .answer(let index, .success(let configuration)):
                    if answers.isEmpty && services.count > 1 {
                        group.addTask { [clock] in
                            try? await clock.sleep(Self.patienceWithOthers)
                            return .timeIsOver
                        }
                    }
                    answers.append((index, services[index], configuration))
                case .answer(let index, .failure(let error)): failures[index] = error
                case .timeIsOver: group.cancelAll()
                }
                if answers.count + failures.count == services.count { group.cancelAll() }
            }
        }
        if let loaded = LoadedConfiguration(answers) { return loaded }
        // What the service named first says matters most.
        throw failures.min { $0.key < $1.key }?.value
            ?? TVEError(.serviceUnreachable, status: .serviceNotFound, message: "There is no service to ask.")
    }

    /// How long the slower of several services may take once one has answered.
    private static let patienceWithOthers = Duration.seconds(5)

    /// Brings the store in order before anybody asks it: other devices' entitlements, logins of older versions, tokens that
    /// have run out (API reference, sanitizer and importer).
    ///
    /// A store that cannot be used now is none of the start's business; whoever needs it will say so.
    private func tidyUp() {
        let now = clock.now()
        // Before the sanitizer, which might take what can still be had.
        _ = try? store.importLogin(of: requestorID, from: housekeeping.legacyStores, at: now)
        if let removed = try? store.sanitize(housekeeping.foreignTokens), removed > 0 {
            hub.emit(.status(StatusEvent(.deviceMismatch, message: "Entitlements of another device were removed.")))
        }
        // A clock that is wrong must not cost anybody a login.
        if !isClockSkewed { _ = try? store.removeExpired(at: now, permissionsOnly: loaded?.merged.serverTime == nil) }
    }

    private var isClockSkewed: Bool {
        guard let serverTime = loaded?.merged.serverTime else { return false }
        return abs(serverTime.timeIntervalSince(clock.now())) > Self.toleratedSkew
    }

    /// Seconds by which the device's clock may differ (wire protocol, configuration `time`).
    private static let toleratedSkew: TimeInterval = 59
}
