import Foundation
import TVEModels
import TVENetworking
import Testing

@testable import TVEFlowEngine

/// The parameters of a login that several calls share, in the login machine.
struct SharedLoginMachineTests {
    private static func called(_ number: Int, _ data: [String: MetadataValue]) -> LoginEvent {
        .called(CallID(number: number), LoginParameters(data: data, presenter: ViewerWhoWaits()))
    }

    private static func page(_ step: LoginPage.Step, code: String = "CODE") -> LoginPage {
        LoginPage(
            step: step, requestorID: "DEMO", mvpdID: "demo-cable", registrationCode: code,
            expires: Date(timeIntervalSince1970: 2_000))
    }

    /// The login has begun with them, and belongs to one viewer.
    @Test func theDataOfTheFirstCall_stay() {
        var machine = LoginMachine()
        _ = machine.handle(Self.called(1, ["email": "0f3c"]))
        _ = machine.handle(Self.called(2, ["email": "77aa"]))
        #expect(machine.attempt?.parameters.data == ["email": "0f3c"])
        #expect(machine.attempt?.hasNewData == false && machine.attempt?.calls.count == 2)
    }

    @Test func aCallWithoutData_bringsNothingNew() {
        var machine = LoginMachine()
        for number in 1...2 { _ = machine.handle(Self.called(number, [:])) }
        #expect(machine.attempt?.hasNewData == false && machine.attempt?.calls.count == 2)
    }

    /// The service misses the viewer's id again, although the login has begun anew with the data of the second call.
    @Test func theDataOfASecondCall_areSentOnce() {
        var machine = LoginMachine()
        _ = machine.handle(Self.called(1, [:]))
        let ladder = AuthenticationLadder(remembered: "demo-cable", lastLoginSucceeded: true)
        _ = machine.handle(.ended(.cleared(ladder)))
        _ = machine.handle(Self.called(2, ["email": "0f3c"]))
        #expect(machine.attempt?.parameters.data == ["email": "0f3c"] && machine.attempt?.hasNewData == true)
        for isRunning in [true, false] {
            _ = machine.handle(.ended(.opened(Self.page(.nothing), codeEnds: .seconds(1_800))))
            _ = machine.handle(.ended(.failed(TVEError(.viewerIdentityMissing))))
            #expect(machine.isRunning == isRunning && machine.attempt?.hasNewData != true)
        }
    }

    /// Another failure would only come again.
    @Test func theDataOfASecondCall_areNotSentAfterAnotherFailure() {
        var machine = LoginMachine()
        _ = machine.handle(Self.called(1, [:]))
        let ladder = AuthenticationLadder(remembered: "demo-cable", lastLoginSucceeded: true)
        _ = machine.handle(.ended(.cleared(ladder)))
        _ = machine.handle(Self.called(2, ["email": "0f3c"]))
        _ = machine.handle(.ended(.opened(Self.page(.nothing), codeEnds: .seconds(1_800))))
        _ = machine.handle(.ended(.failed(TVEError(.authenticationFailed))))
        #expect(!machine.isRunning)
    }

    /// The viewer has finished both pages, and the login is that of the second one.
    @Test func theRedirectOfAnotherPage_endsTheLoginThatOneHasResumed() {
        let step = LoginPage.Step.open(URL(fileURLWithPath: "/login"), redirect: URL(fileURLWithPath: "/end"))
        var machine = LoginMachine()
        for (number, code) in [(1, "FIRST"), (2, "SECOND")] {
            _ = machine.handle(.redirected(CallID(number: number), Self.page(step, code: code)))
        }
        #expect(machine.attempt?.calls == [CallID(number: 2)])
    }

    /// A login that a redirect has resumed has no screen until a call brings one, which later calls do not replace.
    @Test func theScreenOfAResumedLogin_isThatOfTheFirstCall() throws {
        let step = LoginPage.Step.open(URL(fileURLWithPath: "/login"), redirect: URL(fileURLWithPath: "/end"))
        var machine = LoginMachine()
        _ = machine.handle(.redirected(CallID(number: 1), Self.page(step)))
        #expect(machine.attempt?.isOfRedirect == true && machine.attempt?.parameters.presenter == nil)
        _ = machine.handle(Self.called(2, ["email": "0f3c"]))
        _ = machine.handle(Self.called(3, ["email": "77aa"]))
        #expect(machine.attempt?.parameters.presenter != nil)
        #expect(machine.attempt?.parameters.data == ["email": "0f3c"])
    }
}
