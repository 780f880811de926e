import AccessEnabler
import AppleDevice
import Foundation
import OpenedURLs
import SwiftUI
import TVENetworking
import TVESandbox
import TVETestSupport
import Testing
import UIKit

extension AppleSide {
    /// Tests of each documented path by which a URL that the system opens reaches the library.
    struct OpenedURLTests {
        enum Way: CaseIterable { case sceneThatBegins, sceneThatRuns, appDelegate, swiftUI }

        private let device = AppleDevice.takeNew()

        @Test(arguments: Way.allCases, ServiceDialect.allCases)
        func endsTheLogin(way: Way, dialect: ServiceDialect) async throws {
            let app = await PhoneApp(.player, sandbox: try await PhoneApp.sandbox(), service: dialect)
            await MainActor.run { Player.accessEnabler = app.enabler }
            // Over REST API v2 the app sees no page unless it shows Safari itself.
            app.enabler.setOptions([OPTION_HANDLE_SVC: dialect == .restV2])
            app.enabler.setSelectedProvider("demo-cable")
            app.enabler.getAuthentication()
            let pages = await app.callbacks { $0.page != nil }
            guard let page = pages.last?.page,
                let end = await PhoneApp.walk(try #require(URL(string: page)), "adobepass")
            else {
                Issue.record("No page ends: \(pages)")
                return
            }
            await open(end, way)
            #expect(await app.callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
            await MainActor.run { Player.accessEnabler = nil }
        }

        @MainActor
        private func open(_ url: URL, _ way: Way) {
            let contexts: Set = [UIOpenURLContext(url: url)]
            let scene: any UISceneDelegate = SceneDelegate()
            switch way {
            case .sceneThatBegins:
                scene.scene(UIScene(), willConnectTo: UISceneSession(), options: .init(urlContexts: contexts))
            case .sceneThatRuns: scene.scene(UIScene(), openURLContexts: contexts)
            case .appDelegate:
                let delegate: any UIApplicationDelegate = AppDelegate()
                #expect(delegate.application(.shared, open: url, options: [:]))
            case .swiftUI: PlayerApp().body.opened(url)
            }
        }
    }
}
