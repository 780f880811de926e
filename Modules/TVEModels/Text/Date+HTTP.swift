package import Foundation

extension Date {
    /// The format of dates in HTTP headers, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// It is the only one that a service may send.
    package static let httpFormat = Date.ParseStrategy(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
}
