@testable import TVEFlowEngine

/// What tests wait for.
extension EntitlementSession {
    /// The running start.
    var startTask: Task<Void, Never>? { startFlow.task }
    /// The last question for the logins that the service keeps.
    var refreshTask: Task<Void, Never>? { refreshFlow?.question }
    /// When the service was last asked for them, by uptime.
    var lastRefresh: Duration? { refreshFlow?.lastQuestion }
    /// How many preauthorizations wait for the service.
    var waitingPreauthorizations: Int { preauthorizationFlow.callersCount }
}
