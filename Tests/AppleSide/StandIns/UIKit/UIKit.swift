// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names are Apple's, and so is what they mean.

import AppleDevice
public import Foundation

@MainActor
public final class UIApplication {
    public static let shared = UIApplication()

    private let scene = UIWindowScene()

    public struct OpenURLOptionsKey: Hashable, Sendable {}

    /// Its scenes; one of them has no windows.
    public var connectedScenes: Set<UIScene> { [scene, UIScene()] }
}

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

public struct UIOpenURLContext: Hashable, Sendable {
    public let url: URL

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

public protocol UIWindowSceneDelegate: UISceneDelegate {}

/// Part of an app's user interface.
@MainActor
open class UIScene: NSObject {
    public enum ActivationState: Sendable {
        case unattached
        case foregroundActive
        case foregroundInactive
        case background
    }

    public var activationState: ActivationState { .unattached }

    /// Why a scene begins.
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

@MainActor
open class UIWindow: NSObject {
    /// The scene that it belongs to; a window without one is never on a screen.
    ///
    /// Source: developer.apple.com/documentation/uikit/uiwindow/init(windowscene:).
    public private(set) weak var windowScene: UIWindowScene?

    public init(windowScene: UIWindowScene) { self.windowScene = windowScene }

    public override init() {}

    /// Whether it receives keyboard input.
    public var isKeyWindow: Bool { AppleDevice.current.with(\.scene.window) == .key }
}

@MainActor
open class UIViewController: NSObject {}

@MainActor
public final class UIDevice {
    public static let current = UIDevice()

    /// The vendor's id for this device.
    ///
    /// Source: developer.apple.com/documentation/uikit/uidevice/identifierforvendor: nil after a restart until the device is unlocked.
    public var identifierForVendor: UUID? {
        AppleDevice.current.with { state in
            guard state.passcode != .neverEntered, let app = state.running else { return nil }
            return state.vendorIDs[app.vendor]
        }
    }
}

/// A pasteboard.
///
/// On the main actor, which is the stricter of the two: UIKit's header can be read both ways, and code that compiles with this also compiles
/// without.
@MainActor
public final class UIPasteboard {
    public struct Name: Sendable, Hashable {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    private let place: Board.Place

    /// Opens a named board.
    ///
    /// Source: developer.apple.com/documentation/uikit/uipasteboard (other apps of the same team see it) with the
    /// release notes of iOS 7 (an app of another team gets its own board under the same name; before, all apps had
    /// one), and …/uipasteboard/init(name:create:): nil where there is no board and none is to be made. The initializer
    /// may fail for other reasons; which is not documented, here it does without the pasteboard service.
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
