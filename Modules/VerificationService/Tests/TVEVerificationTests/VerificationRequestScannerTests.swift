import Foundation
@_spi(VerificationService) import TVEModels
import Testing

@testable import TVEVerification

struct VerificationRequestScannerTests {
    private func scanned(_ text: String) -> VerificationRequest? {
        VerificationRequestScanner.request(Array(text.utf8).span)
    }

    private static func fields(_ request: VerificationRequest?) -> [String?] {
        [
            request?.token, request?.resource?.text, request?.requestor?.text,
            request.map { String($0.spend) },
        ]
    }

    /// The decoder returns the same result for every document that the scanner accepts.
    ///
    /// The decoder may accept or refuse the other documents.
    @Test(arguments: [
        (#"{"token":"x"}"#, true), (#" { "token" : "x" , "spend" : false } "#, true),
        (#"{"resource":"é😀","token":"","requestor":"A/B","spend":true}"#, true), ("{\"token\":\n\"x\"\r\n}\t", true),
        (#"{"token":"a\\nb"}"#, false), (#"{"token":"x","token":"y"}"#, false), (#"{"token":null}"#, false),
        ("{}", false),
        (#"{"token":"x"}}"#, false), (#"{"token":"x",}"#, false), (#"{"token":"x""#, false), (#"{"token":"x"#, false),
        (#"{"spend":true}"#, false), (#"{"token":"x","spend":truex}"#, false), (#"{"token":"x","spend":}"#, false),
        (#"{"token":"x","spend":tru"#, false), (#"{"token":"x","other":"y"}"#, false), (#"{"token":1}"#, false),
        ("", false),
        ("{\"token\":\"\u{1}\"}", false), (#"[{"token":"x"}]"#, false), (#"{"token":"x"} {}"#, false),
    ])
    func agreesWithTheDecoder(text: String, isRead: Bool) throws {
        let request = scanned(text)
        #expect((request != nil) == isRead)
        guard isRead else { return }
        let decoded = try ServiceSupport.decode(VerificationRequest.self, from: Data(text.utf8), maximumBytes: 1 << 20)
        #expect(Self.fields(request) == Self.fields(decoded))
    }

    @Test func bytesThatAreNoUTF8_areLeftToTheDecoder() {
        let bytes = Array(#"{"token":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        let request = VerificationRequestScanner.request(bytes.span)
        #expect(request == nil)
    }
}
