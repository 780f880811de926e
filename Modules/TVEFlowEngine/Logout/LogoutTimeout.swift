/// The time limits of a logout.
enum LogoutTimeout: Sendable, CaseIterable {
    /// For the service and the viewer together.
    case whole
    /// For opening the provider's page while a login waits: without the page, the provider's cookie would log the same
    /// viewer in again.
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
