import TVEModels
import TVENetworking

/// The merged configurations of all services that answered, and the service of each provider.
struct LoadedConfiguration: Sendable {
    let merged: RequestorConfiguration
    private let owners: [ExactText: any EntitlementService]
    /// The service for requests that belong to no provider.
    let first: any EntitlementService

    /// Merges answers.
    ///
    /// - Parameter answers: in the order of arrival: a provider that several services know belongs to the fastest. The
    ///   list keeps the app's order of services, so that a picker looks the same at every start.
    init?(_ answers: [(index: Int, service: any EntitlementService, configuration: RequestorConfiguration)]) {
        guard let main = answers.min(by: { $0.index < $1.index }) else { return nil }
        var owners: [ExactText: any EntitlementService] = [:]
        var entries: [ExactText: TVProvider] = [:]
        for answer in answers {
            for provider in answer.configuration.requestor.providers where entries[ExactText(provider.id)] == nil {
                owners[ExactText(provider.id)] = answer.service
                entries[ExactText(provider.id)] = provider
            }
        }
        var merged = main.configuration
        merged.requestor.providers = []
        for answer in answers.sorted(by: { $0.index < $1.index }) {
            for provider in answer.configuration.requestor.providers {
                if let entry = entries.removeValue(forKey: ExactText(provider.id)) {
                    merged.requestor.providers.append(entry)
                }
            }
        }
        self.merged = merged
        self.owners = owners
        first = main.service
    }

    func service(of mvpdID: String) -> any EntitlementService { owners[ExactText(mvpdID)] ?? first }
}
