import TVEModels
import TVENetworking

/// The merged configurations of all services that answered, and the service of each provider.
struct LoadedConfiguration: Sendable {
    /// The configuration of one service.
    struct Answer: Sendable {
        /// The place of the service in the app's order.
        let index: Int
        let service: any EntitlementService
        let configuration: RequestorConfiguration
    }

    let merged: RequestorConfiguration
    private let owners: [MVPDID: any EntitlementService]
    /// The service for requests that belong to no provider.
    let first: any EntitlementService

    /// Merges answers.
    ///
    /// - Parameter answers: in the order of arrival: a provider that several services know belongs to the fastest. The
    ///   list keeps the app's order of services, so that a picker looks the same at every start.
    init?(_ answers: [Answer]) {
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
