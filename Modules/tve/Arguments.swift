public import ArgumentParser
public import TVEModels
public import TVENetworking
public import TVEStorage

// How values are written on the command line.

extension RequestorID: ExpressibleByArgument {}
extension MVPDID: ExpressibleByArgument {}
extension Resource: ExpressibleByArgument {}

extension OpaqueID where Self: ExpressibleByArgument {
    /// Takes an id as it was typed.
    public init?(argument: String) { self.init(argument) }
}

extension IntegrityMode: ExpressibleByArgument {}

extension StorageKey: ExpressibleByArgument {
    /// Takes the key of an entry as `tve storage ls` shows it; nil when it is empty.
    public init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(rawValue: argument)
    }
}

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
