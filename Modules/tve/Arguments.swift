public import ArgumentParser
public import TVEModels
public import TVENetworking
public import TVEStorage

// These extensions let ArgumentParser read the library's values from the command line.

extension RequestorID: ExpressibleByArgument {}
extension MVPDID: ExpressibleByArgument {}
extension Resource: ExpressibleByArgument {}

extension OpaqueID where Self: ExpressibleByArgument {
    /// Creates an id from an argument, which is used unchanged.
    public init?(argument: String) { self.init(argument) }
}

extension IntegrityMode: ExpressibleByArgument {}

extension StorageKey: ExpressibleByArgument {
    /// Creates a key as `tve storage ls` prints it, or returns `nil` if the argument is empty.
    public init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(rawValue: argument)
    }
}

extension ServiceDialect: ExpressibleByArgument {
    /// Creates a dialect from its name on the command line, or returns `nil` if the name is unknown.
    public init?(argument: String) {
        switch argument {
        case "classic": self = .classic
        case "v2": self = .restV2
        default: return nil
        }
    }

    /// The names of the dialects on the command line.
    public static var allValueStrings: [String] { ["classic", "v2"] }

    /// A description of each dialect, for help texts.
    public static var allValueDescriptions: [String: String] {
        ["classic": "the classic XML services", "v2": "REST API v2"]
    }

    /// The name of the dialect, for help texts.
    public var defaultValueDescription: String { self == .classic ? "classic" : "v2" }
}
