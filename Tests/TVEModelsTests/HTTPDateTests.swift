import Foundation
import TVEModels
import Testing

/// Dates in HTTP headers, in the three forms that a recipient must read (RFC 9110, 5.6.7).
struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("Wed Nov 16 08:49:37 1994", "Wed, 16 Nov 1994 08:49:37 GMT"),
            ("Tuesday, 01-Dec-26 10:53:00 GMT", "Tue, 01 Dec 2026 10:53:00 GMT"),
            ("Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"), ("soon", nil), ("", nil), ("0", nil),
            ("-1", nil), ("1994-11-06T08:49:37Z", nil), ("Sun, 06 Nov 0094 08:49:37 GMT", nil),
        ] as [(String, String?)])
    func isReadInEachForm(text: String, date: String?) {
        #expect(Date(httpText: text)?.httpText == date)
    }

    @Test func isWrittenInTheFirstForm() {
        #expect(Date(timeIntervalSince1970: 784_111_777.9).httpText == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
