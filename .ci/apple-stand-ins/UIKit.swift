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
