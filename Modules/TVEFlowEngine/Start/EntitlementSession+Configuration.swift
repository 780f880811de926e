import TVEModels
import TVENetworking

/// Results of the start, for later calls.
extension EntitlementSession {
    /// What the services answered at the last start.
    var loaded: LoadedConfiguration? { startFlow.machine.loaded }

    /// The configuration, or the error for a call that came before a successful start.
    func configured() throws(TVEError) -> RequestorConfiguration {
        try configuredServices().merged
    }

    /// The configuration with the services behind it.
    func configuredServices() throws(TVEError) -> LoadedConfiguration {
        guard let loaded else {
            throw TVEError(.requestorNotConfigured, message: "The session was not started, or starting it failed.")
        }
        return loaded
    }

    /// Whether a login came from a TempPass, as far as the configuration says.
    func isTempPass(_ login: AuthenticationToken) -> Bool {
        loaded?.merged.requestor.provider(login.claims.providerID)?.isTempPass == true
    }

    /// The service for a provider, or the first service when no configuration says which one it is.
    func service(of mvpdID: MVPDID) -> (any EntitlementService)? {
        loaded?.service(of: mvpdID) ?? services.first
    }

    /// Whether the service keeps the logins, so that the stored ones are copies.
    var keepsCopies: Bool { services.first?.keepsLogins == true }
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
        var owners: [MVPDID: any EntitlementService] = [:]
        var entries: [MVPDID: TVProvider] = [:]
        for answer in answers {
            for provider in answer.configuration.requestor.providers where entries[provider.id] == nil {
                owners[provider.id] = answer.service
                entries[provider.id] = provider
            }
        }
        var merged = main.configuration
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
        first = main.service
    }

    func service(of mvpdID: MVPDID) -> any EntitlementService { owners[mvpdID] ?? first }
}
