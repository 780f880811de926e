import Foundation
import HTTPTypes
import Testing

@testable import tve

/// Tests of the time with which `tve doctor` compares this machine's clock.
struct DoctorClockTests {
    private static let date = Date(timeIntervalSince1970: 784_111_777)

    private func answer(age: String?) -> HTTPResponse {
        var answer = HTTPResponse(status: .ok)
        answer.headerFields[.date] = "Sun, 06 Nov 1994 08:49:37 GMT"
        answer.headerFields[.age] = age
        return answer
    }

    @Test(
        arguments: [
            (nil, [0]), ("0", [0]), ("7200", [0, 7_200]), ("-5", [0]), ("soon", [0]),
            ("99999999999", [0, 31_536_000]), ("99999999999999999999", [0]),
        ] as [(String?, [TimeInterval])])
    func anAnswerOfACache_mayBeAsOldAsItsAge(age: String?, seconds: [TimeInterval]) {
        #expect(DoctorChecks.times(of: answer(age: age)) == seconds.map { Self.date.addingTimeInterval($0) })
    }

    /// A cache can also send its own date with the age.
    @Test(
        arguments: [
            (nil, 120, .good, "differ by 120 s"), (nil, 121, .bad, "121 s ahead"),
            (nil, -120, .good, "differ by 120 s"), (nil, -121, .bad, "121 s behind"),
            (nil, 0, .good, "differ by 0 s"), (nil, 7_200, .bad, "7200 s ahead"), (nil, -7_200, .bad, "7200 s behind"),
            ("60", 0, .good, "differ by 60 s"), ("60", 7_200, .bad, "7140 s ahead"),
            ("60", -7_200, .bad, "7260 s behind"),
            // The clock is right for one of the two dates, or is ahead of one of them and behind the other.
            ("7200", 0, .note, "time is unknown"), ("7200", 7_200, .note, "time is unknown"),
            ("7200", 3_600, .note, "time is unknown"),
            ("7200", 9_000, .bad, "1800 s ahead"), ("7200", -1_800, .bad, "9000 s behind"),
        ] as [(String?, TimeInterval, Finding.State, String)])
    func theClockIsWrong_whereNoReadingOfTheDateIsRight(
        age: String?, offset: TimeInterval, state: Finding.State, text: String
    ) {
        let now = Self.date.addingTimeInterval(offset)
        let finding = DoctorChecks.clock(DoctorChecks.times(of: answer(age: age)), at: now)
        #expect(finding.state == state && finding.text.contains(text), "\(finding.text)")
    }

    @Test func anAnswerWithoutADate_hasNoTime() {
        var answer = HTTPResponse(status: .ok)
        answer.headerFields[.age] = "7200"
        #expect(DoctorChecks.times(of: answer).isEmpty)
        #expect(DoctorChecks.clock([], at: Self.date).state == .note)
    }
}
