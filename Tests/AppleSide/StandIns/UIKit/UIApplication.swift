import AppleDevice
public import Foundation

/// The app.
@MainActor
public final class UIApplication {
    /// The app.
    public static let shared = UIApplication()

    private let scene = UIWindowScene()

    /// Its scenes; one of them has no windows.
    public var connectedScenes: Set<UIScene> { [scene, UIScene()] }
}

/// Part of an app's user interface.
@MainActor
open class UIScene: NSObject {}

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
