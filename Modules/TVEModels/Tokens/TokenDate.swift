public import Foundation

/// An instant in the form that tokens print: seconds since 1970 and the UTC offset of the printed local time.
///
/// The offset does not change the instant; it is stored so that a token can be printed again byte for byte.
public struct TokenDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public var secondsSince1970: Int64
    /// The offset of the printed local time from UTC, in minutes, east positive.
    public var utcOffsetMinutes: Int

    /// Creates an instant.
    ///
    /// - Parameters:
    ///   - secondsSince1970: whole seconds since 1970-01-01T00:00:00Z.
    ///   - utcOffsetMinutes: offset of the printed local time from UTC, in minutes, east positive.
    public init(secondsSince1970: Int64, utcOffsetMinutes: Int = 0) {
        self.secondsSince1970 = secondsSince1970
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    /// The instant as a `Date`.
    public var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }

    /// Compares the instants and ignores the offsets.
    public static func < (left: TokenDate, right: TokenDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}
