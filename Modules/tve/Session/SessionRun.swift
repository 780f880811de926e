import ArgumentParser
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// A run of a session, which is created from the options of a command and whose statistics are stored.
struct SessionRun {
    let session: EntitlementSession
    let trace: Trace?
    /// The session's transport without tracing, for a browser whose exchanges are traced separately.
    let transport: any HTTPTransport
    /// The page on which viewers type codes, or `nil` if it is unknown.
    let activationPage: URL?
    /// The exchanges that brought no answer of the service, for which the session may throw no error.
    let outages: ServiceOutages
    /// The reason, as a sentence, for which the session has no software statement and can only use the store, or `nil`
    /// if it has one.
    let absence: String?

    /// Starts a session, runs a body with it, ends the session, and reports failures in readable form.
    ///
    /// - Parameters:
    ///   - options: the options of the command.
    ///   - name: the name of the command, for the trace.
    ///   - redirectURL: the URL at which a login ends; `nil` selects the usual redirect.
    ///   - style: the style of the login.
    ///   - activationPage: the page on which viewers type codes; `nil` selects the sandbox's.
    ///   - isStarted: a Boolean value that indicates whether the session is started before the body runs. A command
    ///     that answers from the store needs no start, which requests the logins that the service keeps.
    ///   - worksAlone: a Boolean value that indicates whether the body can use the store alone. Then a session that has
    ///     no software statement, because no sandbox answers, is created all the same, and is not started.
    ///   - provider: the TV provider that the command line names, if any.
    ///   - body: the work that uses the session.
    /// - Throws: `ToolFailure` for an error of the session, and any other error of the body.
    static func with<Value>(
        _ options: SessionOptions, command name: String, redirectURL: URL? = nil, style: LoginStyle = .browser,
        activationPage: URL? = nil, isStarted: Bool = true, worksAlone: Bool = false, provider: NamedProvider? = nil,
        _ body: (SessionRun) async throws -> Value
    ) async throws -> Value {
        let trace = options.tracing.makeTrace()
        let file = SealedStorage.file(options.store.url)
        do throws(StorageError) {
            try file.checkKey()
        } catch {
            // The session explains any other error of the store.
            if error == .keyMissing { throw StoreProblem(error, at: StorePlaces(options.store.url)).failure }
        }
        let storage = trace?.observed(file) ?? file
        let plain = WaitReportingTransport(
            next: ToolTransport.make(timeout: try ExchangeTimeLimit.limit(options.timeout)))
        let outages = ServiceOutages()
        let transport: any HTTPTransport = ObservedTransport(next: outages.watched(plain)) {
            trace?.note($0, from: .library)
        }
        let providers = try options.providers()
        guard let first = providers.first else { throw ValidationError(ArgumentFault.noService) }
        let dialect = try options.serviceDialect()
        var environment = options.environment(storage: storage, transport: transport, redirectURL: redirectURL)
        environment.loginStyle = style
        environment.pace = PaceFile(directory: options.store.url).keeper
        // Only the sandbox, whose statement is requested, has its activation page at the address of the service.
        environment.activationURL =
            activationPage ?? (options.givenStatement == nil ? first.root.appending(path: "activate") : nil)
        let outcome: Result<Value, any Error>
        var created: EntitlementSession?
        do {
            let statement = try await options.softwareStatement(at: first, mayBeMissing: worksAlone)
            let absence = statement.outage
            // If the sandbox's statement could not be requested, the dialect is REST API v2, for which that statement
            // is meant.
            let session = try await EntitlementSession(
                requestorID: options.requestorID, softwareStatement: statement.text, serviceProviders: providers,
                service: dialect ?? (absence == nil ? nil : .restV2), environment: environment,
                observer: { observe($0, trace) })
            created = session
            defer { StatisticsFile(directory: options.store.url).add(session.statistics) }
            if isStarted, absence == nil {
                trace?.note("start()", from: .app, to: .library)
                try await session.start()
            }
            trace?.note("\(name: name)", from: .app, to: .library)
            do {
                outcome = .success(
                    try await body(
                        SessionRun(
                            session: session, trace: trace, transport: plain,
                            activationPage: environment.activationURL, outages: outages, absence: absence)))
            } catch let error as TVEError
                where error.code == .notAuthenticated && provider == nil && !(error.underlying is ServiceError)
            {
                // The session has found no login in the store. A start to which the service did not say who is logged
                // in throws nothing. After a logout, what the service has makes no difference. About a provider that
                // the command line names, the service has been asked since.
                let outage = await session.hasPendingLogout ? nil : outages.current
                outcome = .failure(
                    outage.map { ToolFailure(SessionFault.loginNotAsked(outage: $0), code: .unknown) }
                        ?? ToolFailure(error, options))
            } catch let error as TVEError where error.code == .unknownProvider {
                let failure = ToolFailure(error, options)
                let known = try? await session.configuration().requestor.providers
                outcome = .failure(known.map { failure.explained(by: provider, known: $0) } ?? failure)
            }
        } catch let error as TVEError {
            outcome = .failure(ToolFailure(error, options))
        } catch {
            outcome = .failure(error)
        }
        options.tracing.write(
            trace, title: "tve \(name)", service: providers.map(\.root.absoluteString).joined(separator: ", "))
        // The session's work in the background is cancelled, because the store may be in use again after the command.
        await created?.end()
        return try outcome.get()
    }

    private static func observe(_ event: SessionEvent, _ trace: Trace?) {
        switch event {
        case .status(let status):
            trace?.note(
                "status \(name: "\(status.code)")", from: .library, to: .app,
                // The message of a denial contains the resource. A registration code can be exchanged for a login.
                details: status.code == .registrationCode ? "" : "\(id: status.message ?? "")",
                isFailure: status.level == .error)
            if status.level == .warning { Terminal.note("\(status.code): \(status.message ?? "")") }
        case .tracking(let event, _):
            trace?.note("tracking \(name: "\(event.name)")", from: .library, to: .app)
        case .authentication(.authenticated): trace?.note("authenticated", from: .library, to: .app)
        case .authentication(.notAuthenticated): trace?.note("not authenticated", from: .library, to: .app)
        case .authentication(.unknown):
            trace?.note("the authentication status is unknown", from: .library, to: .app, isFailure: true)
        case .loginEndsSoon(let profile):
            Terminal.note("The login with \(profile.mvpdID) ends at \(profile.expires.formatted(.iso8601)).")
        case .integrity: break
        case .completed(let report):
            trace?.note(
                "\(name: report.call.rawValue): \(name: report.failure?.rawValue ?? "done")", from: .library, to: .app,
                isFailure: report.failure != nil)
        }
    }
}

/// A TV provider that the command line names.
struct NamedProvider {
    let id: MVPDID
    /// The option that names the provider.
    let option: String
}

extension ToolFailure {
    /// Returns the failure of a command whose TV provider is unknown, with the TV providers of the requestor.
    fileprivate func explained(by named: NamedProvider?, known: [TVProvider]) -> ToolFailure {
        let sentence = TerminalPresenter.known(known)
        // The service may refuse a provider that the requestor has. Its own words explain that.
        guard let named, !known.contains(where: { $0.id == named.id }) else {
            return ToolFailure("\(self) \(sentence)", code: code)
        }
        return ToolFailure(
            SessionFault.unknownProvider(named.id, known: sentence, option: named.option), code: code)
    }

    /// Creates a failure that explains why a call of a session failed and advises what to do next.
    init(_ error: TVEError, _ options: SessionOptions) {
        if let problem = StoreProblem(error, at: StorePlaces(options.store.url)) {
            self = problem.failure
            return
        }
        if let fault = HouseholdFault(error, requestorID: options.requestorID) {
            self.init(fault, code: error.isWithoutAnswer ? .unknown : .failure)
            return
        }
        let text = error.providerMessage ?? error.message
        let unknownRequestor = SessionFault.unknownRequestor(options.requestorID).sentences
        let noIdentity = SessionFault.noViewerIdentity.sentences
        let (cause, nextStep): (String?, String) =
            switch error.code {
            case .unknownRequestor: (unknownRequestor.found, " \(unknownRequestor.advice)")
            case .notAuthenticated: (text, " \(SessionFault.notLoggedIn.sentences.advice)")
            case .viewerIdentityMissing: (noIdentity.found, " \(noIdentity.advice)")
            default: (text, SessionFault(wordsOfServiceIn: error).map { " \($0.sentences.advice)" } ?? "")
            }
        let status = error.status.map { " [\($0)]" } ?? ""
        self.init(
            "\(cause ?? error.code.rawValue)\(status)\(nextStep)",
            code: error.isWithoutAnswer ? .unknown : .failure)
    }
}

extension SessionFault {
    /// Creates the fault of a request that the service has refused, if its own words describe the refusal.
    ///
    /// The texts of the library contain advice already, whereas those of the service often do not.
    fileprivate init?(wordsOfServiceIn error: TVEError) {
        guard case .refused(let refusal)? = error.underlying as? ServiceError,
            refusal.message != nil || refusal.details != nil
        else { return nil }
        switch error.recovery {
        case .retry: self = .refusedForNow
        case .fixConfiguration: self = .refusedForGood
        default: return nil
        }
    }
}
