import Foundation
import TVEModels
import TVENetworking
import TVEStorage

/// The flow that logs in with the platform's own TV provider account, silently at a start and with the viewer during a
/// login.
///
/// Both ways return the outcome. The caller handles it, unless the login is over by then.
final class Platform: Flow {
    // MARK: - At the start

    /// Requests the viewer's account from the platform silently.
    ///
    /// The request also shows whether a login from the platform has ended because the account or the app's access was
    /// removed (API reference, rows AS1 to AS4 and AS18).
    ///
    /// - Parameter ending: the flows that must end their work before a login begins.
    func logInSilently(
        ending: [any EndsBeforeLogin], under ticket: Ticket, on actor: isolated any Actor
    ) async -> PlatformAnswer {
        guard let platform = parts.platform, let request = accountRequest(nil, mayInterrupt: false) else {
            return PlatformAnswer()
        }
        parts.platformProof?.remember(request, providers.known)
        let login = logins.readable
        if let login, (try? logins.isFromPlatform(login)) != true { return PlatformAnswer() }
        for other in ending { await other.endBeforeLogin(on: actor) }
        let chosen = try? parts.store.chosenLogin(of: parts.requestorID)
        do throws(PlatformSignOnError) {
            let access = await parts.clock.run(atMost: Self.timeLimit) { await platform.access(mayAsk: false) }
            // The answer of an interrupted request says nothing about the viewer.
            guard ticket.isValid else { return PlatformAnswer() }
            guard let access else { throw .failed("no answer in time") }
            if access == .undetermined {
                passToServices(PlatformStatus(permission: .notDetermined))
                let text = "The viewer has not been asked yet whether the app may use the platform's TV provider."
                let note = StatusEvent(.platformAccessUndetermined, message: text)
                return PlatformAnswer(note: note, endedLogin: login)
            }
            try access.check()
            var outcome = await silentAccount(request, platform)
            // The viewer's account may now be with another provider than those that are known.
            if case .failure(.unsupportedProvider) = outcome {
                _ = try? await providers.configuration(on: actor)
                guard ticket.isValid else { return PlatformAnswer() }
                if let complete = accountRequest(nil, mayInterrupt: false), complete != request {
                    parts.platformProof?.remember(complete, providers.known)
                    outcome = await silentAccount(complete, platform)
                }
            }
            guard ticket.isValid else { return PlatformAnswer() }
            let account = try outcome.get()
            let provider = providers.known.provider(platformID: account.providerID)
            guard let provider, provider.takesPartInPlatformSignOn else {
                throw .unsupportedProvider(id: account.providerID)
            }
            passToServices(PlatformStatus(account, of: provider.id))
            guard login?.claims.providerID != provider.id else { return PlatformAnswer() }
            guard case .found(var found)? = try? await exchange(provider, with: platform).outcome,
                logins.readable?.text == login?.text
            else {
                // The account has moved to this provider, so the platform no longer confirms the other one's login.
                return PlatformAnswer(endedLogin: login)
            }
            found.condition = .sameChoice(chosen)
            return PlatformAnswer(outcome: .found(found))
        } catch {
            // Without an account or access, the login from the platform has ended. A mere failure says nothing about
            // the viewer.
            switch error {
            case .accessNotGranted:
                passToServices(PlatformStatus(permission: .denied))
                let note = StatusEvent(.platformAccessDenied, message: Self.accessDenied)
                return PlatformAnswer(note: note, endedLogin: login)
            case .notSignedIn, .unsupportedProvider:
                passToServices(PlatformStatus(permission: .granted))
                return PlatformAnswer(endedLogin: login)
            case .cancelled, .notOffered: return PlatformAnswer()
            case .failed(let reason):
                return PlatformAnswer(
                    note: StatusEvent(
                        .platformSignOnFailed, message: "The platform's sign-on failed.", details: reason))
            }
        }
    }

    nonisolated(nonsending) private func silentAccount(
        _ request: PlatformAccountRequest, _ platform: any PlatformSignOn
    ) async -> Result<PlatformAccount, PlatformSignOnError> {
        let outcome = await parts.clock.run(atMost: Self.timeLimit) {
            () async -> Result<PlatformAccount, PlatformSignOnError> in
            do throws(PlatformSignOnError) {
                return .success(try await platform.account(request, presenter: nil))
            } catch {
                return .failure(error)
            }
        }
        return outcome ?? .failure(.failed("no answer in time"))
    }

    private static let timeLimit = Duration.seconds(30)
    private static let accessDenied = "The viewer does not allow the app to use the platform's TV provider."

    // MARK: - At a login

    /// Lets the viewer log in with the platform (API reference, rows AS5 to AS17).
    func logIn(
        _ parameters: LoginParameters, under ticket: Ticket, on actor: isolated any Actor
    ) async throws(TVEError) -> PlatformAnswer {
        guard let platform = parts.platform, let screen = Screen(parameters.presenter, ticket) else {
            return PlatformAnswer()
        }
        // The picker offers the providers of a recent configuration, which may still be loading.
        let configured = try await providers.configuration(on: actor).requestor
        guard var request = accountRequest(parameters.filter, mayInterrupt: true) else { return PlatformAnswer() }
        // In a forced login the system ignores a login that it remembers, for this request only: the service's own
        // request follows at once and would ask for the password again.
        request.isForced = parameters.isForced
        // The viewer may choose a provider that was unknown at the last start. The proof of its login must include that
        // provider, so the stored request is updated.
        if let silent = accountRequest(nil, mayInterrupt: false) {
            parts.platformProof?.remember(silent, providers.known)
        }
        do throws(PlatformSignOnError) {
            // The call may have ended while the configuration was loading, and the platform would ask the viewer.
            guard ticket.isValid else { throw .cancelled }
            let access = await platform.access(mayAsk: true)
            guard ticket.isValid else { throw .cancelled }
            if access == .undetermined {
                return PlatformAnswer(
                    note: StatusEvent(
                        .platformAccessUndetermined,
                        message: "The viewer did not answer whether the app may use the platform's TV provider."))
            }
            try access.check()
            let account = try await platform.account(request, presenter: screen)
            guard ticket.isValid else { throw .cancelled }
            let provider = configured.providers.provider(platformID: account.providerID)
            guard let provider, provider.takesPartInPlatformSignOn else {
                throw .unsupportedProvider(id: account.providerID)
            }
            passToServices(PlatformStatus(account, of: provider.id))
            if provider.isInPlatformPickerOnly { return PlatformAnswer(outcome: .chosen(provider.id)) }
            do {
                return try await exchange(provider, with: platform, on: screen, isForced: parameters.isForced)
            } catch let error as PlatformSignOnError {
                // The viewer has closed the platform's login, for example, which is not a failure.
                throw error
            } catch {
                // The platform succeeded but the service refused, so the viewer logs in the usual way (row AS13).
                switch (error as? TVEError)?.status {
                case .platformAccessDenied: throw .accessNotGranted
                case .providerNotSupported: throw .unsupportedProvider(id: account.providerID)
                default: throw .failed("\(error)")
                }
            }
        } catch {
            // The answer of an interrupted exchange says nothing about the viewer.
            guard ticket.isValid else { throw .loginAbandoned }
            return try refusal(error, requestor: configured, request: request)
        }
    }

    private func refusal(
        _ error: PlatformSignOnError, requestor: Requestor, request: PlatformAccountRequest
    ) throws(TVEError) -> PlatformAnswer {
        let note: StatusEvent
        switch error {
        case .cancelled: throw .loginAbandoned
        case .accessNotGranted:
            passToServices(PlatformStatus(permission: .denied))
            note = StatusEvent(.platformAccessDenied, message: Self.accessDenied)
        case .unsupportedProvider(let id?):
            // The viewer has chosen a provider that the platform cannot log in with, so its own page is used.
            let chosen =
                requestor.providers.provider(platformID: id) ?? request.otherProviders.first { $0.id == MVPDID(id) }
            if let chosen { return PlatformAnswer(outcome: .chosen(chosen.id)) }
            note = StatusEvent(.providerNotSupported, message: "The requestor does not work with the chosen provider.")
        case .notOffered:
            note = StatusEvent(.otherProviderChosen, message: "The platform has no TV providers where the viewer is.")
        case .unsupportedProvider(nil), .notSignedIn:
            note = StatusEvent(.otherProviderChosen, message: "The viewer chose another TV provider.")
        case .failed(let reason):
            note = StatusEvent(.platformRequestFailed, message: "The platform's sign-on failed.", details: reason)
        }
        return PlatformAnswer(note: note)
    }

    // MARK: - At the start and at a login

    /// Passes the platform's status to the services, whose next requests contain it.
    private func passToServices(_ status: PlatformStatus) {
        for case let service as any PlatformSignOnService in parts.services { service.remember(status) }
    }

    /// Returns the request with which the platform offers the providers of a filter, or `nil` if it can offer none of
    /// them.
    private func accountRequest(_ filter: PlatformPickerFilter?, mayInterrupt: Bool) -> PlatformAccountRequest? {
        let known = providers.known
        let wanted = filter?.providers.map { ids in ids.compactMap { id in known.first { $0.id == id } } } ?? known
        let offered = wanted.filter { $0.takesPartInPlatformSignOn && $0.isShownInPlatformPicker }
        let featured = (filter?.featured ?? []).compactMap { id in offered.first { $0.id == id } }
        guard let supported = PlatformProviderIDs(offered.compactMap(\.platformMappingID)) else { return nil }
        var request = PlatformAccountRequest(
            supportedProviderIDs: supported,
            featuredProviderIDs: featured.compactMap(\.platformMappingID), mayInterrupt: mayInterrupt,
            // The services of a session belong to one environment.
            channelID: parts.services.first.map { ServiceEnvironment.samlID(of: $0.root) }
                ?? ServiceEnvironment.production.samlID)
        if filter?.listsOtherProviders == true {
            request.otherProviders = wanted.filter { !$0.takesPartInPlatformSignOn }
        }
        return request
    }

    /// Requests the provider's answer to the service from the platform, and exchanges it for a login.
    ///
    /// - Parameters:
    ///   - provider: the provider of the viewer's account on the platform.
    ///   - platform: the platform's sign-on.
    ///   - screen: the presenter of the platform's dialogs; `nil` for a silent exchange.
    ///   - isForced: a Boolean value that indicates whether the viewer wants to replace an earlier login.
    /// - Throws: the platform's `PlatformSignOnError`, or a `TVEError`.
    nonisolated(nonsending) private func exchange(
        _ provider: TVProvider, with platform: any PlatformSignOn, on screen: Screen? = nil, isForced: Bool = false
    ) async throws -> PlatformAnswer {
        guard let platformID = provider.platformMappingID,
            let service = try providers.service(of: provider.id) as? any PlatformSignOnService
        else { throw Self.noPlatformSignOn }
        // An earlier login that has ended, or that the viewer wants to replace, must not be returned instead of the
        // platform's.
        try await logins.prepareLogin(with: provider.id, at: service, isForced: isForced, on: screen)
        var loginRequest = LoginRequest(
            requestorID: parts.requestorID, mvpdID: provider.id,
            kind: parts.kindOnSecondScreen ?? .here(redirect: providers.redirectURL(of: provider.id)))
        loginRequest.domains = providers.domains(for: provider.id)
        let next: PlatformStep
        do throws(ServiceError) {
            next = try await service.platformRequest(loginRequest)
        } catch {
            throw TVEError(error, during: .login)
        }
        switch next {
        case .loggedIn(let login): return Self.found(login, provider)
        case .logIn(let page, let reason):
            let text = "The service asks for an ordinary login."
            return PlatformAnswer(
                outcome: .begun(page, codeEnds: parts.clock.uptime() + page.lifetime(at: parts.clock.now())),
                note: StatusEvent(.platformRequestFailed, message: text, details: reason))
        case .ask(let text, let names):
            let request = PlatformAccountRequest(
                supportedProviderIDs: PlatformProviderIDs(platformID), mayInterrupt: screen != nil,
                channelID: ServiceEnvironment.samlID(of: service.root), samlRequest: text,
                attributeNames: names.isEmpty ? provider.requiredMetadataFields : names)
            let saml = try await samlResponse(to: request, from: platform, on: screen)
            do throws(ServiceError) {
                let login = try await service.authentication(
                    from: saml, requestorID: parts.requestorID, mvpdID: provider.id)
                return Self.found(login, provider)
            } catch {
                throw TVEError(error, during: .login)
            }
        }
    }

    nonisolated(nonsending) private func samlResponse(
        to request: PlatformAccountRequest, from platform: any PlatformSignOn, on screen: Screen?
    ) async throws -> String {
        let account =
            try await screen == nil
            ? silentAccount(request, platform).get() : platform.account(request, presenter: screen)
        guard let saml = account.samlResponse, account.expires.map({ $0 > parts.clock.now() }) ?? true else {
            throw TVEError(.authenticationFailed, message: "The platform's login has expired.")
        }
        return saml
    }

    private static let noPlatformSignOn = TVEError(
        .authenticationFailed, message: "The service of this provider does not accept the platform's sign-on.")

    private static func found(_ answer: AuthenticationAnswer, _ provider: TVProvider) -> PlatformAnswer {
        // If the service already has a login of the viewer that did not come from the platform, it returns that one.
        let login = NewLogin(answer: answer, mvpdID: provider.id, isTokenOfPlatform: !answer.token.isCopy)
        return PlatformAnswer(outcome: .found(login))
    }
}
