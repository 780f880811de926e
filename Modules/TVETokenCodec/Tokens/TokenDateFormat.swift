package import TVEModels

/// A format of the dates in tokens, which is parsed and printed without a formatter.
///
/// AuthN and AuthZ tokens have `yyyy/MM/dd HH:mm:ss GMT ±hhmm`, where `GMT` is a literal word and the offset is that of
/// the printed local time. `_GMT` is accepted too. Media tokens have `yyyy-MM-dd HH:mm:ss ±hhmm` (wire protocol,
/// dates).
package enum TokenDateFormat {
    /// The format of AuthN and AuthZ tokens, with slashes and the literal `GMT`.
    case entitlement
    /// The format of media tokens, with dashes.
    case media

    /// The largest offset that is read, in minutes: 18:59.
    private static let largestOffset = 18 * 60 + 59
    /// The seconds from 1970 to the first second of the year 0.
    private static let earliest: Int64 = -62_167_219_200
    /// The seconds from 1970 to the last second of the year 9999.
    private static let latest: Int64 = 253_402_300_799

    /// Returns the instant of a text, or nil if it does not have exactly this form or there is no such day or time.
    package func parse(_ text: String) -> TokenDate? {
        text.withUTF8Span(parse)
    }

    /// Returns the instant of a text's bytes, or nil if they do not have exactly this form or there is no such day or
    /// time.
    func parse(_ bytes: Span<UInt8>) -> TokenDate? {
        let separator = self == .entitlement ? UInt8(ascii: "/") : UInt8(ascii: "-")
        // The columns are fixed: date and time have 19 bytes, the literal word 4, and the offset 6.
        guard bytes.count == (self == .entitlement ? 29 : 25),
            bytes[4] == separator, bytes[7] == separator, bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            self == .media || Self.isLiteralGMT(bytes),
            let offset = Self.offset(bytes, at: bytes.count - 6)
        else { return nil }
        guard let century = Self.pair(bytes, at: 0), let yearOfCentury = Self.pair(bytes, at: 2),
            let month = Self.pair(bytes, at: 5), let day = Self.pair(bytes, at: 8),
            let hour = Self.pair(bytes, at: 11), let minute = Self.pair(bytes, at: 14),
            let second = Self.pair(bytes, at: 17)
        else { return nil }
        let year = century * 100 + yearOfCentury
        guard (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month, day: day)
        let local = Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        return TokenDate(secondsSince1970: local - Int64(offset) * 60, utcOffsetMinutes: offset)
    }

    /// Prints an instant in the local time of its offset.
    ///
    /// Years have four digits, and an offset has at most 18 hours. Instants and offsets beyond that are printed as the
    /// nearest ones within, because the caller's numbers may come from anywhere.
    package func print(_ date: TokenDate) -> String {
        let offset = min(max(date.utcOffsetMinutes, -Self.largestOffset), Self.largestOffset)
        let shift = Int64(offset) * 60
        let local = min(max(date.secondsSince1970, Self.earliest - shift), Self.latest - shift) + shift
        let days = Int(local.floorDivided(by: 86_400))
        let second = Int(local - Int64(days) * 86_400)
        let (year, month, day) = Self.civil(daysSince1970: days)
        let separator = self == .entitlement ? "/" : "-"
        let sign = offset < 0 ? "-" : "+"
        let minutes = abs(offset)
        return Self.digits(year, 4) + separator + Self.digits(month, 2) + separator + Self.digits(day, 2) + " "
            + Self.digits(second / 3_600, 2) + ":" + Self.digits(second / 60 % 60, 2) + ":"
            + Self.digits(second % 60, 2)
            + (self == .entitlement ? " GMT " : " ") + sign + Self.digits(minutes / 60, 2)
            + Self.digits(minutes % 60, 2)
    }

    /// Returns a Boolean value that indicates whether the word after the time is `GMT`, preceded by a blank or an
    /// underscore.
    private static func isLiteralGMT(_ bytes: Span<UInt8>) -> Bool {
        (bytes[19] == UInt8(ascii: " ") || bytes[19] == UInt8(ascii: "_")) && bytes[20] == UInt8(ascii: "G")
            && bytes[21] == UInt8(ascii: "M") && bytes[22] == UInt8(ascii: "T")
    }

    /// Returns the offset in minutes, from a blank, a sign, hours up to 18, and minutes.
    private static func offset(_ bytes: Span<UInt8>, at start: Int) -> Int? {
        guard bytes[start] == UInt8(ascii: " "), let hours = pair(bytes, at: start + 2),
            let minutes = pair(bytes, at: start + 4), hours <= 18, minutes < 60
        else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -hours * 60 - minutes
        default: return nil
        }
    }

    /// Returns the number of two digits, or nil if one of the bytes is not a digit.
    private static func pair(_ bytes: Span<UInt8>, at start: Int) -> Int? {
        // A byte below the digits becomes a large number. A token has eighteen of these digits, so each is read once.
        let tens = bytes[start] &- UInt8(ascii: "0")
        let ones = bytes[start + 1] &- UInt8(ascii: "0")
        guard tens < 10, ones < 10 else { return nil }
        return Int(tens &* 10 &+ ones)
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days from 1970-01-01 in the proleptic Gregorian calendar.
    ///
    /// They are computed with years that begin in March, so that the leap day is the last day of its year.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = marchYear.floorDivided(by: 4) - marchYear.floorDivided(by: 100) + marchYear.floorDivided(by: 400)
        return marchYear * 365 + leapDays + dayOfYear - 719_468
    }

    /// Returns the date for a number of days, as the inverse of ``daysSince1970(year:month:day:)``.
    private static func civil(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSince1970 + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

extension BinaryInteger {
    /// Divides and rounds towards minus infinity, as calendars require before 1970.
    fileprivate func floorDivided(by divisor: Self) -> Self {
        let quotient = self / divisor
        return self % divisor != 0 && (self < 0) != (divisor < 0) ? quotient - 1 : quotient
    }
}
