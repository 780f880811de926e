import Foundation
import TVENetworking

/// A login that the service has begun.
struct OpenedLogin: Sendable {
    let page: LoginPage
    /// The uptime at which the code of the login expires.
    let deadline: Duration
}

extension OpenedLogin {
    init(_ page: LoginPage, at clock: SessionClock) {
        self.init(page: page, deadline: clock.uptime() + Self.lifetime(of: page, at: clock))
    }

    /// Returns the remaining lifetime of the code of a page.
    ///
    /// The service sends an expiry date. A device whose clock is wrong cannot use it, so the usual lifetime is returned
    /// instead.
    static func lifetime(of page: LoginPage, at clock: SessionClock) -> Duration {
        let rest = page.expires.timeIntervalSince(clock.now())
        return (0...longestCode / .seconds(1)).contains(rest) ? .seconds(rest) : usualCode
    }

    /// The lifetime of a registration code at the vendor's service.
    private static let usualCode = Duration.seconds(1_800)
    private static let longestCode = Duration.seconds(86_400)
}
