public import ArgumentParser
public import TVENetworking

extension ServiceDialect: ExpressibleByArgument {
    /// Parses the command line's name of a dialect.
    public init?(argument: String) {
        switch argument {
        case "classic": self = .classic
        case "v2": self = .restV2
        default: return nil
        }
    }

    /// The possible names.
    public static var allValueStrings: [String] { ["classic", "v2"] }

    /// A description of each, for help texts.
    public static var allValueDescriptions: [String: String] {
        ["classic": "the classic XML services", "v2": "REST API v2"]
    }

    /// The name, for help texts.
    public var defaultValueDescription: String { self == .classic ? "classic" : "v2" }
}
