// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names are Apple's, and so is what they mean.

import AppleDevice

/// The severity of a line; the values of os/log.h.
public struct OSLogType: Sendable, Hashable {
    public let rawValue: UInt8

    public static let `default` = OSLogType(rawValue: 0)
    /// Helpful, and kept in memory only.
    public static let info = OSLogType(rawValue: 1)
    public static let error = OSLogType(rawValue: 16)
}

/// Whether a value is readable in the log.
public enum OSLogPrivacy: Sendable {
    /// Always readable.
    case `public`
    /// Never readable.
    case `private`
    /// Readable if it is a number.
    case auto
}

/// A line of the log.
///
/// Source: developer.apple.com/documentation/os/oslogprivacy: strings that the program interpolates are private unless
/// it says otherwise, and appear in the log as `<private>`.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text += literal }

        public mutating func appendInterpolation(_ value: @autoclosure () -> String, privacy: OSLogPrivacy = .auto) {
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
