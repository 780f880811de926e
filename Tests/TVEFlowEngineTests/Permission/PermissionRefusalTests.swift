import TVEModels
import Testing

@testable import TVEFlowEngine

/// Tests of the conditions under which an authorization whose login has ended is repeated.
struct PermissionRefusalTests {
    private static let denied = PermissionRefusal(error: TVEError(.notAuthorized))
    private static let ended = PermissionRefusal(error: TVEError(.notAuthenticated), isLoginOver: true)
    private static let endedWithAnother = PermissionRefusal(
        error: TVEError(.notAuthenticated), isLoginOver: true, hasOtherLogin: true)

    @Test(arguments: [
        (denied, true, true, false),
        // A call that may show another login, or has one, asks again, and no more.
        (ended, true, true, true), (ended, true, false, false), (endedWithAnother, true, false, true),
        (ended, false, true, false), (endedWithAnother, false, false, false), (endedWithAnother, false, true, false),
    ])
    func allowsAnotherTry_onceAndOnlyForAnEndedLogin(
        refusal: PermissionRefusal, isFirst: Bool, mayShowLogin: Bool, isAllowed: Bool
    ) {
        #expect(refusal.allowsAnotherTry(isFirst: isFirst, mayShowLogin: mayShowLogin) == isAllowed)
    }
}
