import AppleDevice
import AuthenticationServices
import Foundation
import Testing
import UIKit
import VideoSubscriberAccount

extension AppleSide {
    /// Tests of the stand-ins themselves: what an app must not do ends it, so that no other test can pass by doing it.
    struct TrapTests {
        /// A mistake for which Apple's framework raises an exception.
        enum Mistake: String, Codable, CaseIterable {
            case optionIsUnknown = "unknown option"
            case promptIsNoBoolean = "a prompt that is no Boolean object"
            case delegateIsMissing = "needs a delegate"
            case dialogIsPresentedLate = "presented"
            case dialogIsDismissedLate = "dismissed after"
        }

        @Test(arguments: Mistake.allCases)
        func endTheApp_thatMakesAMistake(mistake: Mistake) async throws {
            let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
                await Self.make(mistake)
            }
            let content = try #require(end).standardErrorContent
            let errors = String(decoding: content, as: UTF8.self)
            #expect(errors.contains("Exception: ") && errors.contains(mistake.rawValue))
        }

        /// Makes a mistake, and returns if nothing ends the app.
        @MainActor
        private static func make(_ mistake: Mistake) async {
            let device = AppleDevice.takeNew()
            device.run(.player)
            device.grantAccess { $0.choice = .closes }
            let manager = VSAccountManager()
            let app = IdleApp()
            switch mistake {
            case .optionIsUnknown:
                manager.checkAccessStatus(options: [VSCheckAccessOption(rawValue: "other"): true]) { _, _ in }
            case .promptIsNoBoolean:
                manager.checkAccessStatus(options: [.prompt: 1]) { _, _ in }
            case .delegateIsMissing:
                await request(from: manager)
            case .dialogIsPresentedLate:
                device.with { $0.dialogsOnScreen = { 0 } }
                manager.delegate = app
                await request(from: manager)
            case .dialogIsDismissedLate:
                device.with { $0.dialogsOnScreen = { 1 } }
                manager.delegate = app
                await request(from: manager)
            }
            withExtendedLifetime(app) {}
        }

        /// Waits for the answer to a request that may show a dialog.
        @MainActor
        private static func request(from manager: VSAccountManager) async {
            let request = VSAccountMetadataRequest()
            request.isInterruptionAllowed = true
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                _ = manager.enqueue(request) { _, _ in continuation.resume() }
            }
        }

        @MainActor @Test func aBrowser_failsWithoutAWindowInAScene() async throws {
            AppleDevice.takeNew().run(.player)
            let page = try #require(URL(string: "https://provider.example/login"))
            let window = LooseWindow()
            let withoutWindow = await Self.failure(of: page, over: nil)
            let withoutScene = await Self.failure(of: page, over: window)
            #expect(withoutWindow == ASWebAuthenticationSessionError.Code.presentationContextNotProvided.rawValue)
            #expect(withoutScene == ASWebAuthenticationSessionError.Code.presentationContextInvalid.rawValue)
        }

        /// Returns the code of the error with which a page does not open.
        @MainActor
        private static func failure(of page: URL, over window: LooseWindow?) async -> Int? {
            await withCheckedContinuation { continuation in
                let session = ASWebAuthenticationSession(url: page, callbackURLScheme: "adbe.example") { _, error in
                    continuation.resume(returning: (error as NSError?)?.code)
                }
                session.presentationContextProvider = window
                _ = session.start()
            }
        }
    }
}

/// An app that neither presents nor dismisses a dialog before its methods return.
private final class IdleApp: NSObject, VSAccountManagerDelegate {
    func accountManager(_ accountManager: VSAccountManager, present viewController: UIViewController) {}
    func accountManager(_ accountManager: VSAccountManager, dismiss viewController: UIViewController) {}
}

/// An app whose window belongs to no scene.
@MainActor
private final class LooseWindow: NSObject, ASWebAuthenticationPresentationContextProviding {
    nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        MainActor.assumeIsolated { UIWindow() }
    }
}
