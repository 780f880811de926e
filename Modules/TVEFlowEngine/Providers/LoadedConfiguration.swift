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
    /// The answers that were merged, in the order of arrival.
    let answers: [Answer]
    private let services: [any EntitlementService]
    /// The service for requests that do not concern a particular provider.
    let first: any EntitlementService

    /// Merges answers.
    ///
    /// - Parameters:
    ///   - answers: the answers in the order of arrival. A provider that several services know belongs to the fastest
    ///     service. The merged list keeps the app's order of services, so that a picker looks the same at every start.
    ///   - services: all services that received the request, in the app's order.
    init?(_ answers: [Answer], of services: [any EntitlementService]) {
        let inOrder = answers.sorted { $0.index < $1.index }
        guard let main = inOrder.first else { return nil }
        self.answers = answers
        self.services = services
        first = services[main.index]
        var merged = main.configuration
        // With one answer there is nothing to merge, and copying each provider is unnecessary.
        if answers.count > 1 {
            merged.serverTime = inOrder.lazy.compactMap(\.configuration.serverTime).first
            let all = answers.flatMap(\.configuration.requestor.providers)
            let fastest = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            merged.requestor.providers = inOrder.flatMap(\.configuration.requestor.providers)
                .compactMap { fastest[$0.id] }
        }
        var ids = Set<MVPDID>(minimumCapacity: merged.requestor.providers.count)
        merged.requestor.providers.removeAll { !ids.insert($0.id).inserted }
        self.merged = merged
    }

    /// The services without a known answer, in the app's order.
    ///
    /// Their providers are unknown.
    var silent: [any EntitlementService] {
        services.indices.filter { index in !answers.contains { $0.index == index } }.map { services[$0] }
    }

    /// Returns a Boolean value that indicates whether the requestor works with a provider, or `nil` if a service that
    /// did not answer may know the provider.
    func has(_ mvpdID: MVPDID) -> Bool? {
        if merged.requestor.provider(mvpdID) != nil { return true }
        return silent.isEmpty ? false : nil
    }

    /// Returns the fastest service that has a provider.
    func service(of mvpdID: MVPDID) -> any EntitlementService {
        answers.first { $0.configuration.requestor.provider(mvpdID) != nil }.map { services[$0.index] } ?? first
    }
}
