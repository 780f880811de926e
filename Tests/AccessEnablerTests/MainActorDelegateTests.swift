import AccessEnabler
import Foundation
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// A delegate of the main actor, as Swift 6 apps write them: it compiles without `@preconcurrency`.
@Suite(.fewAtATime, .timeLimit(.hanging))
@MainActor
struct MainActorDelegateTests {
    @available(macOS 15, iOS 18, tvOS 18, *)
    @Test(.row("CO4")) func isCalledOnTheMainActor() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let environment = SessionEnvironment(
            storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: AccessEnabler.redirectURL)
        let enabler = AccessEnabler(sandbox.softwareStatement, environment: environment)
        let screen = Screen()
        enabler.delegate = screen
        enabler.statusDelegate = screen
        enabler.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString])
        enabler.checkAuthentication()
        var words = screen.words.stream.makeAsyncIterator()
        var heard: [String] = []
        while heard.count < 3, let word = await words.next(isolation: #isolation) { heard.append(word) }
        #expect(heard == ["requestor 1", "status N000", "authentication 0"])
        #expect(screen.isLoggedIn == false)
    }

    @Test func waitsForCallbacks_fromTheMainActor() async throws {
        let recorder = CallbackRecorder()
        recorder.setRequestorComplete(1)
        let wanted = ClassicCallback.requestorComplete(1)
        #expect(await recorder.callbacks(until: { $0 == wanted }, within: .hanging) == [wanted])
    }
}

@MainActor
private final class Screen: NSObject, EntitlementDelegate, EntitlementStatus {
    let words = AsyncStream<String>.makeStream()
    var isLoggedIn: Bool?

    func setRequestorComplete(_ status: Int32) { say("requestor \(status)") }

    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {
        isLoggedIn = status == ACCESS_ENABLER_STATUS_SUCCESS
        say("authentication \(status)")
    }

    func status(_ statusDictionary: [AnyHashable: Any]!) { say("status \(statusDictionary["errorId"] ?? "")") }

    func displayProviderDialog(_ mvpds: [Any]!) {}
    func navigate(toUrl url: String!) {}
    func presentTvProviderDialog(_ viewController: PlatformViewController!) {}
    func dismissTvProviderDialog(_ viewController: PlatformViewController!) {}
    func selectedProvider(_ mvpd: MVPD!) {}
    func setToken(_ token: String!, forResource resource: String!) {}
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}

    private func say(_ word: String) {
        MainActor.assertIsolated()
        words.continuation.yield(word)
    }
}
