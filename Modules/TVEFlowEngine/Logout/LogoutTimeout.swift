/// How long a logout waits for what.
enum LogoutTimeout: Sendable, CaseIterable {
    /// For the service and the viewer together.
    case whole
    /// For the provider's page to be opened, while a login waits: without it the provider's cookie would log the same person in again.
    case untilThePageIsOpen
    /// With the page open, while a login waits.
    case withThePageOpen

    var duration: Duration {
        switch self {
        case .whole: .seconds(60)
        case .untilThePageIsOpen: .seconds(5)
        case .withThePageOpen: .milliseconds(50)
        }
    }
}
