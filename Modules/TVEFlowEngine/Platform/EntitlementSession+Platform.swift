import Foundation
import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementSession {
    // MARK: - At the start

    /// Looks silently for the viewer's account at the platform; and removes a login from there when the account or the
    /// app's access has been removed (API reference, rows AS1 to AS4 and AS18).
    func signOnSilently() async -> PlatformOutcome {
        platformFlow.note = nil
        guard let platform, let request = platformRequest(nil, mayInterrupt: false) else { return .notPossible }
        let login = (try? validLogin()).flatMap(\.self)
        let isFromPlatform = login.map { (try? self.isFromPlatform($0)) == true } ?? false
        if login != nil && !isFromPlatform { return .notPossible }
        await finishRefresh()
        let chosen = try? store.chosenLogin(of: requestorID)
        do throws(PlatformSignOnError) {
            let access = await clock.run(atMost: Self.platformTimeLimit) { await platform.access(mayAsk: false) }
            // What the platform says when it is interrupted says nothing about the viewer.
            if Task.isCancelled { return .notPossible }
            switch access {
            case .denied, .restricted:
                remember(PlatformStatus(permission: access == .restricted ? .restricted : .denied))
                throw .accessNotGranted
            case .undetermined:
                remember(PlatformStatus(permission: .notDetermined))
                platformFlow.note = StatusEvent(
                    .platformAccessUndetermined, message: "The viewer has not been asked yet.")
                reportNote()
                drop(login)
                return .notPossible
            case nil: throw .failed("It did not answer.")
            case .granted: break
            }
            let outcome = await silentAccount(request, platform)
            if Task.isCancelled { return .notPossible }
            let account = try outcome.get()
            remember(PlatformStatus(account))
            guard let provider = await platformProvider(account.providerID) else {
                if !Task.isCancelled { drop(login) }
                return .notPossible
            }
            if Task.isCancelled || login?.claims.providerID == provider.id { return .notPossible }
            guard case .found(var found)? = try? await exchange(account, provider, platform, presenter: nil),
                (try? validLogin())??.text == login?.text
            else { return .notPossible }
            found.condition = .sameChoice(chosen)
            return .found(found)
        } catch {
            // No account, or no access any more: the login from the platform is removed. A mere failure says nothing
            // about the viewer.
            switch error {
            case .accessNotGranted:
                platformFlow.note = StatusEvent(.platformAccessDenied, message: "The viewer does not allow it.")
                drop(login)
            case .notSignedIn, .unsupportedProvider:
                remember(PlatformStatus(permission: .granted))
                drop(login)
            case .cancelled, .notOffered: break
            case .failed(let reason):
                platformFlow.note = StatusEvent(
                    .platformSignOnFailed, message: "The platform's sign-on failed.", details: reason)
            }
            reportNote()
            return .notPossible
        }
    }

    /// The provider with an id of the platform, if the platform can log in with it.
    private func platformProvider(_ id: String) async -> TVProvider? {
        func find() -> TVProvider? {
            knownProviders.first { $0.platformMappingID?.isSameBytes(as: id) == true && $0.takesPartInPlatformSignOn }
        }
        if let known = find() { return known }
        // The viewer has another account now than that of the kept card.
        if loaded == nil { _ = try? await configuration() }
        return find()
    }

    private func reportNote() {
        if let note = platformFlow.note { listeners.emit(.status(note)) }
    }

    /// Removes a login, if it is still stored.
    private func drop(_ login: AuthenticationToken?) {
        guard let login, (try? validLogin())??.text == login.text else { return }
        _ = try? changeLogin { entitlements throws(StorageError) in
            guard try entitlements.contains(login) else { return }
            try entitlements.removeLogin(requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
        }
    }

    private func silentAccount(
        _ request: PlatformAccountRequest, _ platform: any PlatformSignOn
    ) async -> Result<PlatformAccount, PlatformSignOnError> {
        let outcome = await clock.run(atMost: Self.platformTimeLimit) {
            () async -> Result<PlatformAccount, PlatformSignOnError> in
            do throws(PlatformSignOnError) {
                return .success(try await platform.account(request, presenter: nil))
            } catch {
                return .failure(error)
            }
        }
        return outcome ?? .failure(.failed("It did not answer."))
    }

    private static let platformTimeLimit = Duration.seconds(30)

    // MARK: - At a login

    /// Lets the viewer log in with the platform (API reference, rows AS5 to AS17).
    func signOn(_ terms: LoginTerms) async throws(TVEError) -> PlatformOutcome {
        guard let platform, let presenter = terms.presenter,
            var question = platformRequest(terms.filter, mayInterrupt: true)
        else { return .notPossible }
        // Only here: the service's own question follows at once, and would ask for the password again.
        question.isForced = terms.isForced
        let requestor = try await configuration().requestor
        do throws(PlatformSignOnError) {
            let access = await platform.access(mayAsk: true)
            if Task.isCancelled { throw .cancelled }
            switch access {
            case .denied, .restricted: throw .accessNotGranted
            case .undetermined:
                listeners.emit(.status(StatusEvent(.platformAccessUndetermined, message: "The viewer did not answer.")))
                return .notPossible
            case .granted: break
            }
            let account = try await platform.account(question, presenter: presenter)
            remember(PlatformStatus(account))
            guard let provider = requestor.provider(platformID: account.providerID), provider.takesPartInPlatformSignOn
            else {
                throw .unsupportedProvider(id: account.providerID)
            }
            if provider.isInPlatformPickerOnly { return .chosen(provider.id) }
            do throws(TVEError) {
                return try await exchange(account, provider, platform, presenter: presenter, isForced: terms.isForced)
            } catch {
                // The platform succeeded and the service refused: the viewer logs in the usual way (row AS13).
                switch error.status {
                case .platformAccessDenied: throw .accessNotGranted
                case .providerNotSupported: throw .unsupportedProvider(id: account.providerID)
                default: throw .failed("\(error)")
                }
            }
        } catch {
            return try refusal(error, requestor, question)
        }
    }

    private func refusal(
        _ error: PlatformSignOnError, _ requestor: Requestor, _ question: PlatformAccountRequest
    ) throws(TVEError) -> PlatformOutcome {
        guard !Task.isCancelled else { throw .loginAbandoned }
        let note: StatusEvent
        switch error {
        case .cancelled: throw .loginAbandoned
        case .accessNotGranted: note = StatusEvent(.platformAccessDenied, message: "The viewer does not allow it.")
        case .unsupportedProvider(let id?):
            if let provider = requestor.provider(platformID: id), provider.isInPlatformPickerOnly {
                return .chosen(provider.id)
            }
            if let provider = question.otherProviders.first(where: { $0.id == MVPDID(id) }) {
                return .chosen(provider.id)
            }
            note = StatusEvent(.providerNotSupported, message: "The requestor does not work with the chosen provider.")
        case .unsupportedProvider(nil), .notSignedIn, .notOffered:
            note = StatusEvent(.otherProviderChosen, message: "The viewer chose another TV provider.")
        case .failed(let reason):
            note = StatusEvent(.platformRequestFailed, message: "The platform's sign-on failed.", details: reason)
        }
        listeners.emit(.status(note))
        return .notPossible
    }

    // MARK: - At the start and at a login

    /// Tells the services the platform's status.
    private func remember(_ status: PlatformStatus) {
        platformFlow.hasStatus = true
        for case let service as any PlatformSignOnService in services { service.remember(status) }
    }

    /// The question with which the platform offers the providers of a filter; nil when it can offer none of them.
    private func platformRequest(_ filter: PlatformPickerFilter?, mayInterrupt: Bool) -> PlatformAccountRequest? {
        let known = knownProviders
        let wanted = filter?.providers.map { ids in ids.compactMap { id in known.first { $0.id == id } } } ?? known
        let offered = wanted.filter { $0.takesPartInPlatformSignOn && $0.isShownInPlatformPicker }
        let featured = (filter?.featured ?? []).compactMap { id in offered.first { $0.id == id } }
        guard let supported = PlatformProviderIDs(offered.compactMap(\.platformMappingID)) else { return nil }
        var request = PlatformAccountRequest(
            supportedProviderIDs: supported,
            featuredProviderIDs: featured.compactMap(\.platformMappingID), mayInterrupt: mayInterrupt,
            // Services of one session belong to one environment.
            channelID: services.first.map { ServiceEnvironment.samlID(of: $0.root) }
                ?? ServiceEnvironment.production.samlID)
        if filter?.listsOtherProviders == true {
            request.otherProviders = wanted.filter { !$0.takesPartInPlatformSignOn }
        }
        return request
    }

    /// Asks the platform for the provider's answer to the service, and exchanges that for a login.
    private func exchange(
        _ account: PlatformAccount, _ provider: TVProvider, _ platform: any PlatformSignOn,
        presenter: (any AuthenticationPresenter)?, isForced: Bool = false
    ) async throws(TVEError) -> PlatformOutcome {
        guard let service = try service(of: provider.id) as? any PlatformSignOnService else {
            throw Self.noPlatformSignOn
        }
        // An earlier login that was ended, or that the viewer wants to replace, must not be returned instead of the
        // platform's.
        let mustBeNew = try mustBeNew(provider.id)
        if isForced || mustBeNew, service.keepsLogins {
            guard await tellService(provider.id, nil).isDone else { throw Self.serviceIsAway }
        }
        var question = LoginRequest(
            requestorID: requestorID, mvpdID: provider.id,
            kind: loginStyle == .secondScreen ? .otherScreen : .here(redirect: redirectURL(of: provider.id)))
        question.domains = domains(for: provider.id)
        let step = try await ask(during: .login) { () async throws(ServiceError) in
            try await service.platformRequest(question)
        }
        let (requestText, attributes): (String, [String])
        switch step {
        case .ask(let request, let names): (requestText, attributes) = (request, names)
        case .loggedIn(let login): return .found(Self.login(login, provider))
        case .logIn(let page, let reason):
            let note = StatusEvent(
                .platformRequestFailed, message: "The service asks for an ordinary login.", details: reason)
            listeners.emit(.status(note))
            return .begun(opened(page))
        }
        let request = PlatformAccountRequest(
            supportedProviderIDs: PlatformProviderIDs(account.providerID), mayInterrupt: presenter != nil,
            channelID: ServiceEnvironment.samlID(of: service.root), samlRequest: requestText,
            attributeNames: attributes.isEmpty ? provider.requiredMetadataFields : attributes)
        let answer: PlatformAccount
        do throws(PlatformSignOnError) {
            answer =
                try await presenter == nil
                ? silentAccount(request, platform).get() : platform.account(request, presenter: presenter)
        } catch {
            throw TVEError(.authenticationFailed, message: "The platform gave no answer.", underlying: error)
        }
        guard let saml = answer.samlResponse, answer.expires.map({ $0 > clock.now() }) ?? true else {
            throw TVEError(.authenticationFailed, message: "The platform's login has expired.")
        }
        let login = try await ask(during: .login) { () async throws(ServiceError) in
            try await service.authentication(from: saml, requestorID: requestorID, mvpdID: provider.id)
        }
        return .found(Self.login(login, provider))
    }

    private static let noPlatformSignOn = TVEError(
        .authenticationFailed, message: "The service does not take part in the platform's sign-on.")

    private static func login(_ answer: AuthenticationAnswer, _ provider: TVProvider) -> NewLogin {
        // A service that knows another login of the viewer returns that one.
        let isOther = answer.token.isCopy && answer.metadata?.isFromPlatform != true
        return NewLogin(answer, mvpdID: provider.id, isFromPlatform: !isOther)
    }
}

extension PlatformStatus {
    fileprivate init(_ account: PlatformAccount) {
        self.init(permission: .granted, providerID: account.providerID, expires: account.expires)
    }
}

extension Requestor {
    fileprivate func provider(platformID: String) -> TVProvider? {
        providers.first { $0.platformMappingID?.isSameBytes(as: platformID) == true }
    }
}

extension TVProvider {
    /// Whether the platform lists the provider but cannot log in with it.
    fileprivate var isInPlatformPickerOnly: Bool { boardingStatus?.isSameBytes(as: "PICKER") == true }
}

/// The session's state of the platform's sign-on.
struct PlatformFlow {
    /// The platform's status at the last start, for calls that ask why the viewer is not logged in.
    var note: StatusEvent?
    /// Whether the service knows the platform's status; without it, the service does not mention logins from the
    /// platform.
    var hasStatus = false
}

/// The outcome of asking the platform's sign-on.
enum PlatformOutcome: Sendable {
    /// The service gave a login for the platform's answer.
    case found(NewLogin)
    /// The viewer chose a provider in the platform's picker that logs in with its own page.
    case chosen(MVPDID)
    /// The service has begun an ordinary login in place of the platform's.
    case begun(OpenedLogin)
    /// The viewer must choose in the app's picker.
    case notPossible
}
