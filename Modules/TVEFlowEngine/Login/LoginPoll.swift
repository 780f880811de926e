import TVEModels
import TVENetworking

/// A series of requests for the login of a code until it exists: after the page on this screen has ended, or while a
/// code is shown.
///
/// All times are uptimes, which are unaffected by changes of the device's clock.
struct LoginPoll: Sendable {
    /// The screen on which the viewer logs in.
    enum Place: Sendable {
        /// The browser of this screen, which has reached a redirect.
        ///
        /// Unless `isCertain` is true, the redirect may belong to another page.
        case thisScreen(isCertain: Bool)
        /// Another screen, until the code expires.
        case otherScreen(codeEnds: Duration)
    }

    /// The next action after a poll.
    enum Decision: Sendable {
        case pollAgain
        /// Continue to show the page, because the viewer has not finished it.
        case backToPage
        case newCode
        case fail(TVEError)
    }

    let page: LoginPage
    let place: Place
    /// The time at which this screen stops polling; `nil` before the first poll.
    private(set) var deadline: Duration?
    /// A Boolean value that indicates whether the last answer could not be read.
    private(set) var wasUnreadable = false

    var code: RegistrationCode {
        RegistrationCode(code: page.registrationCode, mvpdID: page.mvpdID, expires: page.expires)
    }

    var isHere: Bool { if case .thisScreen = place { true } else { false } }

    /// The pause before the next poll.
    ///
    /// On this screen the first poll takes place at once, because the browser has returned.
    var pauseBeforePoll: Duration {
        switch place {
        case .thisScreen: deadline == nil ? .zero : Self.pauseHere
        case .otherScreen: Self.pauseOnOtherScreen
        }
    }

    /// Returns the longest time for which a poll is held back while the service asks for a backoff.
    ///
    /// On another screen a poll is held back no longer than the code lasts, because an expired code would otherwise
    /// stay on the screen.
    func backoffLimit(at uptime: Duration) -> Duration {
        switch place {
        case .thisScreen(let isCertain): Self.timeLimit(isCertain)
        case .otherScreen(let end): min(Self.longestBackoff, max(.zero, end - uptime))
        }
    }

    /// Returns a Boolean value that indicates whether a code that is used on another screen ended so long ago that no
    /// request may carry it.
    ///
    /// The last poll finds a login that was finished in the last seconds. A device that was in standby wakes later.
    func isTooLate(at uptime: Duration) -> Bool {
        guard case .otherScreen(let end) = place else { return false }
        return uptime >= end + Self.toleranceOfLastPoll
    }

    /// Returns the next action after a poll that returned no login.
    ///
    /// - Parameters:
    ///   - error: the reason: the login is not there yet, or the service no longer accepts the code.
    ///   - mayCome: a Boolean value that indicates whether the login may still arrive after the redirect.
    ///   - uptime: the time of the answer.
    mutating func decision(after error: ServiceError, mayCome: Bool, uptime: Duration) -> Decision {
        let failure = Decision.fail(TVEError(error, during: .login))
        guard error.isLoginPending || error.isTransient else {
            // The service's clock may be ahead of the device's clock, so a code that expires soon is treated as
            // expired.
            guard case .otherScreen(let end) = place, end - uptime < Self.toleratedClockDifference else {
                return failure
            }
            return .newCode
        }
        // A single unreadable answer may have been truncated. A second one means that the service sends a format that
        // this version does not know, and waiting longer would not help the viewer.
        let isUnreadableAgain = wasUnreadable && error.isUnreadable
        wasUnreadable = error.isUnreadable
        switch place {
        case .otherScreen(let end): return uptime < end ? .pollAgain : .newCode
        case .thisScreen(let isCertain):
            let end = deadline ?? uptime + Self.timeLimit(isCertain)
            deadline = end
            if mayCome, !isUnreadableAgain, uptime < end { return .pollAgain }
            return isCertain || !error.isLoginPending ? failure : .backToPage
        }
    }

    /// The pause between two polls.
    ///
    /// The documents ask for three to five seconds.
    private static let pauseHere = Duration.seconds(3)
    private static let pauseOnOtherScreen = Duration.seconds(5)
    /// The time after the end of a code within which the last poll takes place.
    ///
    /// It is the pause, because the poll before it may have taken place immediately before the end.
    private static let toleranceOfLastPoll = pauseOnOtherScreen
    /// The time for which this screen waits for a login after the redirect.
    ///
    /// A viewer who cancelled on the provider's page returns with the same redirect as one who has logged in, and a
    /// late login arrives within seconds.
    private static func timeLimit(_ isCertain: Bool) -> Duration { isCertain ? .seconds(60) : pauseHere }
    /// The longest time for which a poll for a login on another screen is held back.
    private static let longestBackoff = Duration.seconds(600)
    /// The time by which a code may expire earlier than expected.
    private static let toleratedClockDifference = Duration.seconds(60)
}

extension ServiceError {
    /// A Boolean value that indicates whether the service answered in a form that no reader understands.
    fileprivate var isUnreadable: Bool {
        switch self {
        case .unreadable, .unreadableJSON: true
        default: false
        }
    }
}
