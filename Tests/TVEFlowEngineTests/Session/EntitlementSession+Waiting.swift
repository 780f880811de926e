import TVETestTraits

@testable import TVEFlowEngine

/// The tasks and counts that tests wait for.
extension EntitlementSession {
    /// The running start.
    var startTask: Task<Void, Never>? { startFlow.task }
    /// The last request for the logins that the service keeps.
    ///
    /// Reading it starts a request that waits for the first play.
    var refreshTask: Task<Void, Never>? {
        refreshFlow?.playAnswered()
        return refreshFlow?.task
    }
    /// The uptime at which the last request for these logins was sent.
    var lastRefresh: Duration? { refreshFlow?.lastRequest }
    /// A Boolean value that indicates whether a logout page of an earlier login has not been opened yet.
    var hasUnopenedLogoutPage: Bool { !logins.unopenedLogoutPages.isEmpty }
    /// A Boolean value that indicates whether a login is running.
    var hasRunningLogin: Bool { logins.isLoginUnderWay }

    /// Begins a call, and returns its task when the call waits for the first time or has ended.
    ///
    /// The call gets its turn when this function waits, and holds the actor until it waits itself. Whatever the test
    /// does next comes after that.
    func begun<Value: Sendable>(
        _ call: @escaping @Sendable (isolated EntitlementSession) async throws -> Value
    ) async -> Task<Value, any Error> {
        let turn = Gate()
        let task = Task {
            turn.open()
            return try await call(self)
        }
        await turn.pass()
        return task
    }
}
