import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// What the services say about the requestor: needed to choose a provider, not to play.
extension EntitlementSession {
    /// The requestor's configuration with its TV providers, for example for a picker of the app's own.
    ///
    /// Over REST API v2 it is loaded when it is first needed and kept for three minutes; a later one that cannot be
    /// loaded leaves the last one in use. The classic dialect loads it at each start.
    ///
    /// - Returns: the configuration. Of several services all are asked at once; one answer is enough, and after it the
    ///   others have five seconds.
    /// - Throws: `TVEError`: `requestorNotConfigured` for a session that was not started or is closed, and what
    ///   ``start(using:)`` throws.
    public func configuration() async throws(TVEError) -> RequestorConfiguration {
        guard listeners.isOpen else { throw .sessionIsClosed }
        if let last = loaded, !keepsCopies || configurationFlow.isFresh(at: clock.uptime()) { return last.merged }
        guard keepsCopies else { throw .sessionIsNotStarted(startFlow.failure) }
        let outcome = await configurationFlow.questions.ask(requestorID) { [self] in
            do throws(TVEError) {
                return .success(try await askServices())
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let found)?:
            keep(found)
            reportClock()
            return found.merged
        case .failure(let error)?:
            guard let loaded else { throw error }
            return loaded.merged
        case nil: throw .startCancelled
        }
    }

    /// What the services answered last; nil while no flow needed them to.
    var loaded: LoadedConfiguration? { configurationFlow.loaded }

    /// Uses a configuration from now on.
    func keep(_ found: LoadedConfiguration) {
        configurationFlow.keep(found, at: clock)
        let requestor = found.merged.requestor
        guard keepsCopies else { return }
        _ = try? store.change { entitlements throws(StorageError) in
            try entitlements.keepProviderCard(from: requestor)
        }
    }

    /// Reports a device whose clock is wrong.
    func reportClock() {
        guard configurationFlow.isClockSkewed else { return }
        listeners.emit(.status(StatusEvent(.clockSkew, message: "The device's clock differs from the service's.")))
    }

    /// Fails before the first start, and when the session is closed.
    func checkIsStarted() throws(TVEError) {
        guard listeners.isOpen else { throw .sessionIsClosed }
        guard startFlow.machine.isUsable else { throw .sessionIsNotStarted(startFlow.failure) }
    }

    // MARK: - Providers

    /// What is known of a provider: from the configuration, else from the card of the chosen one.
    func provider(_ mvpdID: MVPDID) -> TVProvider? {
        if let loaded { return loaded.merged.requestor.provider(mvpdID) }
        return card(of: mvpdID)?.provider
    }

    /// The providers of which something is known: all, or the chosen one.
    var knownProviders: [TVProvider] {
        if let loaded { return loaded.merged.requestor.providers }
        return (keepsCopies ? (try? store.providerCard(of: requestorID)) ?? nil : nil).map { [$0.provider] } ?? []
    }

    /// Whether the requestor may work with a provider; only a configuration can say that it does not.
    func mayWork(with mvpdID: MVPDID) -> Bool {
        loaded.map { $0.merged.requestor.provider(mvpdID) != nil } ?? keepsCopies
    }

    /// The domains that logins may come from, as far as they are known.
    func domains(for mvpdID: MVPDID) -> [String] { loaded?.merged.requestor.domains ?? card(of: mvpdID)?.domains ?? [] }

    private func card(of mvpdID: MVPDID) -> ProviderCard? {
        guard keepsCopies, let card = (try? store.providerCard(of: requestorID)) ?? nil else { return nil }
        return card.provider.id == mvpdID ? card : nil
    }

    /// Whether a login came from a TempPass.
    func isTempPass(_ login: AuthenticationToken) -> Bool {
        login.claims.kind.map { $0 == .tempPass } ?? (provider(login.claims.providerID)?.isTempPass == true)
    }

    /// The service for a provider, or the first service when nothing says which one it is.
    func service(of mvpdID: MVPDID) throws(TVEError) -> any EntitlementService {
        if services.count == 1 { return services[0] }
        if let loaded { return loaded.service(of: mvpdID) }
        let root = provider(mvpdID)?.serviceProvider
        let known = services.first { root?.isSameBytes(as: $0.root.absoluteString) == true }
        guard let service = known ?? services.first else { throw .noService }
        return service
    }

    /// Whether the service keeps the logins, so that the stored ones are copies.
    var keepsCopies: Bool { services.first?.keepsLogins == true }
}

/// The session's state of its configuration.
struct ConfigurationFlow {
    /// What the services answered last.
    private(set) var loaded: LoadedConfiguration?
    /// When, by uptime.
    private var loadedAt = Duration.zero
    /// Whether the device's clock differed from the service's then.
    private(set) var isClockSkewed = false
    /// Callers at the same time share one question.
    let questions = SharedQuestions<RequestorID, Result<LoadedConfiguration, TVEError>>()

    mutating func keep(_ found: LoadedConfiguration, at clock: SessionClock) {
        loaded = found
        loadedAt = clock.uptime()
        let difference = found.merged.serverTime.map { abs($0.timeIntervalSince(clock.now())) }
        isClockSkewed = difference.map { $0 > Self.toleratedSkew } ?? false
    }

    /// Whether the configuration is young enough for another picker.
    func isFresh(at uptime: Duration) -> Bool { loaded != nil && uptime - loadedAt < Self.freshness }

    /// The documents ask for three to five minutes, the rules for assistants for two to three.
    private static let freshness = Duration.seconds(180)
    /// Seconds by which the device's clock may differ (wire protocol, configuration `time`).
    private static let toleratedSkew: TimeInterval = 59
}

/// The merged configurations of all services that answered, and the service of each provider.
struct LoadedConfiguration: Sendable {
    let merged: RequestorConfiguration
    private let owners: [MVPDID: any EntitlementService]
    /// The service for requests that belong to no provider.
    let first: any EntitlementService

    /// Merges answers.
    ///
    /// - Parameter answers: in the order of arrival: a provider that several services know belongs to the fastest. The
    ///   list keeps the app's order of services, so that a picker looks the same at every start.
    init?(_ answers: [(index: Int, service: any EntitlementService, configuration: RequestorConfiguration)]) {
        guard let main = answers.min(by: { $0.index < $1.index }) else { return nil }
        first = main.service
        var merged = main.configuration
        guard answers.count > 1 else {
            // Nothing to merge; a start need not copy each provider.
            var ids = Set<MVPDID>(minimumCapacity: merged.requestor.providers.count)
            merged.requestor.providers.removeAll { !ids.insert($0.id).inserted }
            self.merged = merged
            owners = [:]
            return
        }
        var owners: [MVPDID: any EntitlementService] = [:]
        var entries: [MVPDID: TVProvider] = [:]
        for answer in answers {
            for provider in answer.configuration.requestor.providers where entries[provider.id] == nil {
                owners[provider.id] = answer.service
                entries[provider.id] = provider
            }
        }
        merged.requestor.providers = []
        for answer in answers.sorted(by: { $0.index < $1.index }) {
            for provider in answer.configuration.requestor.providers {
                if let entry = entries.removeValue(forKey: provider.id) {
                    merged.requestor.providers.append(entry)
                }
            }
        }
        self.merged = merged
        self.owners = owners
    }

    func service(of mvpdID: MVPDID) -> any EntitlementService { owners[mvpdID] ?? first }
}
