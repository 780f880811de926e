import AppleDevice

/// How grave a line is; the values of os/log.h.
public struct OSLogType: Sendable, Hashable {
    /// The value.
    public let rawValue: UInt8

    /// The usual level.
    public static let `default` = OSLogType(rawValue: 0)
    /// Helpful, and kept in memory only.
    public static let info = OSLogType(rawValue: 1)
    /// An error.
    public static let error = OSLogType(rawValue: 16)
}

/// Whether a value may be read in the log.
public enum OSLogPrivacy: Sendable {
    /// It may.
    case `public`
    /// It may not.
    case `private`
    /// It may if it is a number.
    case auto
}

/// A line of the log.
///
/// Source: developer.apple.com/documentation/os/oslogprivacy: texts that the program makes are private unless it says otherwise, and stand
/// in the log as `<private>`.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    /// What its parts make of it.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        /// Begins a line.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds what the programmer wrote.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds what the program made.
        public mutating func appendInterpolation(_ value: @autoclosure () -> String, privacy: OSLogPrivacy = .auto) {
            text += privacy == .public ? value() : "<private>"
        }
    }

    let text: String

    /// Takes a line without values.
    public init(stringLiteral value: String) { text = value }

    /// Takes a line with values.
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

/// Writes into the system's log.
public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    /// Makes a logger.
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    /// Writes a line.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        AppleDevice.current.with { $0.log.append("\(subsystem) \(category) \(level.rawValue) \(message.text)") }
    }
}
