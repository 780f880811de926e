public import ArgumentParser
import Foundation
public import TVEModels
public import TVENetworking
public import TVEStorage

// These extensions let ArgumentParser read the library's values from the command line.

extension RequestorID: ExpressibleByArgument {}
extension MVPDID: ExpressibleByArgument {}

extension OpaqueID where Self: ExpressibleByArgument {
    /// Creates an id from an argument, without the white space around it.
    ///
    /// Files of secrets and scripts with the line ends of Windows add some.
    public init?(argument: String) { self.init(argument.trimmingCharacters(in: .whitespacesAndNewlines)) }
}

extension OpaqueID {
    /// Refuses an id in quotation marks, which only a shell removes.
    func refuseQuotationMarks() throws {
        let marks: Set<Unicode.Scalar> = [
            "\"", "'", "`", "\u{AB}", "\u{BB}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{201E}",
        ]
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return }
        if marks.contains(first), marks.contains(last) { throw ValidationError(ArgumentFault.quotedID(text)) }
    }
}

extension Resource: ExpressibleByArgument {
    /// Creates a resource from an argument, which is used unchanged.
    public init?(argument: String) { self.init(argument) }

    /// Refuses a plain id with a line end before or after it, which is another resource.
    func refuseLineEnds() throws {
        let hasLineEnd = [text.utf8.first, text.utf8.last].contains { [0x0A, 0x0D].contains($0) }
        // A document in a file may end so.
        let isPlain = text.utf8.first(where: { $0 > 0x20 }) != UInt8(ascii: "<")
        if hasLineEnd, isPlain { throw ValidationError(ArgumentFault.lineEndAtResource) }
    }
}

extension IntegrityMode: ExpressibleByArgument {}

/// The number of a port on the command line.
enum PortNumber {
    /// Returns the port that an option names.
    ///
    /// - Throws: `ValidationError` for another text, such as `80x`.
    static func port(_ argument: String) throws -> UInt16 {
        guard let port = UInt16(argument) else { throw ValidationError(ArgumentFault.notAPort) }
        return port
    }
}

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
