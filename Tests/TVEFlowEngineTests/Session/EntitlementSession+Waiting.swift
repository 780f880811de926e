@testable import TVEFlowEngine

/// What tests wait for.
extension EntitlementSession {
    /// The running start.
    var startTask: Task<Void, Never>? { startFlow.task }
    /// The last question for the logins that the service keeps; one that waits for the first play begins now.
    var refreshTask: Task<Void, Never>? {
        refreshFlow?.playAnswered()
        return refreshFlow?.question
    }
    /// When the service was last asked for them, by uptime.
    var lastRefresh: Duration? { refreshFlow?.lastQuestion }
    /// How many preauthorizations wait for the service.
    var waitingPreauthorizations: Int { preauthorizationFlow.callersCount }
}
