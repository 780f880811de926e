package import Foundation

extension Date {
    /// The format of dates in HTTP headers, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// It is the only one that a service may send.
    package static let httpFormat = Date.ParseStrategy(
        format: httpPattern, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)

    private static let httpPattern: Date.FormatString = """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """

    /// The date as the value of an HTTP header, in whole seconds.
    package var httpText: String {
        formatted(
            Date.VerbatimFormatStyle(
                format: Self.httpPattern, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian)))
    }
}
