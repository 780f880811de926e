// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names and their meanings are Apple's.

import AppleDevice
public import Foundation

@MainActor
public final class UIApplication {
    public static let shared = UIApplication()

    private let scene = UIWindowScene()
    /// Several displays, because the order of a set changes with each run.
    private let displays: [UIScene] = [
        ExternalDisplayScene(), ExternalDisplayScene(), ExternalDisplayScene(), ExternalDisplayScene(),
        ExternalDisplayScene(), ExternalDisplayScene(), ExternalDisplayScene(), ExternalDisplayScene(),
    ]

    public struct OpenURLOptionsKey: Hashable, Sendable {}

    /// The scenes of the app, one of which has no windows.
    public var connectedScenes: Set<UIScene> {
        let scenes: Set<UIScene> = [scene, UIScene()]
        return AppleDevice.current.with(\.scene.hasExternalDisplays) ? scenes.union(displays) : scenes
    }
}

@MainActor
open class UIResponder: NSObject {}

/// A delegate that receives the app's events, among them URLs in an app without scenes.
///
/// Source: developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:open:options:).
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// Receives a URL of the app that the system opens, and returns `false` if the app cannot open it.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
}

public struct UIOpenURLContext: Hashable, Sendable {
    public let url: URL

    public init(url: URL) { self.url = url }
}

/// The state of a scene that the system stores.
@MainActor
open class UISceneSession: NSObject {
    /// The purpose of a scene.
    ///
    /// Source: developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct.
    public struct Role: Hashable, Sendable {
        public let rawValue: String

        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
        public static let windowExternalDisplayNonInteractive = Role(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }

    public var role: Role { .windowApplication }
}

private final class ExternalDisplaySession: UISceneSession {
    override var role: Role { .windowExternalDisplayNonInteractive }
}

/// A delegate that receives a scene's events.
///
/// Source: developer.apple.com/documentation/uikit/uiscenedelegate. A URL that starts the app arrives in the options of
/// the connection and any other one in a call of its own. None arrives through the app's delegate.
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// Receives the options with which the scene begins.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// Receives URLs of the app that the system opens.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

public protocol UIWindowSceneDelegate: UISceneDelegate {}

/// A part of an app's user interface.
@MainActor
open class UIScene: NSObject {
    public enum ActivationState: Sendable {
        case unattached
        case foregroundActive
        case foregroundInactive
        case background
    }

    /// The name of the notification that a scene became active, which the system posts on the main thread.
    ///
    /// Source: developer.apple.com/documentation/uikit/uiscene/didactivatenotification.
    public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")

    public var activationState: ActivationState { .unattached }

    public var session: UISceneSession { UISceneSession() }

    /// The reasons for which a scene begins.
    public struct ConnectionOptions: Sendable {
        /// The URLs that started the app.
        public var urlContexts: Set<UIOpenURLContext>

        public init(urlContexts: Set<UIOpenURLContext>) { self.urlContexts = urlContexts }
    }
}

open class UIWindowScene: UIScene {
    private lazy var window = UIWindow(windowScene: self)

    public override var activationState: ActivationState {
        switch AppleDevice.current.with(\.scene.activation) {
        case .foregroundActive: .foregroundActive
        case .foregroundInactive: .foregroundInactive
        case .background: .background
        }
    }

    public var windows: [UIWindow] { AppleDevice.current.with(\.scene.window) == .missing ? [] : [window] }
}

/// The scene of a display that shows what the app draws for it, and takes no input.
private final class ExternalDisplayScene: UIWindowScene {
    override var session: UISceneSession { ExternalDisplaySession() }
}

@MainActor
open class UIWindow: NSObject {
    /// The scene of the window; a window without a scene is never on a screen.
    ///
    /// Source: developer.apple.com/documentation/uikit/uiwindow/init(windowscene:).
    public private(set) weak var windowScene: UIWindowScene?

    public init(windowScene: UIWindowScene) { self.windowScene = windowScene }

    public override init() {}

    /// A Boolean value that indicates whether the window receives keyboard input.
    public var isKeyWindow: Bool { AppleDevice.current.with(\.scene.window) == .key }

    public var rootViewController: UIViewController? { windowScene == nil ? nil : RootViewController() }
}

@MainActor
open class UIViewController: NSObject {
    /// The view controller that is over this one.
    public var presentedViewController: UIViewController? { nil }

    /// A Boolean value that indicates whether the animation runs with which the view controller disappears.
    public var isBeingDismissed: Bool { false }
}

/// The app's own view controller.
private final class RootViewController: UIViewController {
    override var presentedViewController: UIViewController? {
        AppleDevice.current.with(\.scene.isDismissing) ? DisappearingViewController() : nil
    }
}

private final class DisappearingViewController: UIViewController {
    override var isBeingDismissed: Bool { true }
}

@MainActor
public final class UIDevice {
    public static let current = UIDevice()

    /// The vendor's id for this device.
    ///
    /// Source: developer.apple.com/documentation/uikit/uidevice/identifierforvendor. The id is `nil` after a restart
    /// until the device is unlocked.
    public var identifierForVendor: UUID? {
        AppleDevice.current.with { state in
            guard state.passcode != .neverEntered, let app = state.running else { return nil }
            return state.vendorIDs[app.vendor]
        }
    }
}

/// A pasteboard.
///
/// UIKit's header does not state clearly whether the class is on the main actor. This one is, which is the stricter
/// reading, because code that compiles with it also compiles without it.
@MainActor
public final class UIPasteboard {
    public struct Name: Sendable, Hashable {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    private let place: Board.Place

    /// Opens a named board.
    ///
    /// Sources: developer.apple.com/documentation/uikit/uipasteboard (other apps of the same team see the board), the
    /// release notes of iOS 7 (an app of another team gets its own board under the same name, whereas before all apps
    /// shared one), and …/uipasteboard/init(name:create:), according to which the result is `nil` if there is no board
    /// and none may be created. The initializer may fail for other reasons, which are not documented. Here it fails
    /// without the pasteboard service.
    public init?(name: Name, create: Bool) {
        let place = AppleDevice.current.with { state -> Board.Place? in
            guard state.hasPasteboards, let app = state.running else { return nil }
            let place = Board.Place(team: state.systemVersion >= 7 ? app.teamID : nil, name: name.rawValue)
            if state.boards[place] == nil {
                guard create else { return nil }
                state.boards[place] = Board(maker: app.bundleID)
            }
            return place
        }
        guard let place else { return nil }
        self.place = place
    }

    public func data(forPasteboardType type: String) -> Data? {
        AppleDevice.current.with { $0.boards[place]?.item[type] }
    }

    /// Replaces all items with one.
    ///
    /// Source: developer.apple.com/documentation/uikit/uipasteboard/setdata(_:forpasteboardtype:).
    public func setData(_ data: Data, forPasteboardType type: String) {
        AppleDevice.current.with { $0.boards[place]?.item = [type: data] }
    }
}
