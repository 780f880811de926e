import AccessEnabler
public import UIKit

/// An app with scenes: URLs come to the scene's delegate, and never to the app's.
public final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    /// The app was not running: the login that such a URL ends was begun before the app was closed.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        handOver(connectionOptions.urlContexts)
    }

    /// The app was running.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) { handOver(URLContexts) }

    private func handOver(_ contexts: Set<UIOpenURLContext>) {
        // URLs that end no login have no effect.
        for context in contexts { Player.accessEnabler?.handleExternalURL(context.url.absoluteString) }
    }
}
