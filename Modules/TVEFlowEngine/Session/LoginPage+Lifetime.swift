import Foundation
import TVENetworking

extension LoginPage {
    /// Returns the uptime at which the code of the page expires.
    func codeEnds(at clock: SessionClock) -> Duration { clock.uptime() + lifetime(at: clock) }

    /// Returns the remaining lifetime of the code of the page.
    ///
    /// The service sends an expiry date. A device whose clock is wrong cannot use it, so the usual lifetime is returned
    /// instead.
    func lifetime(at clock: SessionClock) -> Duration {
        let rest = expires.timeIntervalSince(clock.now())
        return (0...Self.longestCode / .seconds(1)).contains(rest) ? .seconds(rest) : Self.usualCode
    }

    /// The lifetime of a registration code at the vendor's service.
    private static let usualCode = Duration.seconds(1_800)
    private static let longestCode = Duration.seconds(86_400)
}
