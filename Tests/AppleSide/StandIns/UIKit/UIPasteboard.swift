import AppleDevice
public import Foundation

/// A pasteboard.
///
/// On the main actor, which is the stricter of the two: UIKit's header can be read both ways, and code that compiles with this also compiles
/// without.
@MainActor
public final class UIPasteboard {
    /// A pasteboard's name.
    public struct Name: Sendable, Hashable {
        /// The text.
        public let rawValue: String

        /// Makes a name.
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

    /// The first item's bytes of a type.
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
