// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// A named pasteboard.
public struct Board: Sendable, Hashable {
    /// The scope in which a name is looked up.
    public struct Place: Sendable, Hashable {
        /// The team that shares the board; `nil` for all apps.
        public var team: String?
        public var name: String

        public init(team: String?, name: String) {
            self.team = team
            self.name = name
        }
    }

    /// The bundle id of the app that created the board.
    public var maker: String
    /// The representations of the first item, by type.
    public var item: [String: Data] = [:]

    public init(maker: String) {
        self.maker = maker
    }
}
