import Foundation
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// The requestor's configuration from the services: its TV providers, the service of each, and the browser and redirect
/// of their pages.
///
/// The configuration is needed to choose a provider, but not to play. If the service keeps the logins, a description of
/// the chosen provider is stored with them and replaces the configuration.
final class Providers {
    let parts: SessionParts
    private let readiness: Readiness
    /// A Boolean value that indicates whether a start loads the configuration.
    ///
    /// The value is true for the classic services. With a service that keeps the logins, the first flow that needs the
    /// configuration loads it, and a stored provider is used until then.
    let isNeededAtStart: Bool
    /// The last answers of the services; `nil` until a flow has needed the configuration.
    private var loaded: LoadedConfiguration?
    /// The uptime at which the configuration was loaded.
    private var loadedAt = Duration.zero
    /// A Boolean value that indicates whether the device's clock differed from the service's when the configuration was
    /// loaded; `nil` if no service has sent its time.
    private(set) var isClockSkewed: Bool?
    /// The provider that was stored before the last change of the logins.
    private var earlierProvider: StoredProvider?
    private let loading: Run<Result<RequestorConfiguration, TVEError>>

    init(_ parts: SessionParts, _ readiness: Readiness) {
        self.parts = parts
        self.readiness = readiness
        isNeededAtStart = parts.services.first?.keepsLogins != true
        loading = Run(parts.listeners)
    }

    // MARK: - The configuration

    /// Returns the configuration, and loads it first if it is too old for a picker; see
    /// ``EntitlementSession/configuration()``.
    func configuration(on actor: isolated any Actor) async throws(TVEError) -> RequestorConfiguration {
        guard parts.isOpen else { throw .sessionIsClosed }
        if let loaded, isNeededAtStart || isFresh { return loaded.merged }
        guard !isNeededAtStart else { throw .sessionIsNotStarted(readiness.failure) }
        let (answer, _) = await loading.answer(on: actor, ifLeft: .failure(.startCancelled)) { [self] ticket in
            // The closure names the actor so that it runs in turns of the session.
            _ = actor
            do throws(TVEError) {
                let found = try await ConfigurationRequest(parts: parts, earlier: loaded).send()
                if ticket.isValid { keep(found) }
                return .success(found.merged)
            } catch {
                // The last configuration stays in use, unless nobody can log in with it.
                guard let last = loaded?.merged, !last.requestor.providers.isEmpty else { return .failure(error) }
                return .success(last)
            }
        }
        return try answer.get()
    }

    /// Loads the configuration at a start that needs it.
    ///
    /// The classic dialect loads it even if one is already loaded.
    ///
    /// - Parameter ticket: the ticket of the start. Once it is cleared, the configuration stays as it is.
    func load(under ticket: Ticket, on actor: isolated any Actor) async throws(TVEError) {
        if isNeededAtStart {
            return keep(try await ticket.after(ConfigurationRequest(parts: parts, earlier: loaded).send()))
        }
        do throws(TVEError) {
            _ = try await configuration(on: actor)
        } catch {
            // Without the configuration there is no silent sign-on with the platform, but a viewer's own login does not
            // need it.
            if parts.services.count > 1 { throw error }
        }
    }

    /// Ends a running request because the session ends.
    func close() { loading.end(.failure(.sessionIsClosed)) }

    /// Replaces the configuration.
    private func keep(_ found: LoadedConfiguration) {
        loaded = found
        loadedAt = parts.clock.uptime()
        let difference = found.merged.serverTime.map { abs($0.timeIntervalSince(parts.clock.now())) }
        isClockSkewed = difference.map { $0 > Self.toleratedSkew }
        if isClockSkewed == true {
            let text = "The device's clock differs from the service's."
            parts.listeners.emit(.status(StatusEvent(.clockSkew, message: text)))
        }
        guard let requestor = prepareChange() else { return }
        _ = try? parts.store.change { entitlements throws(StorageError) in
            try entitlements.keepProvider(from: requestor)
        }
    }

    /// A Boolean value that indicates whether the loaded configuration is recent enough for another picker.
    private var isFresh: Bool { parts.clock.uptime() - loadedAt < Self.freshness }

    /// Remembers the provider that is stored now, before a change of the logins.
    ///
    /// A logout removes it from the store before the service receives the logout.
    ///
    /// - Returns: the requestor, which describes the provider that is chosen then; `nil` if no configuration is loaded
    ///   or no provider is stored.
    func prepareChange() -> Requestor? {
        earlierProvider = stored ?? earlierProvider
        guard !isNeededAtStart, var requestor = loaded?.merged.requestor else { return nil }
        // The service may name another requestor, or spell this one differently.
        requestor.id = parts.requestorID
        return requestor
    }

    /// The description of the client for analytics.
    var trackedClient: TrackedClient {
        parts.services.first?.deviceInformation.map(TrackedClient.init) ?? TrackedClient(loaded?.merged)
    }

    // MARK: - Providers

    /// Returns a provider from the configuration, or from the store if it is the chosen provider.
    func provider(_ mvpdID: MVPDID) -> TVProvider? {
        if let loaded, loaded.has(mvpdID) != nil { return loaded.merged.requestor.provider(mvpdID) }
        return stored(mvpdID)?.provider
    }

    /// Returns the providers of the loaded configuration, or `nil` if no flow has needed it yet.
    ///
    /// - Parameter recently: a Boolean value that indicates whether the configuration must be recent enough for another
    ///   picker.
    func listed(recently: Bool = false) -> [TVProvider]? {
        !recently || isNeededAtStart || isFresh ? loaded?.merged.requestor.providers : nil
    }

    /// The known providers: all providers of the configuration, or the chosen one from the store.
    var known: [TVProvider] { listed() ?? stored.map { [$0.provider] } ?? [] }

    /// Returns a Boolean value that indicates whether the requestor may work with a provider.
    ///
    /// Only the configurations of all services can exclude a provider. If the service keeps the logins, it decides by
    /// itself about a provider that only an old configuration leaves out.
    func mayWork(with mvpdID: MVPDID) -> Bool {
        loaded.map { ($0.has(mvpdID) ?? true) || !isNeededAtStart && !isFresh } ?? !isNeededAtStart
    }

    /// Returns a Boolean value that indicates whether a provider can be chosen now.
    ///
    /// Without a configuration, any provider can be chosen unless a start must load one.
    func offers(_ mvpdID: MVPDID) -> Bool { loaded.map { $0.has(mvpdID) == true } ?? !isNeededAtStart }

    /// Returns the domains from which logins may come, as far as they are known.
    func domains(for mvpdID: MVPDID) -> [String] { loaded?.merged.requestor.domains ?? stored(mvpdID)?.domains ?? [] }

    /// Loads the configuration before the choice of an unknown provider, because a TempPass logs the viewer in at once.
    ///
    /// Without an answer the provider is treated as an ordinary one, and the login reports any problem.
    func prepareChoice(of mvpdID: MVPDID, on actor: isolated any Actor) async {
        if provider(mvpdID) == nil { _ = try? await configuration(on: actor) }
    }

    private func stored(_ mvpdID: MVPDID) -> StoredProvider? { stored.flatMap { $0.provider.id == mvpdID ? $0 : nil } }

    private var stored: StoredProvider? {
        isNeededAtStart ? nil : try? parts.store.storedProvider(of: parts.requestorID)
    }

    /// Returns a Boolean value that indicates whether a login came from a TempPass.
    func isTempPass(_ login: AuthenticationToken) -> Bool {
        login.claims.kind.map { $0 == .tempPass } ?? (provider(login.claims.providerID)?.isTempPass == true)
    }

    // MARK: - Services and pages

    /// Returns the service for a provider, or for requests that do not concern a particular one.
    ///
    /// The stored provider also names the service of a provider that the configuration leaves out. If neither names it,
    /// the first service that did not answer is returned, because the statements of the other services say nothing
    /// about a login there.
    func service(of mvpdID: MVPDID?) throws(TVEError) -> any EntitlementService {
        guard let first = parts.services.first else { throw .noService }
        guard let mvpdID else { return loaded?.first ?? first }
        if parts.services.count == 1 { return first }
        if let loaded, loaded.has(mvpdID) == true { return loaded.service(of: mvpdID) }
        let stored = stored(mvpdID) ?? earlierProvider.flatMap { $0.provider.id == mvpdID ? $0 : nil }
        let address = stored?.provider.serviceProvider
        let known = parts.services.first { address?.isSameBytes(as: $0.root.absoluteString) == true }
        return known ?? loaded?.silent.first ?? first
    }

    /// Returns the service that knows the code of a page.
    ///
    /// - Throws: `.noService` if the session does not use the service that was stored with the page.
    func service(of page: LoginPage) throws(TVEError) -> any EntitlementService {
        guard let root = page.service else { return try service(of: page.mvpdID) }
        let known = parts.services.first { $0.root.absoluteString.isSameBytesIgnoringASCIICase(as: root) }
        guard let known else { throw .noService }
        return known
    }

    /// Returns a Boolean value that indicates whether a provider's pages open in the system's browser.
    ///
    /// If every start loads a configuration, it decides this for each provider. Otherwise the app's choice of browser
    /// decides.
    func usesSystemBrowser(_ mvpdID: MVPDID) -> Bool {
        !isNeededAtStart && parts.loginBrowser == .system || provider(mvpdID)?.usesSafari == true
            || parts.systemBrowserProviders.contains(mvpdID)
    }

    /// Returns the redirect of a provider's pages, or `nil` for the usual redirect.
    func redirectURL(of mvpdID: MVPDID) -> URL? {
        usesSystemBrowser(mvpdID) ? parts.redirects?.ofSystemBrowser : nil
    }

    /// Returns the page that ends a login with a provider, as the provider requires it to be opened.
    func browserPage(for page: LogoutPage, of mvpdID: MVPDID) -> BrowserPage {
        let needsSafari = usesSystemBrowser(mvpdID)
        var browserPage = BrowserPage(
            url: page.url, redirectURL: page.redirectURL, needsSafari: needsSafari,
            mustBeSeen: needsSafari || provider(mvpdID)?.needsForegroundLogout == true)
        browserPage.isLogout = true
        return browserPage
    }

    /// Throws an error if no page can return to the app, because without a usable redirect there is no login.
    func checkRedirect() throws(TVEError) {
        guard !isNeededAtStart, parts.loginStyle == .browser,
            parts.redirects?.isUsable(in: parts.loginBrowser) == false
        else { return }
        throw .noUsableRedirect
    }

    /// The time for which a loaded configuration is used.
    ///
    /// The vendor's pages ask for three to five minutes, and its rules for AI assistants for two to three (row CL5).
    private static let freshness = Duration.seconds(180)
    /// The difference in seconds that is tolerated between the clocks of the device and the service (wire protocol,
    /// configuration `time`).
    private static let toleratedSkew: TimeInterval = 59
}
