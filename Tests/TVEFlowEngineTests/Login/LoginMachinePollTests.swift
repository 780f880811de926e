import Foundation
import TVEModels
import TVENetworking
import Testing

@testable import TVEFlowEngine

/// The last moments in which a login is polled for, in the login machine.
struct LoginMachinePollTests {
    private static let pending = ServiceError.notLoggedIn

    private static func poll(_ place: LoginPoll.Place) -> LoginPoll {
        let page = LoginPage(
            step: .typeCode, requestorID: "DEMO", mvpdID: "demo-cable", registrationCode: "CODE",
            expires: Date(timeIntervalSince1970: 2_000))
        return LoginPoll(page: page, place: place)
    }

    private static func word(_ decision: LoginPoll.Decision) -> String {
        switch decision {
        case .pollAgain: "poll again"
        case .backToPage: "back to the page"
        case .newCode: "new code"
        case .fail: "fail"
        }
    }

    /// The clocks of the service and the device may differ by a minute.
    ///
    /// Before that, a code does not end by itself.
    @Test(arguments: [(0, "fail"), (1_840, "fail"), (1_841, "new code"), (1_899, "new code"), (1_901, "new code")])
    func aCodeThatHasEnded_isReplaced_inItsLastMinute(seconds: Int, decision: String) {
        var poll = Self.poll(.otherScreen(codeEnds: .seconds(1_900)))
        #expect(Self.word(poll.decision(after: .codeExpired(Self.pending), uptime: .seconds(seconds))) == decision)
    }

    @Test(arguments: [
        (true, [100, 159, 160], ["poll again", "poll again", "fail"]),
        (false, [100, 102, 103], ["poll again", "poll again", "back to the page"]),
    ])
    func aLoginThatIsLate_isPolledFor_aMinuteOrThreeSeconds(isCertain: Bool, polls: [Int], decisions: [String]) {
        var poll = Self.poll(.thisScreen(isCertain: isCertain))
        var found: [String] = []
        for seconds in polls {
            let missing = MissingLogin.notYet(Self.pending, mayCome: true)
            found.append(Self.word(poll.decision(after: missing, uptime: .seconds(seconds))))
        }
        #expect(found == decisions)
    }

    /// The poll before may have taken place immediately before the end of the code.
    @Test(arguments: [(1_899, false), (1_904, false), (1_905, true), (9_000, true)])
    func aCodeThatHasEnded_isPolledForOnceMore_withinFiveSeconds(seconds: Int, isTooLate: Bool) {
        let uptime = Duration.seconds(seconds)
        #expect(Self.poll(.otherScreen(codeEnds: .seconds(1_900))).isTooLate(at: uptime) == isTooLate)
        #expect(!Self.poll(.thisScreen(isCertain: true)).isTooLate(at: uptime))
    }

    /// Only a login that is missing may mean that the viewer is still at the page.
    @Test(
        arguments: [
            (true, .notLoggedIn, "fail"), (true, .transport(.unreachable), "fail"),
            (false, .notLoggedIn, "back to the page"), (false, .transport(.unreachable), "fail"),
        ] as [(Bool, ServiceError, String)])
    func aLoginThatCannotComeLater_isPolledForOnce(isCertain: Bool, error: ServiceError, decision: String) {
        var poll = Self.poll(.thisScreen(isCertain: isCertain))
        let missing = MissingLogin.notYet(error, mayCome: false)
        #expect(Self.word(poll.decision(after: missing, uptime: .seconds(100))) == decision)
    }

    /// The call would have the recovery `retry` for the same error, so a code that is shown must not end with it.
    @Test(arguments: [
        (429, "too_many_requests", "none", true), (429, "too_many_requests", "configuration", false),
        (200, "internal_server_error", "none", true), (503, "something_new", "none", true),
        (503, "something_new", "configuration", false), (503, "something_new", "application-registration", false),
        (400, "something_new", "retry", true), (400, "something_new", "none", false),
        (500, "invalid_configuration_temporary_access", "none", false),
    ])
    func aFailureOfTheService_mayPass(status: Int, code: String, action: String, mayPass: Bool) {
        let error = ServiceError(EnhancedError(status: status, code: code, action: action))
        #expect(error.isTransient == mayPass)
    }
}
