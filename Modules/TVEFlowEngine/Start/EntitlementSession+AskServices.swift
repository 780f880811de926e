import TVEModels
import TVENetworking

/// How a start asks the services.
extension EntitlementSession {
    /// Asks every service for the requestor's configuration; one answer is enough.
    func askServices() async throws(TVEError) -> LoadedConfiguration {
        // A group's tasks cost hops between threads, which the usual app with its one service need not pay.
        let arrivals = services.count == 1 ? [await ask(0)] : await askAll()
        var answers: [(index: Int, service: any EntitlementService, configuration: RequestorConfiguration)] = []
        var failures: [(index: Int, error: TVEError)] = []
        for arrival in arrivals {
            switch arrival.result {
            case .success(let configuration): answers.append((arrival.index, services[arrival.index], configuration))
            case .failure(let error): failures.append((arrival.index, error))
            }
        }
        if let loaded = LoadedConfiguration(answers) { return loaded }
        // What the service named first says matters most.
        throw failures.min { $0.index < $1.index }?.error
            ?? TVEError(.serviceUnreachable, status: .serviceNotFound, message: "There is no service to ask.")
    }

    /// What one of the services said.
    private struct Arrival: Sendable {
        let index: Int
        let result: Result<RequestorConfiguration, TVEError>
    }

    private func ask(_ index: Int) async -> Arrival {
        do throws(ServiceError) {
            return Arrival(index: index, result: .success(try await services[index].configuration(of: requestorID)))
        } catch {
            return Arrival(index: index, result: .failure(TVEError(error, during: .start)))
        }
    }

    /// Asks all at once.
    ///
    /// - Returns: what they said, in the order in which it came; not what comes too late.
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
                    group.addTask { [clock] in
                        try? await clock.sleep(Self.slowerServicesTimeLimit)
                        return nil
                    }
                }
                if arrivals.count == services.count { group.cancelAll() }
            }
            return arrivals
        }
    }

    /// How long the slower of several services may take once one has answered.
    private static let slowerServicesTimeLimit = Duration.seconds(5)
}
