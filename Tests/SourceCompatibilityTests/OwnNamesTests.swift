import AccessEnabler
import Foundation
import TVETestTraits
import Testing

// An app has types of its own with the names of the library's types. Here, a bare name refers to the app's type.
private struct MVPD: Equatable { let id: String }
private enum Status { case playing }
private struct Decision { let isGood: Bool }
private final class PreauthorizeRequest {}
private final class PreauthorizeResponse {}
private final class AccessEnablerCallback {}
private enum IntegrityCheckType {}
private protocol EntitlementDelegate {}
private protocol EntitlementStatus {}
private protocol AutomaticBrowser {}
private struct PlatformViewController {}

/// An app with types that have the names of the library's types.
@Suite(.row("CO5"))
struct OwnNamesTests {
    /// Converts the library's list to the app's, as an app writes it.
    private func models(_ list: [Any]) -> [MVPD] {
        list.compactMap { ($0 as? AccessEnabler.MVPD).map { MVPD(id: $0.id) } }
    }

    @Test func theTypesOfTheLibrary_areMembersOfTheClass() {
        let list: [Any] = [
            AccessEnabler.MVPD(id: "a", displayName: "A", logoURL: ""), MVPD(id: "none of the library's"),
        ]
        #expect(models(list) == [MVPD(id: "a")])
        let error = AccessEnabler.Status(status: 403, code: "denied")
        let decision = AccessEnabler.Decision(id: "one", isAuthorized: false, error: error)
        let response = AccessEnabler.PreauthorizeResponse(decisions: [decision])
        #expect(response.getDecisions().first?.getError()?.getCode() == "denied")
        #expect(Decision(isGood: true).isGood && Status.playing == .playing)
    }

    @Test func eachHasASecondName() {
        let names: [(Any.Type, Any.Type)] = [
            (AccessEnabler.MVPD.self, AccessEnablerMVPD.self), (AccessEnabler.Status.self, AccessEnablerStatus.self),
            (AccessEnabler.Decision.self, AccessEnablerDecision.self),
            (AccessEnabler.PreauthorizeRequest.self, AccessEnablerPreauthorizeRequest.self),
            (AccessEnabler.PreauthorizeResponse.self, AccessEnablerPreauthorizeResponse.self),
            (AccessEnabler.IntegrityCheckType.self, AccessEnablerIntegrityCheckType.self),
            (
                AccessEnabler.AccessEnablerCallback<AccessEnabler.PreauthorizeResponse>.self,
                AccessEnablerResponseCallback<AccessEnablerPreauthorizeResponse>.self
            ),
            (AccessEnabler.PlatformViewController.self, AccessEnablerPlatformViewController.self),
            ((any AccessEnabler.EntitlementDelegate).self, (any AccessEnablerEntitlementDelegate).self),
            ((any AccessEnabler.EntitlementStatus).self, (any AccessEnablerEntitlementStatus).self),
            ((any AccessEnabler.AutomaticBrowser).self, (any AccessEnablerAutomaticBrowser).self),
        ]
        for (member, second) in names { #expect(member == second) }
    }

    /// A delegate conforms by the name of the member, and takes the library's types.
    @MainActor @Test func aDelegateConforms_byTheNameOfAMember() {
        let screen = Screen()
        let delegate: any AccessEnabler.EntitlementStatus = screen
        delegate.status(["errorId": "N000"])
        #expect(screen.codes == ["N000"])
    }
}

@MainActor
private final class Screen: NSObject, AccessEnabler.EntitlementStatus {
    var codes: [String] = []

    func status(_ statusDictionary: [AnyHashable: Any]!) { codes += statusDictionary.values.map { "\($0)" } }
}
