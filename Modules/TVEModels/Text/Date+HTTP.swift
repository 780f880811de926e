package import Foundation

extension Date {
    private static let httpPattern: Date.FormatString = """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """

    /// The formats of dates in HTTP headers (RFC 9110, 5.6.7).
    ///
    /// A service may send only the first one, for example `Sun, 06 Nov 1994 08:49:37 GMT`. The other two are those of
    /// old servers: `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    private static let httpFormats: [Date.ParseStrategy] = [
        httpPattern,
        """
        \(weekday: .wide), \(day: .twoDigits)-\(month: .abbreviated)-\(year: .twoDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """,
        """
        \(weekday: .abbreviated) \(month: .abbreviated) \(day: .defaultDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) \(year: .padded(4))
        """,
    ].map { Date.ParseStrategy(format: $0, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt) }

    /// Creates a date from the value of an HTTP header, or returns nil for any other text.
    package init?(httpText text: String) {
        // The day of the third format has a blank in place of a first digit.
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        let text = words.joined(separator: " ")
        let dates = Self.httpFormats.lazy.compactMap { try? Date(text, strategy: $0) }
        // A lenient parser takes the two digits of the second format for a year of the first century.
        guard let date = dates.first(where: { $0.timeIntervalSince1970 >= 0 }) else { return nil }
        self = date
    }

    /// The date as the value of an HTTP header, in whole seconds.
    package var httpText: String {
        formatted(
            Date.VerbatimFormatStyle(
                format: Self.httpPattern, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian)))
    }
}
