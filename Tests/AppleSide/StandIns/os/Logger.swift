// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names and their meanings are Apple's.

import AppleDevice

/// The severity of a line, with the values of os/log.h.
public struct OSLogType: Sendable, Hashable {
    public let rawValue: UInt8

    public static let `default` = OSLogType(rawValue: 0)
    /// The severity of helpful lines, which the system stores only in memory.
    public static let info = OSLogType(rawValue: 1)
    public static let error = OSLogType(rawValue: 16)
}

/// The visibility of a value in the log.
public enum OSLogPrivacy: Sendable {
    /// The value is always readable.
    case `public`
    /// The value is never readable.
    case `private`
    /// The value is readable if it is a number.
    case auto
}

/// A line of the log.
///
/// Source: developer.apple.com/documentation/os/oslogprivacy. Strings that the program interpolates are private unless
/// it states otherwise, and appear in the log as `<private>`.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text += literal }

        public mutating func appendInterpolation(
            _ value: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
        ) {
            text += privacy == .public ? value() : "<private>"
        }
    }

    let text: String

    public init(stringLiteral value: String) { text = value }

    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    public func log(level: OSLogType, _ message: OSLogMessage) {
        AppleDevice.current.with { $0.log.append("\(subsystem) \(category) \(level.rawValue) \(message.text)") }
    }
}
