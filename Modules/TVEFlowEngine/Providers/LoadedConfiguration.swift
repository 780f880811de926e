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
    /// The answers that were merged.
    let answers: [Answer]
    /// The services of which no answer is known, in the app's order: what they would say cannot be told.
    let silent: [any EntitlementService]
    private let owners: [MVPDID: any EntitlementService]
    /// The service for requests that belong to no provider.
    let first: any EntitlementService

    /// Merges answers.
    ///
    /// - Parameters:
    ///   - answers: in the order of arrival: a provider that several services know belongs to the fastest. The list keeps
    ///     the app's order of services, so that a picker looks the same at every start.
    ///   - services: all that were asked, in the app's order.
    init?(_ answers: [Answer], of services: [any EntitlementService]) {
        guard let main = answers.min(by: { $0.index < $1.index }) else { return nil }
        self.answers = answers
        let known = Set(answers.map(\.index))
        silent = services.indices.filter { !known.contains($0) }.map { services[$0] }
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

    /// Whether the requestor works with a provider; nil where a service that did not answer may know it.
    func has(_ mvpdID: MVPDID) -> Bool? {
        if merged.requestor.provider(mvpdID) != nil { return true }
        return silent.isEmpty ? false : nil
    }

    func service(of mvpdID: MVPDID) -> any EntitlementService { owners[mvpdID] ?? first }
}
