import TVEModels
import TVENetworking
import TVEStorage

/// Logouts of which a service that keeps the logins must hear, also those that it could not be told about at once.
extension Logins {
    /// The outcome of telling the service.
    enum Telling {
        /// The service has ended the login; with what remains to be done.
        case done(LogoutStep)
        /// The service refused; it may accept the next one.
        case refused
        /// There was no answer, and none is expected to the next question either.
        case unreachable

        var isDone: Bool { if case .done = self { true } else { false } }
    }

    func unfinishedLogouts() throws(TVEError) -> UnfinishedLogouts {
        try read { try $0.unfinishedLogouts(of: requestorID) }
    }

    /// Whether a login ended on this device without the service knowing, or ended at the service: then the viewer must
    /// log in anew.
    func mustBeNew(_ mvpdID: MVPDID) throws(TVEError) -> Bool {
        guard areCopies else { return false }
        return try unfinishedLogouts().concerns(mvpdID)
    }

    /// Tells the service about logouts that it could not be told about when they happened.
    ///
    /// - Parameter asked: the provider of which the service was told just now.
    /// - Returns: whether the viewer has to sign out of one of them in the system's settings.
    @discardableResult
    nonisolated(nonsending) func tellUntold(but asked: MVPDID? = nil) async -> Bool {
        guard areCopies, let untold = try? unfinishedLogouts() else { return false }
        var leadsToSettings = false
        for mvpdID in untold.pending where asked != mvpdID && isStillPending(mvpdID) {
            switch await endAtService(mvpdID, nil) {
            case .done(let step): leadsToSettings = leadsToSettings || step == .signOutInSettings
            case .refused: break
            case .unreachable: return leadsToSettings
            }
        }
        guard untold.isOfEveryLogin, let others = try? await keptLogins(at: providers.firstService) else {
            return leadsToSettings
        }
        // A login that this device did not know would log the viewer in again.
        for mvpdID in others.map(\.token.claims.providerID)
        where asked != mvpdID && !untold.pending.contains(mvpdID) && isStillPending(mvpdID) {
            guard case .done(let step) = await endAtService(mvpdID, nil) else { return leadsToSettings }
            leadsToSettings = leadsToSettings || step == .signOutInSettings
        }
        // If the service refused one provider, the next try includes every other one as well.
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.unfinishedLogouts(of: requestorID).pending.isEmpty else { return }
            try entitlements.finishLogouts(of: requestorID, asOf: untold)
        }
        return leadsToSettings
    }

    /// Whether the service still has to be told about a logout.
    ///
    /// Asked right before each question: in the meantime another process may have told the service and begun a new
    /// login.
    private func isStillPending(_ mvpdID: MVPDID) -> Bool {
        guard let untold = try? unfinishedLogouts() else { return false }
        return untold.pending.contains(mvpdID) || untold.isOfEveryLogin && !untold.newer.contains(mvpdID)
    }

    /// Ends a login at its service.
    nonisolated(nonsending) func endAtService(_ mvpdID: MVPDID, _ login: AuthenticationToken?) async -> Telling {
        guard let service = try? providers.service(of: mvpdID) else { return .refused }
        let redirectURL = providers.redirectURL(of: mvpdID)
        // A logout that comes during this one must be told separately.
        let untold = try? unfinishedLogouts()
        let step: LogoutStep
        do throws(ServiceError) {
            step = try await service.logout(requestorID: requestorID, mvpdID: mvpdID, login, redirectURL: redirectURL)
        } catch .transport {
            return .unreachable
        } catch .refused(let reason) where reason.code == "invalid_parameter_mvpd" {
            // There is no such provider, and so no login with it.
            step = .nothing
        } catch {
            return .refused
        }
        if service.keepsLogins, let untold {
            _ = try? write { [requestorID] entitlements throws(StorageError) in
                try entitlements.finishLogout(requestorID: requestorID, mvpdID: mvpdID, asOf: untold)
            }
        }
        return .done(step)
    }

    /// Ends the login with a provider that a service keeps and would return in place of a new one.
    nonisolated(nonsending) func endKept(with mvpdID: MVPDID) async throws(TVEError) {
        guard areCopies else { return }
        guard await endAtService(mvpdID, nil).isDone else {
            throw TVEError(
                .serviceUnreachable, status: .authenticationFailed,
                message: "The earlier login could not be ended at the service.")
        }
    }

    // MARK: - A login that begins

    /// From now on the service may have a login that this device never hears of; a logout ends that one too.
    func noteBegun(at service: any EntitlementService) {
        guard service.keepsLogins else { return }
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            try entitlements.noteBegunLogin(of: requestorID)
        }
    }

    /// The new login has begun, and the old one has ended: any later login, also of another process, is the new one.
    ///
    /// - Parameter untold: the logouts of which the service did not know when the login was requested.
    func settleLogouts(with mvpdID: MVPDID, at service: any EntitlementService, asOf untold: UnfinishedLogouts) {
        guard service.keepsLogins, untold.concerns(mvpdID) else { return }
        _ = try? write { [requestorID] entitlements throws(StorageError) in
            try entitlements.settleLogouts(requestorID: requestorID, mvpdID: mvpdID, asOf: untold)
        }
    }

    /// Whether the login of a page may come some time after its redirect: where the service keeps the logins (REST API v2,
    /// 9.2), and while the viewer types a code.
    func mayComeLate(_ page: LoginPage, from service: any EntitlementService) -> Bool {
        page.step == .typeCode || service.keepsLogins && page.needsViewer
    }
}
