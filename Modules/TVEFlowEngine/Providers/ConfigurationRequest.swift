import TVEModels
import TVENetworking

/// A request for a requestor's configuration to every service.
///
/// One answer is sufficient. For a service that does not answer, its earlier answer stays in use.
struct ConfigurationRequest: Sendable {
    let parts: SessionParts
    /// The last answers of the services.
    let earlier: LoadedConfiguration?

    /// The answer of one service, with the position of the service in the app's order.
    private typealias Arrival = (index: Int, result: Result<RequestorConfiguration, TVEError>)

    /// Sends the request to all services at once.
    ///
    /// After the first answer the others have five seconds.
    func send() async throws(TVEError) -> LoadedConfiguration {
        // A task group causes thread switches, which are unnecessary with one service.
        let arrivals = parts.services.count == 1 ? [await send(to: 0)] : await sendToAll()
        var answers = arrivals.compactMap { index, result in
            (try? result.get()).map { LoadedConfiguration.Answer(index: index, configuration: $0) }
        }
        if let earlier, !answers.isEmpty {
            let arrived = Set(answers.map(\.index))
            answers += earlier.answers.filter { !arrived.contains($0.index) }.map { answer in
                // The server time of an earlier answer must not be compared with the device's clock now.
                var answer = answer
                answer.configuration.serverTime = nil
                return answer
            }
        }
        if let loaded = LoadedConfiguration(answers, of: parts.services) { return loaded }
        // The caller sees the failure of the first service in the app's order.
        for arrival in arrivals.sorted(by: { $0.index < $1.index }) { _ = try arrival.result.get() }
        throw .noService
    }

    private func send(to index: Int) async -> Arrival {
        do throws(ServiceError) {
            return (index, .success(try await parts.services[index].configuration(of: parts.requestorID)))
        } catch {
            return (index, .failure(TVEError(error, during: .start, isOfRESTv2: parts.services[index].keepsLogins)))
        }
    }

    /// Sends the request to all services.
    ///
    /// - Returns: the answers in the order of arrival, without late ones.
    private func sendToAll() async -> [Arrival] {
        await withTaskGroup(of: Arrival?.self) { group in
            for index in parts.services.indices { group.addTask { await self.send(to: index) } }
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
                if arrivals.count == parts.services.count { group.cancelAll() }
            }
            return arrivals
        }
    }

    /// The time that slower services have after the first answer.
    private static let slowerServicesTimeLimit = Duration.seconds(5)
}
