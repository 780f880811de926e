import Foundation
import HTTPTypes

/// When a service wants the next request: the header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter: Equatable {
    case seconds(Int)
    case date(Date)

    /// - Returns: nil without the header, or with an invalid one.
    init?(_ response: HTTPResponse) {
        guard let text = response.headerFields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int(text), seconds >= 0 {
            self = .seconds(seconds)
        } else if let date = try? Date(text, strategy: Self.format) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Seconds from a given time on; 0 for a date that has passed.
    func seconds(from now: Date) -> TimeInterval {
        switch self {
        case .seconds(let seconds): TimeInterval(seconds)
        case .date(let date): max(0, date.timeIntervalSince(now))
        }
    }

    /// The only date format that services may send.
    private static let format = Date.ParseStrategy(
        format:
            "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
}
