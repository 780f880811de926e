// What the code for Apple systems uses of UIKit, as far as a compiler must know it.
import Foundation

@MainActor
public final class UIDevice {
    public static var current: UIDevice { UIDevice() }
    public var identifierForVendor: UUID? { nil }
}

public final class UIPasteboard {
    public struct Name {
        public init(_ rawValue: String) {}
    }

    public init?(name: Name, create: Bool) {}
    public func data(forPasteboardType type: String) -> Data? { nil }
    public func setData(_ data: Data, forPasteboardType type: String) {}
}

@MainActor
open class UIViewController {
    public init() {}
}

@MainActor
open class UIWindow {
    public init() {}
    public var isKeyWindow: Bool { false }
}

@MainActor
open class UIScene: Hashable {
    nonisolated public static func == (left: UIScene, right: UIScene) -> Bool { left === right }
    nonisolated public func hash(into hasher: inout Hasher) {}
}

open class UIWindowScene: UIScene {
    public var windows: [UIWindow] { [] }
}

@MainActor
public final class UIApplication {
    public static var shared: UIApplication { UIApplication() }
    public var connectedScenes: Set<UIScene> { [] }
}
