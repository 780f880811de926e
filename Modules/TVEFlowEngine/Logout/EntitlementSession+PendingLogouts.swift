import TVEModels
import TVENetworking
import TVEStorage

/// Tells a service that keeps logins about those that ended on this device.
extension EntitlementSession {
    /// The outcome of telling the service.
    enum Telling {
        /// The service has ended the login; with the page that ends it at the provider, if there is one.
        case done(LogoutPage?)
        /// The service refused; it may accept the next one.
        case refused
        /// There was no answer, and none is expected to the next question either.
        case unreachable

        var isDone: Bool { if case .done = self { true } else { false } }
    }

    static let serviceIsAway = TVEError(
        .serviceUnreachable, status: .authenticationFailed,
        message: "The earlier login could not be ended at the service.")

    /// Tells the service about logouts that it could not be told about when they happened.
    ///
    /// - Parameter asked: the provider of which the service was told just now.
    func finishOldLogouts(but asked: MVPDID? = nil) async {
        guard keepsCopies, let left = try? unfinishedLogouts() else { return }
        for mvpdID in left.pending where asked != mvpdID && isStillPending(mvpdID) {
            if case .unreachable = await tellService(mvpdID, nil) { return }
        }
        guard left.isOfEveryLogin, let service = (loaded?.first ?? services.first) as? any LoginKeepingService,
            let others = try? await service.logins(of: requestorID, with: nil, knowing: nil)
        else { return }
        // A login that this device did not know would log the viewer in again.
        for mvpdID in others.map(\.token.claims.providerID)
        where asked != mvpdID && !left.pending.contains(mvpdID)
            && isStillPending(mvpdID)
        {
            guard await tellService(mvpdID, nil).isDone else { return }
        }
        // If the service refused one provider, the next try includes every other one as well.
        _ = try? change { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.unfinishedLogouts(of: requestorID).pending.isEmpty else { return }
            try entitlements.finishLogouts(of: requestorID, asOf: left)
        }
    }

    /// Whether the service still has to be told about a logout.
    ///
    /// Asked right before each question: in the meantime another process may have told the service and begun a new
    /// login.
    private func isStillPending(_ mvpdID: MVPDID) -> Bool {
        guard let left = try? unfinishedLogouts() else { return false }
        return left.pending.contains(mvpdID) || left.isOfEveryLogin && !left.newer.contains(mvpdID)
    }

    /// Ends a login at its service.
    func tellService(_ mvpdID: MVPDID, _ login: AuthenticationToken?) async -> Telling {
        guard let service = try? service(of: mvpdID) else { return .refused }
        let redirectURL = redirectURL(of: mvpdID)
        // A logout that comes during this one must be told separately.
        let left = try? unfinishedLogouts()
        let page: LogoutPage?
        do throws(ServiceError) {
            page = try await service.logout(requestorID: requestorID, mvpdID: mvpdID, login, redirectURL: redirectURL)
        } catch .transport {
            return .unreachable
        } catch .refused(let reason) where reason.code == "invalid_parameter_mvpd" {
            // There is no such provider, and so no login with it.
            page = nil
        } catch {
            return .refused
        }
        if service.keepsLogins, let left {
            _ = try? change { [requestorID] entitlements throws(StorageError) in
                try entitlements.finishLogout(requestorID: requestorID, mvpdID: mvpdID, asOf: left)
            }
        }
        return .done(page)
    }
}
