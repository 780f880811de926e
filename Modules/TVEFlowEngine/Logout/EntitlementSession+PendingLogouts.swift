import TVEModels
import TVENetworking
import TVEStorage

/// Telling a service that keeps logins about those that were ended here.
extension EntitlementSession {
    /// What came of telling the service.
    enum Telling {
        /// The login is gone there; the page that ends it at the provider too, if there is one.
        case done(LogoutPage?)
        /// The service would not have it; the next one may.
        case refused
        /// There was no answer, and there will be none to the next question either.
        case unreachable

        var isDone: Bool { if case .done = self { true } else { false } }
    }

    static let serviceIsAway = TVEError(
        .serviceUnreachable, status: .authenticationFailed,
        message: "The earlier login could not be ended at the service.")

    /// Tells the service about logouts that it could not be told about when they happened.
    ///
    /// - Parameter asked: the provider that it was told about just now.
    func finishOldLogouts(but asked: String? = nil) async {
        guard keepsCopies, let left = try? store.unfinishedLogouts(of: requestorID) else { return }
        for mvpdID in left.pending where !asked.isSameBytes(as: mvpdID) && isStillPending(mvpdID) {
            if case .unreachable = await tellService(mvpdID, nil) { return }
        }
        guard left.isOfEveryLogin, let service = (loaded?.first ?? services.first) as? any LoginKeepingService,
            let others = try? await service.logins(of: requestorID, with: nil, knowing: nil)
        else { return }
        // A login that was not known here would log the viewer in again.
        for mvpdID in others.map(\.token.claims.providerID)
        where !asked.isSameBytes(as: mvpdID) && !left.pending.contains(bytesOf: mvpdID)
            && isStillPending(mvpdID)
        {
            guard await tellService(mvpdID, nil).isDone else { return }
        }
        // A provider that would not hear of it is tried again, and so is every other then.
        try? store.change { [requestorID] entitlements throws(StorageError) in
            guard try entitlements.unfinishedLogouts(of: requestorID).pending.isEmpty else { return }
            try entitlements.finishLogouts(of: requestorID, asOf: left)
        }
    }

    /// Whether a logout has yet to be told.
    ///
    /// Asked right before each is told: while an earlier one was, another process may have told this one and begun a new login.
    private func isStillPending(_ mvpdID: String) -> Bool {
        guard let left = try? store.unfinishedLogouts(of: requestorID) else { return false }
        return left.pending.contains(bytesOf: mvpdID) || left.isOfEveryLogin && !left.newer.contains(bytesOf: mvpdID)
    }

    /// Ends a login at its service.
    func tellService(_ mvpdID: String, _ login: AuthenticationToken?) async -> Telling {
        guard let service = service(of: mvpdID) else { return .refused }
        let redirectURL = (try? redirectURL(of: mvpdID)) ?? nil
        // A logout that comes while this one is told is one to be told itself.
        let left = try? store.unfinishedLogouts(of: requestorID)
        let page: LogoutPage?
        do throws(ServiceError) {
            page = try await service.logOut(
                requestorID: requestorID, mvpdID: mvpdID, login, redirectURL: redirectURL)
        } catch .transport {
            return .unreachable
        } catch .refused(let reason) where reason.code == "invalid_parameter_mvpd" {
            // There is no such provider, and so no login with it.
            page = nil
        } catch {
            return .refused
        }
        if service.keepsLogins, let left {
            try? store.change { [requestorID] entitlements throws(StorageError) in
                try entitlements.finishLogout(requestorID: requestorID, mvpdID: mvpdID, asOf: left)
            }
        }
        return .done(page)
    }
}
