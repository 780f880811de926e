import TVEModels
import TVENetworking

/// The merged configurations of all services that answered, and the service of each provider.
struct LoadedConfiguration: Sendable {
    /// The configuration of one service.
    struct Answer: Sendable {
        /// The position of the service in the app's order.
        let index: Int
        var configuration: RequestorConfiguration
    }

    let merged: RequestorConfiguration
    /// The answers that were merged.
    let answers: [Answer]
    /// The services without a known answer, in the app's order.
    ///
    /// Their providers are unknown.
    let silent: [any EntitlementService]
    private let owners: [MVPDID: any EntitlementService]
    /// The service for requests that do not concern a particular provider.
    let first: any EntitlementService

    /// Merges answers.
    ///
    /// - Parameters:
    ///   - answers: the answers in the order of arrival. A provider that several services know belongs to the fastest
    ///     service. The merged list keeps the app's order of services, so that a picker looks the same at every start.
    ///   - services: all services that received the request, in the app's order.
    init?(_ answers: [Answer], of services: [any EntitlementService]) {
        guard let main = answers.min(by: { $0.index < $1.index }) else { return nil }
        self.answers = answers
        let known = Set(answers.map(\.index))
        silent = services.indices.filter { !known.contains($0) }.map { services[$0] }
        first = services[main.index]
        var merged = main.configuration
        guard answers.count > 1 else {
            // With one answer there is nothing to merge, and copying each provider is unnecessary.
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
                owners[provider.id] = services[answer.index]
                entries[provider.id] = provider
            }
        }
        merged.requestor.providers = []
        for answer in answers.sorted(by: { $0.index < $1.index }) {
            merged.serverTime = merged.serverTime ?? answer.configuration.serverTime
            for provider in answer.configuration.requestor.providers {
                if let entry = entries.removeValue(forKey: provider.id) {
                    merged.requestor.providers.append(entry)
                }
            }
        }
        self.merged = merged
        self.owners = owners
    }

    /// Returns a Boolean value that indicates whether the requestor works with a provider, or `nil` if a service that
    /// did not answer may know the provider.
    func has(_ mvpdID: MVPDID) -> Bool? {
        if merged.requestor.provider(mvpdID) != nil { return true }
        return silent.isEmpty ? false : nil
    }

    func service(of mvpdID: MVPDID) -> any EntitlementService { owners[mvpdID] ?? first }
}
