import Foundation
import TVENetworking

/// A login that the service has begun.
struct OpenedLogin: Sendable {
    let page: LoginPage
    /// The uptime at which its code expires.
    let deadline: Duration

    init(page: LoginPage, deadline: Duration) {
        self.page = page
        self.deadline = deadline
    }

    init(_ page: LoginPage, at clock: SessionClock) {
        self.init(page: page, deadline: clock.uptime() + Self.lifetime(of: page, at: clock))
    }

    /// How long the code of a page is valid from now on.
    ///
    /// The service sends a date. A device whose clock is wrong cannot use it, and takes the usual lifetime.
    static func lifetime(of page: LoginPage, at clock: SessionClock) -> Duration {
        let rest = page.expires.timeIntervalSince(clock.now())
        return (0...longestCode / .seconds(1)).contains(rest) ? .seconds(rest) : usualCode
    }

    /// How long codes last at the vendor's service.
    private static let usualCode = Duration.seconds(1_800)
    private static let longestCode = Duration.seconds(86_400)
}
