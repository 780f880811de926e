import AccessEnabler
public import UIKit

/// The scene delegate of an app with scenes, which receives URLs instead of the app's delegate.
public final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    /// Receives the URLs that started the app, which end a login that was begun before the app was closed.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        handOver(connectionOptions.urlContexts)
    }

    /// Receives the URLs that arrive while the app is running.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) { handOver(URLContexts) }

    private func handOver(_ contexts: Set<UIOpenURLContext>) {
        // The library ignores URLs that do not end a login.
        for context in contexts { Player.accessEnabler?.handleExternalURL(context.url.absoluteString) }
    }
}
