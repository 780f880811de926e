import Foundation
import TVEModels
import TVENetworking
import Testing

@testable import TVEFlowEngine

/// The parameters of a login that several calls share.
struct JoinedLoginTests {
    private static func called(_ number: Int, _ data: [String: MetadataValue]) -> LoginEvent {
        .called(CallID(number: number), LoginParameters(data: data, presenter: ViewerWhoWaits()))
    }

    /// The login has begun with them, and belongs to one viewer.
    @Test func theDataOfTheFirstCall_stay() {
        var machine = LoginMachine()
        _ = machine.handle(Self.called(1, ["email": "0f3c"]))
        _ = machine.handle(Self.called(2, ["email": "77aa"]))
        #expect(machine.attempt?.parameters.data == ["email": "0f3c"])
        #expect(machine.attempt?.hasNewData == false && machine.attempt?.calls.count == 2)
    }

    /// A login that a redirect has resumed has no screen until a call brings one, which later calls do not replace.
    @Test func theScreenOfAResumedLogin_isThatOfTheFirstCall() throws {
        let page = LoginPage(
            step: .open(URL(fileURLWithPath: "/login"), redirect: URL(fileURLWithPath: "/end")), requestorID: "DEMO",
            mvpdID: "demo-cable", registrationCode: "CODE", expires: Date(timeIntervalSince1970: 2_000))
        var machine = LoginMachine()
        _ = machine.handle(.redirected(CallID(number: 1), page))
        #expect(machine.attempt?.isOfRedirect == true && machine.attempt?.parameters.presenter == nil)
        _ = machine.handle(Self.called(2, ["email": "0f3c"]))
        _ = machine.handle(Self.called(3, ["email": "77aa"]))
        #expect(machine.attempt?.parameters.presenter != nil)
        #expect(machine.attempt?.parameters.data == ["email": "0f3c"])
    }
}
