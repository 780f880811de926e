import Foundation
import TVEModels
import TVENetworking

/// The steps of an attempt to log in.
///
/// Each step consults the viewer, the platform or a service, and returns an outcome.
///
/// A step reports, stores and decides nothing about its attempt. ``Login`` handles its outcome, or ignores it if the
/// attempt is over.
final class LoginSteps: Flow {
    private let platform: Platform
    private let ending: [any EndsBeforeLogin]

    init(_ logins: Logins, _ platform: Platform, ending: [any EndsBeforeLogin]) {
        self.platform = platform
        self.ending = ending
        super.init(logins)
    }

    func outcome(
        of stage: LoginMachine.Stage, _ attempt: LoginAttempt, under ticket: Ticket, on actor: isolated any Actor
    ) async throws(TVEError) -> LoginOutcome {
        let screen = Screen(attempt.parameters.presenter, ticket)
        switch stage {
        case .clearing:
            await logins.pendingChoice.settled(on: actor)
            logins.record(hasOpenLogoutPage: false)
            for other in ending { await other.endBeforeLogin(on: actor) }
            return .cleared(try await ladder(for: attempt, on: actor))
        case .atPlatform:
            return .platform(try await platform.logIn(attempt.parameters, under: ticket, on: actor))
        case .askingPlatform:
            return .platform(await platform.logInSilently(ending: ending, under: ticket, on: actor))
        case .choosing:
            let all = try await providers.configuration(on: actor).requestor.providers
            guard !all.isEmpty else { throw .noProviders }
            let chosen = await screen?.chooseProvider(among: all)
            if let chosen, !all.contains(where: { $0.id == chosen }) { throw .unknownProvider }
            return .picked(chosen)
        case .opening(let mvpdID):
            let limit = parts.clock.uptime() + (attempt.codes == 0 ? .zero : Self.longestWaitForNextCode)
            while true {
                // Nobody is waiting for the next code at this moment, so its request may be held back while the service
                // asks for a backoff.
                let wait = attempt.codes == 0 ? nil : max(.zero, limit - parts.clock.uptime())
                let opened = await PacedTransport.backoffLimit.withValue(wait) { () -> Result<LoginOutcome, TVEError> in
                    _ = actor
                    do throws(TVEError) {
                        return .success(try await self.open(mvpdID, attempt, on: screen, under: ticket, on: actor))
                    } catch {
                        return .failure(error)
                    }
                }
                guard case .failure(let error) = opened, Self.mayPass(error), parts.clock.uptime() < limit,
                    (try? await parts.clock.sleep(Self.pauseBeforeNextCode)) != nil
                else { return try opened.get() }
            }
        case .atPage(let page): return .pageEnded(try await show(page, for: attempt, on: screen))
        case .polling(let poll):
            // An immediate poll causes no change of thread, and a viewer is waiting for it.
            guard poll.pauseBeforePoll > .zero else { return await fetchLogin(of: poll.page, attempt) }
            try? await parts.clock.sleep(poll.pauseBeforePoll)
            let uptime = parts.clock.uptime()
            // The wait of a login that has ended is cancelled. A request would be sent all the same, for nobody.
            guard !Task.isCancelled, !poll.isTooLate(at: uptime) else {
                return .notFound(.notLoggedIn, mayCome: true, uptime: uptime)
            }
            return await PacedTransport.backoffLimit.withValue(poll.backoffLimit(at: uptime)) {
                // The closure names the actor, because only then does an asynchronous closure run on it.
                _ = actor
                return await self.fetchLogin(of: poll.page, attempt)
            }
        }
    }

    private func ladder(
        for attempt: LoginAttempt, on actor: isolated any Actor
    ) async throws(TVEError) -> AuthenticationLadder {
        let parameters = attempt.parameters
        var login = try await logins.valid(withoutDoubt: attempt.chosenTempPass == nil && !parameters.isForced)
        var known = providers.listed(recently: true)
        if parts.platform != nil, known == nil, parameters.isForced || login == nil {
            known = try await listedSoon(on: actor)
            login = try logins.valid()
        }
        // An old configuration can lead to the picker, which loads the next one, but not to the end of the login.
        let offered = known ?? providers.listed().flatMap { $0.isEmpty ? nil : $0 }
        let remembered = try logins.chosenProvider()
        let lastLoginSucceeded = try remembered.map(logins.canAuthenticate) ?? false
        return AuthenticationLadder(
            login: login, isForced: parameters.isForced, providers: offered?.map(\.id),
            hasPlatformSignOn: parts.platform != nil && known?.contains(where: \.takesPartInPlatformSignOn) == true,
            remembered: remembered, remembersTempPass: try remembered.map(logins.isKnownTempPass) ?? false,
            lastLoginSucceeded: lastLoginSucceeded, skipsPicker: parts.skipsPicker)
    }

    /// Returns the providers of a recent configuration, or those of the last one if the service does not answer soon.
    private func listedSoon(on actor: isolated any Actor) async throws(TVEError) -> [TVProvider] {
        guard let last = providers.listed(), !last.isEmpty else {
            return try await providers.configuration(on: actor).requestor.providers
        }
        // The request continues after the limit, because a picker may need its answer.
        let request = Task { try? await providers.configuration(on: actor).requestor.providers }
        return (await parts.clock.run(atMost: Self.longestWaitForProviders) { await request.value } ?? nil) ?? last
    }

    // MARK: - Page and code

    private func open(
        _ mvpdID: MVPDID, _ attempt: LoginAttempt, on screen: Screen?, under ticket: Ticket,
        on actor: isolated any Actor
    ) async throws(TVEError) -> LoginOutcome {
        try providers.checkRedirect()
        let service = try providers.service(of: mvpdID)
        let isTempPass = try logins.isKnownTempPass(mvpdID)
        // A silent login with another requestor's session begins here, without clearing. During any other login, a
        // logout of another provider may have begun since.
        for other in ending { await other.endBeforeLogin(on: actor) }
        let kind: LoginRequest.Kind =
            if attempt.isPassive {
                .passive(redirect: parts.redirects?.ofSystemBrowser)
            } else if !isTempPass, let kind = parts.kindOnSecondScreen {
                kind
            } else {
                .here(redirect: providers.redirectURL(of: mvpdID))
            }
        let parameters = attempt.parameters
        var request = LoginRequest(requestorID: parts.requestorID, mvpdID: mvpdID, kind: kind, data: parameters.data)
        request.domains = providers.domains(for: mvpdID)
        request.isForced = parameters.isForced
        let page = try await logins.beginLogin(request, at: service, under: ticket, on: actor)
        let opened = LoginOutcome.opened(page, codeEnds: parts.clock.uptime() + page.lifetime(at: parts.clock.now()))
        if let logoutPage = page.logoutPage { await logins.showLogout(logoutPage, of: mvpdID, on: screen) }
        return opened
    }

    /// Shows a page and waits until the browser reaches a redirect, the viewer leaves, or the code of the page expires.
    ///
    /// - Throws: `authenticationFailed` if the browser could not be opened or the redirect names an error. In both
    ///   cases no login will follow.
    nonisolated(nonsending) private func show(
        _ page: LoginPage, for attempt: LoginAttempt, on screen: Screen?
    ) async throws(TVEError) -> PageEnd {
        let needsSafari = providers.usesSystemBrowser(page.mvpdID)
        guard let screen,
            let browserPage = BrowserPage(page, needsSafari: needsSafari, mustBeSeen: !attempt.isPassive)
        else { return .abandoned }
        // An expired code can no longer lead to a token, so waiting longer is pointless.
        let limit = attempt.isPassive ? Self.passiveLoginTimeLimit : page.lifetime(at: parts.clock.now())
        let end = await parts.clock.run(atMost: limit) { () async -> Result<URL?, PageNotOpened> in
            do throws(PageNotOpened) {
                return .success(try await screen.presentLogin(browserPage))
            } catch {
                return .failure(error)
            }
        }
        let url: URL
        switch end {
        // The app knows nothing of a page that the library showed, so such a page ends like one that the viewer left.
        case .none: return screen.appShowsPage ? .ranOut : .abandoned
        case .failure(let failure)?: throw .pageNotOpened(failure)
        case .success(let reached?)?: url = reached
        case .success?: return .abandoned
        }
        // The redirect may come from another app, or from a logout whose page was left open.
        guard url.isRedirect(browserPage.redirectURL), !logins.hasOpenLogoutPage else { return .otherRedirect }
        if let name = browserPage.refusal(at: url) { throw .loginRefused(name) }
        return .redirect
    }

    /// Requests the login of a code from the service.
    ///
    /// If the service keeps the logins, the browser may return before the login exists (REST API v2, 9.2). Nothing
    /// indicates whether it will exist: a viewer who cancelled on the provider's page returns in the same way.
    nonisolated(nonsending) private func fetchLogin(of page: LoginPage, _ attempt: LoginAttempt) async -> LoginOutcome {
        guard let service = try? providers.service(of: page) else { return .failed(.noService) }
        do throws(ServiceError) {
            var login = NewLogin(answer: try await service.authentication(of: page), mvpdID: page.mvpdID)
            if case .silent(.passive(let other)) = attempt.origin { login.condition = .otherLogin(other) }
            return .found(login)
        } catch .notLoggedIn where !page.needsViewer && (try? logins.isKnownTempPass(page.mvpdID)) == true {
            // An ordinary TempPass needs only the device, so this one is promotional and needs the viewer's id.
            return .failed(TVEError(.viewerIdentityMissing(EnhancedError()), during: .login))
        } catch {
            // A service may be temporarily unreachable, and the code lasts longer than most outages.
            guard error.isLoginPending || error.isTransient || error.isCodeExpired else {
                return .failed(TVEError(error, during: .login))
            }
            let mayCome = logins.mayComeLate(page, from: service)
            return .notFound(error, mayCome: mayCome, uptime: parts.clock.uptime())
        }
    }

    /// Returns a Boolean value that indicates whether the service may give a code later that it has not given now.
    private static func mayPass(_ error: TVEError) -> Bool {
        guard case .registrationCodeRefused(let status)? = error.underlying as? ServiceError else {
            return error.recovery == .retry
        }
        // A status 401 without an explanation is the challenge of another server. In the classic dialect it may also be
        // the service's own, but the application had a code just before.
        return status == 401 || status == 429 || status >= 500 || ServiceError.isOfNetworkOrPlace(status)
    }

    private static let longestWaitForProviders = Duration.seconds(5)
    private static let passiveLoginTimeLimit = Duration.seconds(30)
    /// The time for which a screen whose code has expired waits for the next one, and the pause between two requests.
    private static let longestWaitForNextCode = Duration.seconds(600)
    private static let pauseBeforeNextCode = Duration.seconds(10)
}
