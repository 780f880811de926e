import Foundation
import HTTPTypes
import Testing

@testable import tve

/// Tests of the time with which `tve doctor` compares this machine's clock.
struct DoctorClockTests {
    @Test(
        arguments: [
            (nil, 0), ("0", 0), ("7200", 7_200), ("-5", 0), ("soon", 0), ("99999999999", 31_536_000),
            ("99999999999999999999", 0),
        ] as [(String?, TimeInterval)])
    func anAnswerOfACache_isAsOldAsItsAge(age: String?, seconds: TimeInterval) {
        var answer = HTTPResponse(status: .ok)
        answer.headerFields[.date] = "Sun, 06 Nov 1994 08:49:37 GMT"
        answer.headerFields[.age] = age
        #expect(DoctorChecks.time(of: answer) == Date(timeIntervalSince1970: 784_111_777 + seconds))
    }

    @Test func anAnswerWithoutADate_hasNoTime() {
        var answer = HTTPResponse(status: .ok)
        answer.headerFields[.age] = "7200"
        #expect(DoctorChecks.time(of: answer) == nil)
    }
}
