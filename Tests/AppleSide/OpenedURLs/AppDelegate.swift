import AccessEnabler
public import Foundation
public import UIKit

/// An app without scenes, which does not launch when it is built with the SDK of Xcode 27.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// Receives every URL of the app, including the one that started it.
    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        Player.accessEnabler?.handleExternalURL(url.absoluteString)
        return true
    }
}
