import AppleDevice
public import Foundation

/// The app.
@MainActor
public final class UIApplication {
    /// The app.
    public static let shared = UIApplication()

    private let scene = UIWindowScene()

    /// A key of the options with which a URL is opened.
    public struct OpenURLOptionsKey: Hashable, Sendable {}

    /// Its scenes; one of them has no windows.
    public var connectedScenes: Set<UIScene> { [scene, UIScene()] }
}

/// Receives events.
@MainActor
open class UIResponder: NSObject {}

/// Receives the app's events, among them URLs in an app without scenes.
///
/// Source: developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:open:options:).
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The system opens a URL of the app; false if the app cannot.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
}

/// A URL of the app that the system opens.
public struct UIOpenURLContext: Hashable, Sendable {
    /// The URL.
    public let url: URL

    /// Describes a URL.
    public init(url: URL) { self.url = url }
}

/// What the system keeps of a scene.
@MainActor
open class UISceneSession: NSObject {}

/// Receives a scene's events.
///
/// Source: developer.apple.com/documentation/uikit/uiscenedelegate: a URL that starts the app comes with the options of the connection,
/// any other by itself, and none through the app's delegate.
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene begins.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// The system opens URLs of the app.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

/// Receives the events of a scene with windows.
public protocol UIWindowSceneDelegate: UISceneDelegate {}

/// Part of an app's user interface.
@MainActor
open class UIScene: NSObject {
    /// Why a scene begins.
    public struct ConnectionOptions: Sendable {
        /// The URLs that started the app.
        public var urlContexts: Set<UIOpenURLContext>

        /// Describes a start.
        public init(urlContexts: Set<UIOpenURLContext>) { self.urlContexts = urlContexts }
    }
}

/// A scene with windows.
open class UIWindowScene: UIScene {
    private let window = UIWindow()

    /// Its windows.
    public var windows: [UIWindow] { [window] }
}

/// A window.
@MainActor
open class UIWindow: NSObject {
    /// Whether it receives keyboard input.
    public var isKeyWindow: Bool { AppleDevice.current.with(\.hasKeyWindow) }
}

/// A view controller.
@MainActor
open class UIViewController: NSObject {}
