import TVEModels
import TVENetworking

/// A request for a requestor's configuration to every service.
///
/// One answer is sufficient.
///
/// The earlier answer of a service that does not answer stays in use.
struct ConfigurationQuestion: Sendable {
    let parts: SessionParts
    /// The last answers of the services.
    let earlier: LoadedConfiguration?

    private var services: [any EntitlementService] { parts.services }

    /// The answer of one service.
    private struct Arrival: Sendable {
        let index: Int
        let result: Result<LoadedConfiguration.Answer, TVEError>
    }

    /// Sends the request to all services at once.
    ///
    /// After the first answer the others have five seconds.
    func ask() async throws(TVEError) -> LoadedConfiguration {
        // A task group causes thread switches, which are unnecessary with one service.
        let arrivals = services.count == 1 ? [await ask(0)] : await askAll()
        var answers = arrivals.compactMap { try? $0.result.get() }
        if !answers.isEmpty {
            let arrived = Set(answers.map(\.index))
            answers += (earlier?.answers ?? []).filter { !arrived.contains($0.index) }.map { earlier in
                // The time of an earlier answer says nothing about the clocks of now.
                var answer = earlier
                answer.configuration.serverTime = nil
                return answer
            }
        }
        if let loaded = LoadedConfiguration(answers, of: services) { return loaded }
        // The caller sees the failure of the first service in the app's order.
        for arrival in arrivals.sorted(by: { $0.index < $1.index }) { _ = try arrival.result.get() }
        throw .noService
    }

    private func ask(_ index: Int) async -> Arrival {
        let service = services[index]
        do throws(ServiceError) {
            let configuration = try await service.configuration(of: parts.requestorID)
            let answer = LoadedConfiguration.Answer(index: index, service: service, configuration: configuration)
            return Arrival(index: index, result: .success(answer))
        } catch {
            return Arrival(index: index, result: .failure(TVEError(error, during: .start)))
        }
    }

    /// Sends the request to all services.
    ///
    /// - Returns: the answers in the order of arrival, without late ones.
    private func askAll() async -> [Arrival] {
        await withTaskGroup(of: Arrival?.self) { group in
            for index in services.indices { group.addTask { await self.ask(index) } }
            var arrivals: [Arrival] = []
            for await arrival in group {
                guard let arrival else {
                    group.cancelAll()
                    continue
                }
                let isFirst = !arrivals.contains { (try? $0.result.get()) != nil }
                arrivals.append(arrival)
                if case .success = arrival.result, isFirst {
                    group.addTask { [clock = parts.clock] in
                        try? await clock.sleep(Self.slowerServicesTimeLimit)
                        return nil
                    }
                }
                if arrivals.count == services.count { group.cancelAll() }
            }
            return arrivals
        }
    }

    /// The time that slower services have after the first answer.
    private static let slowerServicesTimeLimit = Duration.seconds(5)
}
