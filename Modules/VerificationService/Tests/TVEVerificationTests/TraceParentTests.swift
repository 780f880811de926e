import Foundation
import TVEModels
import TVETokenVerification
import Testing

@testable import TVEVerification

struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test(arguments: [
        ("00-TRACE-00f067aa0ba902b7-01", true), ("cc-TRACE-00f067aa0ba902b7-01-what-the-future-brings", true),
        ("", false), ("00", false), ("ff-TRACE-00f067aa0ba902b7-01", false),
        ("00-TRACE-00f067aa0ba902b7-01-more", false), ("00-UPPER-00f067aa0ba902b7-01", false),
        ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false), ("00-TRACE-0000000000000000-01", false),
        ("00-TRACEx-00f067aa0ba902b7-01", false), ("00-TRACE-00f067aa0ba902b7-0", false),
        (String(repeating: "0-", count: 100_000), false),
    ])
    func isRead_orIgnored(header: String, isTrace: Bool) {
        let found = TraceParent(
            header.replacingOccurrences(of: "TRACE", with: Self.trace)
                .replacingOccurrences(of: "UPPER", with: Self.trace.uppercased()))
        #expect(found?.traceID == (isTrace ? Self.trace : nil))
        #expect(found?.parentID == (isTrace ? "00f067aa0ba902b7" : nil))
    }

    @Test func jsonText_escapesWhatJSONNeeds() throws {
        var text = JSONText()
        let odd = "\"\\\u{0}\u{1f}\u{7f}\n/é😀"
        text.begin("{")
        text.field("a", odd)
        text.name("b")
        text.begin("[")
        text.begin("{")
        text.end("}")
        text.begin("{")
        text.field("c", 1)
        text.field("d", false)
        text.end("}")
        text.end("]")
        text.end("}")
        let read = try JSONSerialization.jsonObject(with: Data(text.bytes)) as? [String: Any]
        #expect(read?["a"] as? String == odd)
        #expect((read?["b"] as? [[String: Any]])?.count == 2)
        #expect(String(decoding: text.bytes, as: UTF8.self).hasSuffix(#","b":[{},{"c":1,"d":false}]}"#))
    }

    @Test func whatCarriesSecrets_doesNotPrintThem() throws {
        let key = try #require(CallerKey("secret-secret-secret-secret", requestors: ["DEMO"]))
        let keys = CallerKeys([key])
        let request = VerificationRequest(token: "secret-token")
        var answer = VerificationAnswer(verdict: .validToken)
        answer.key = "2026-11"
        var text = "\(key) \(keys) \(request) \(answer)"
        dump(key, to: &text)
        dump(keys, to: &text)
        dump(request, to: &text)
        #expect(!text.contains("secret"))
    }
}
