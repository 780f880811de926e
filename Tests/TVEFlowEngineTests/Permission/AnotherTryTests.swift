import TVEModels
import TVENetworking
import Testing

@testable import TVEFlowEngine

/// Tests of the conditions under which an authorization whose login has ended is repeated.
struct AnotherTryTests {
    private static let denied = TVEError(.notAuthorized)
    private static let ended = TVEError(ServiceError.pendingLogout(PendingLogout()), during: .authorization)

    @Test(arguments: [
        (denied, true, true, false),
        // A call that may show another login, or has one, asks again, and no more.
        (ended, true, true, true), (ended, true, false, false), (ended, false, true, false),
        (ended, false, false, false),
    ])
    func isAllowed_onceAndOnlyForAnEndedLogin(error: TVEError, isFirst: Bool, hasLogin: Bool, isAllowed: Bool) {
        #expect(error.allowsAnotherTry(isFirst: isFirst, hasLogin: hasLogin) == isAllowed)
    }
}
