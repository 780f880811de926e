import Foundation
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// What the services say about the requestor: its TV providers, which service serves each, and where their pages open.
///
/// Needed to choose a provider, not to play: where the service keeps the logins, a card of the chosen provider is stored
/// with them and answers for it.
final class Providers {
    private let parts: SessionParts
    private let readiness: Readiness
    /// Whether a start loads the configuration.
    ///
    /// Elsewhere a flow that needs it does, and a stored card answers until then.
    let isNeededAtStart: Bool
    /// What the services answered last; nil while no flow needed them to.
    private(set) var loaded: LoadedConfiguration?
    /// When, by uptime.
    private var loadedAt = Duration.zero
    /// Whether the device's clock differed from the service's then.
    private(set) var isClockSkewed = false
    private let loading: Run<Result<RequestorConfiguration, TVEError>>

    init(_ parts: SessionParts, _ readiness: Readiness) {
        self.parts = parts
        self.readiness = readiness
        isNeededAtStart = parts.services.first?.keepsLogins != true
        loading = Run(parts.listeners)
    }

    // MARK: - The configuration

    /// The configuration, loaded now if it is too old for a picker; see ``EntitlementSession/configuration()``.
    func configuration(on actor: isolated any Actor) async throws(TVEError) -> RequestorConfiguration {
        guard parts.isOpen else { throw .sessionIsClosed }
        if let loaded, isNeededAtStart || isFresh { return loaded.merged }
        guard !isNeededAtStart else { throw .sessionIsNotStarted(readiness.failure) }
        let (answer, _) = await loading.answer(on: actor, ifLeft: .failure(.startCancelled)) { [self] ticket in
            // Named, so that this runs in turns of the session.
            _ = actor
            do throws(TVEError) {
                let found = try await ConfigurationQuestion(parts, earlier: loaded).ask()
                if ticket.isValid { keep(found) }
                return .success(found.merged)
            } catch {
                // The last one stays in use.
                return loaded.map { .success($0.merged) } ?? .failure(error)
            }
        }
        return try answer.get()
    }

    /// Asks the services, whatever is known.
    nonisolated(nonsending) func load() async throws(TVEError) {
        keep(try await ConfigurationQuestion(parts, earlier: loaded).ask())
    }

    /// Ends a running question, because the session ends.
    func close() { loading.end(.failure(.sessionIsClosed)) }

    /// Uses a configuration from now on.
    private func keep(_ found: LoadedConfiguration) {
        loaded = found
        loadedAt = parts.clock.uptime()
        let difference = found.merged.serverTime.map { abs($0.timeIntervalSince(parts.clock.now())) }
        isClockSkewed = difference.map { $0 > Self.toleratedSkew } ?? false
        if isClockSkewed {
            let text = "The device's clock differs from the service's."
            parts.listeners.emit(.status(StatusEvent(.clockSkew, message: text)))
        }
        guard let requestor = requestorForCards else { return }
        _ = try? parts.store.change { entitlements throws(StorageError) in
            try entitlements.keepProviderCard(from: requestor)
        }
    }

    /// Whether the configuration is young enough for another picker.
    private var isFresh: Bool { loaded != nil && parts.clock.uptime() - loadedAt < Self.freshness }

    /// The requestor, for the card of a provider that is chosen; nil where nothing is known or no cards are needed.
    var requestorForCards: Requestor? { isNeededAtStart ? nil : loaded?.merged.requestor }

    /// How analytics name the client.
    var trackedClient: TrackedClient {
        parts.services.first?.deviceInformation.map(TrackedClient.init) ?? TrackedClient(loaded?.merged)
    }

    // MARK: - Providers

    /// What is known of a provider: from the configuration, else from the card of the chosen one.
    func provider(_ mvpdID: MVPDID) -> TVProvider? {
        if let loaded, loaded.has(mvpdID) != nil { return loaded.merged.requestor.provider(mvpdID) }
        return card(of: mvpdID)?.provider
    }

    /// The providers of which something is known: all, or the chosen one.
    var known: [TVProvider] {
        if let loaded { return loaded.merged.requestor.providers }
        return card.map { [$0.provider] } ?? []
    }

    /// Whether the requestor may work with a provider; only the configurations of all services can say that it does not.
    func mayWork(with mvpdID: MVPDID) -> Bool { loaded.map { $0.has(mvpdID) ?? true } ?? !isNeededAtStart }

    /// Whether a provider can be chosen now: one that the picker has, or any while there is none.
    func offers(_ mvpdID: MVPDID) -> Bool { loaded.map { $0.has(mvpdID) == true } ?? !isNeededAtStart }

    /// The domains that logins may come from, as far as they are known.
    func domains(for mvpdID: MVPDID) -> [String] { loaded?.merged.requestor.domains ?? card(of: mvpdID)?.domains ?? [] }

    /// Loads the configuration for the choice of a provider of which nothing is known: a TempPass logs the viewer in at
    /// once.
    ///
    /// Without an answer the provider counts as an ordinary one; the login says what is wrong.
    func prepareChoice(of mvpdID: MVPDID, on actor: isolated any Actor) async {
        if readiness.isUsable, provider(mvpdID) == nil { _ = try? await configuration(on: actor) }
    }

    private func card(of mvpdID: MVPDID) -> ProviderCard? { card.flatMap { $0.provider.id == mvpdID ? $0 : nil } }

    private var card: ProviderCard? {
        isNeededAtStart ? nil : (try? parts.store.providerCard(of: parts.requestorID)) ?? nil
    }

    /// Whether a login came from a TempPass.
    func isTempPass(_ login: AuthenticationToken) -> Bool {
        login.claims.kind.map { $0 == .tempPass } ?? (provider(login.claims.providerID)?.isTempPass == true)
    }

    // MARK: - Services and pages

    /// The service for a provider.
    ///
    /// Where nothing says which one it is: the first one that did not answer, for what another service says of a login
    /// there is no evidence.
    func service(of mvpdID: MVPDID) throws(TVEError) -> any EntitlementService {
        if parts.services.count == 1 { return parts.services[0] }
        if let loaded, loaded.has(mvpdID) != nil { return loaded.service(of: mvpdID) }
        let root = provider(mvpdID)?.serviceProvider
        let known = parts.services.first { root?.isSameBytes(as: $0.root.absoluteString) == true }
        guard let service = known ?? loaded?.silent.first ?? parts.services.first else { throw .noService }
        return service
    }

    /// The service for requests that belong to no provider.
    var firstService: (any EntitlementService)? { loaded?.first ?? parts.services.first }

    /// Whether a provider's pages open in the system's browser.
    ///
    /// A configuration that every start loads says so for each provider; with another one it is the app's choice.
    func usesSystemBrowser(_ mvpdID: MVPDID) -> Bool {
        !isNeededAtStart && parts.loginBrowser == .system || provider(mvpdID)?.usesSafari == true
            || parts.systemBrowserProviders.contains(mvpdID)
    }

    /// Where a provider's pages end; nil for the usual redirect.
    func redirectURL(of mvpdID: MVPDID) -> URL? {
        usesSystemBrowser(mvpdID) ? parts.redirects?.ofSystemBrowser : nil
    }

    /// Fails if no page could come back to the app: with such a redirect there is no login.
    func checkRedirect() throws(TVEError) {
        guard !isNeededAtStart, parts.loginStyle == .browser,
            parts.redirects?.isUsable(in: parts.loginBrowser) == false
        else { return }
        throw .noUsableRedirect
    }

    /// The documents ask for three to five minutes, the rules for assistants for two to three.
    private static let freshness = Duration.seconds(180)
    /// Seconds by which the device's clock may differ (wire protocol, configuration `time`).
    private static let toleratedSkew: TimeInterval = 59
}
