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
        return refreshFlow?.question
    }
    /// The uptime at which the last request for these logins was sent.
    var lastRefresh: Duration? { refreshFlow?.machine.lastAsked }
    /// A Boolean value that indicates whether a logout page of an earlier login has not been opened yet.
    var hasUnopenedLogoutPage: Bool { !logins.unopenedLogoutPages.isEmpty }
    /// A Boolean value that indicates whether a login is running.
    var hasRunningLogin: Bool { logins.isLoginUnderWay }
    /// The number of preauthorizations that wait for the service.
    var waitingPreauthorizations: Int { preauthorizationFlow.callersCount }
}
