import Foundation
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

/// Comparisons of a household's tokens, and the outcome of the logout of a whole household.
@Suite(.timeLimit(.hanging))
struct HouseholdOutcomeTests {
    private static func token(_ claims: String) -> ServiceToken {
        ServiceToken(value: "e30.\(Data(claims.utf8).base64URL).c2ln", expires: .distantFuture)
    }

    /// A token without a readable subject says nothing about its household, and must not end what another one has.
    @Test(
        arguments: [
            (#"{"sub":"a"}"#, #"{"sub":"a"}"#, false), (#"{"sub":"a"}"#, #"{"sub":"b"}"#, true),
            (#"{"sub":"a"}"#, nil, true), ("{}", nil, true), ("{}", #"{"sub":"b"}"#, false),
            (#"{"sub":"a"}"#, "{}", false), (#"{"sub":7}"#, #"{"sub":"b"}"#, false),
            (#"{"sub":"caf\u00e9"}"#, #"{"sub":"cafe\u0301"}"#, true),
        ] as [(String, String?, Bool)])
    func aTokenOfAnotherHousehold_isToldByItsSubject(claims: String, other: String?, isOther: Bool) {
        #expect(Self.token(claims).isOfOtherHousehold(than: other.map(Self.token)) == isOther)
    }

    enum Step: Sendable {
        case login, failure, noLogin, completion
    }

    @Test(
        arguments: [
            ([], false), ([.completion], false), ([.login], false), ([.login, .completion], true),
            ([.completion, .login], true), ([.login, .failure, .completion], false),
            ([.failure, .login, .completion], false), ([.noLogin], false), ([.noLogin, .completion], true),
            ([.failure, .noLogin, .completion], true), ([.noLogin, .failure, .completion], false),
        ] as [([Step], Bool)])
    func aLogout_isThatOfAllLogins_onlyIfItEndedThemAndWasComplete(steps: [Step], hasEndedAll: Bool) {
        let logout = HouseholdWideLogout()
        for step in steps {
            switch step {
            case .login: logout.recordEndedLogin()
            case .failure: logout.recordFailure()
            case .noLogin: logout.recordNoLogin()
            case .completion: logout.recordCompletion()
            }
        }
        #expect(logout.hasEndedAllLogins == hasEndedAll)
    }

    /// The logout is that of the task alone, and of what the task awaits.
    @Test func aLogout_isKnownToItsOwnTask() async {
        let logout = HouseholdWideLogout()
        let isCurrent = await logout.run { HouseholdWideLogout.current === logout }
        #expect(isCurrent && HouseholdWideLogout.current == nil)
    }
}
