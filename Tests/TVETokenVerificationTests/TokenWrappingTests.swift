import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import Testing
import _CryptoExtras

/// Media tokens as they arrive after files, shells, forms and encoders.
@Suite(.fewAtATime)
struct TokenWrappingTests {
    /// A verifier, and a token whose Base64 has every special character: a plus, a slash, and padding.
    private static let signed = Result {
        let key = try SigningKeys.first.get()
        let body = CertificateSamples.mediaBody
        let signature = try key.signature(for: Data(body.utf8), padding: .insecurePKCS1v1_5)
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(pemRepresentation: key.publicKey.pemRepresentation)], requestorID: "SBX")
        return (verifier, TokenEnvelope(signature: signature.rawRepresentation, body: body).text.rawValue)
    }
    private static let issued = Date(timeIntervalSince1970: 1_795_282_200)

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func wrapped(_ text: String, at width: Int, by separator: String) -> String {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: width)
            .map { String(decoding: bytes[$0..<min($0 + width, bytes.count)], as: UTF8.self) }
            .joined(separator: separator)
    }

    /// Returns a token whose signature has line ends, as older encoders write it.
    private static func brokenSignature(_ raw: String) -> String {
        let start = raw.utf8.index(raw.startIndex, offsetBy: 15)
        return String(raw[..<start]) + wrapped(String(raw[start...].prefix(344)), at: 76, by: "\r\n")
            + String(raw[start...].dropFirst(344))
    }

    private static let readable = [
        Form("raw") { $0 }, Form("raw, a line end") { $0 + "\n" }, Form("raw, a blank") { " \($0)\t" },
        Form("raw, a byte order mark") { "\u{FEFF}\($0)\r\n" }, Form("raw, a broken signature", brokenSignature),
        Form("Base64") { base64($0) }, Form("Base64, a line end") { base64($0) + "\n" },
        Form("Base64, wrapped") { wrapped(base64($0), at: 76, by: "\n") + "\n" },
        Form("Base64, wrapped for mail") { wrapped(base64($0), at: 64, by: "\r\n") },
        Form("Base64, wrapped with blanks") { wrapped(base64($0), at: 76, by: " ") },
        Form("Base64, unpadded") { base64($0 + " ").replacing("=", with: "") },
        Form("Base64, unpadded, one more") { base64($0 + "\n\n").replacing("=", with: "") },
        Form("Base64 for URLs") { base64($0).replacing("+", with: "-").replacing("/", with: "_") },
        Form("Base64 for URLs, unpadded") {
            base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        },
        Form("Base64 of a line end inside") { base64($0 + "\n") },
        Form("Base64 of a byte order mark inside") { base64("\u{FEFF}" + $0) },
        Form("Base64 of a line end before") { base64("\r\n" + $0) },
    ]

    @Test(.row("MV3"), arguments: readable)
    func isOneAndTheSameUse_inEveryFormThatIsRead(form: Form) throws {
        let (verifier, raw) = try Self.signed.get()
        let plain = verifier.verify(raw, resource: "SBX-1", at: Self.issued)
        let found = verifier.verify(form.apply(raw), resource: "SBX-1", at: Self.issued)
        #expect(found.verdict == .validToken && found.fault == nil, "\(String(describing: found.fault))")
        #expect(found.use != nil && found.use == plain.use)
        // The client reads the token in this form too.
        #expect(try TokenDecoder().mediaToken(form.apply(raw)).claims == plain.claims)
    }

    private static let refused: [(Form, TokenCodecError.EnvelopeFault)] = [
        (Form("Base64, a plus is a space") { base64($0).replacing("+", with: " ") }, .plusIsSpace),
        (Form("raw, a plus is a space") { _ in "<signatureInfo>AA EC AEC<signatureInfo><a/>" }, .plusIsSpace),
        (Form("percent signs around raw") { escaped($0) }, .percentEscaped),
        (Form("percent signs around Base64") { escaped(base64($0)) }, .percentEscaped),
        (Form("percent signs twice") { escaped(escaped($0)) }, .percentEscaped),
        (Form("percent signs in the signature") { _ in "<signatureInfo>AA%2B<signatureInfo><a/>" }, .percentEscaped),
        (Form("HTML") { $0.replacing("<", with: "&lt;").replacing(">", with: "&gt;") }, .htmlEscaped),
        (Form("HTML in numbers") { $0.replacing("<", with: "&#60;") }, .htmlEscaped),
        (Form("HTML in Base64") { base64($0.replacing("<", with: "&lt;")) }, .htmlEscaped),
        (Form("quoted") { "\"\($0)\"" }, .quoted), (Form("quoted Base64") { "'\(base64($0))'\n" }, .quoted),
        (Form("quoted in Base64") { base64("\"\($0)\"") }, .quoted),
        (Form("JSON") { "{\"token\": \"\(base64($0))\"}" }, .json), (Form("a list") { "[\"\($0)\"]" }, .json),
        (Form("escapes of JSON") { base64($0).replacing("+", with: "\\u002B") }, .json),
        (Form("line ends of JSON") { wrapped(base64($0), at: 76, by: "\\n") }, .json),
        (Form("slashes of JSON") { _ in "<signatureInfo>AA\\/A<signatureInfo><a/>" }, .json),
        (Form("HTML around Base64") { base64($0).replacing("+", with: "&#43;") }, .htmlEscaped),
        (Form("without its first character") { String($0.dropFirst()) }, .missing),
        (Form("without the first characters of Base64") { String(base64($0).dropFirst(4)) }, .missing),
        (Form("typographic quotes") { "\u{201C}\(base64($0))\u{201D}" }, .quoted),
        (Form("typographic quotes around raw") { "\u{201E}\($0)\u{201C}" }, .quoted),
        (Form("backticks") { "`\(base64($0))`\n" }, .quoted),
        (Form("an answer in Base64") { base64("{\"serializedToken\":\"\($0)\"}") }, .json),
        (Form("the value of a header") { "Bearer \(base64($0))" }, .bearer),
        (Form("the value of a header, in small letters") { "bearer \($0)" }, .bearer),
        (Form("an access token") { _ in "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln\n" }, .jsonWebToken),
        (Form("an access token in a header") { _ in "Bearer eyJhbGciOiJub25lIn0.e30." }, .jsonWebToken),
        (Form("a word that begins like it") { "Bearers \(base64($0))" }, .textBefore),
        (Form("a name") { "token=\(base64($0))" }, .textBefore), (Form("a label") { "token: \($0)" }, .textBefore),
        (Form("a header") { "Authorization: Bearer \(base64($0))" }, .textBefore),
        (Form("a declaration") { "<?xml version=\"1.0\"?>\($0)" }, .textBefore),
        (Form("a section") { "<![CDATA[\($0)]]>" }, .textBefore),
        (Form("a declaration in Base64") { base64("<?xml version=\"1.0\"?>\($0)") }, .textBefore),
        (Form("a URL of data") { "data:text/xml;base64,\(base64($0))" }, .textBefore),
        (Form("a printed optional") { "Optional(\"\(base64($0))\")" }, .textBefore),
        (Form("twice") { base64(base64($0)) }, .wrappedTwice),
        (Form("twice, a line end between") { base64(base64($0) + "\n") }, .wrappedTwice),
        (Form("a damaged character") { base64($0) + "!" }, .wrappingNotBase64),
        // A shell has written the sign, because there was no line end after the token.
        (Form("a percent sign alone") { base64($0) + "%" }, .wrappingNotBase64),
        (Form("a description of an object") { _ in "[object Object]" }, .missing),
        (Form("a description of bytes") { _ in "{length = 740, bytes = 0x3c736967 6e61 ... 3e}" }, .missing),
        (Form("a dictionary of Python") { "{'token': '\($0)'}" }, .json),
        (Form("a character too many") { _ in "PHNpZ25hdHVyZUluZm8+AAAAA" }, .wrappingNotBase64),
        (Form("something else") { _ in "garbage" }, .missing), (Form("a number") { _ in "50%" }, .missing),
        (Form("another blank") { "\u{2028}\($0)" }, .textBefore),
    ]

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test(arguments: refused)
    func saysWhichFormItIs_thatIsNotRead(form: Form, fault: TokenCodecError.EnvelopeFault) throws {
        let (verifier, raw) = try Self.signed.get()
        let found = verifier.verify(form.apply(raw), at: Self.issued)
        #expect(found.verdict == .invalidTokenFormat && found.use == nil)
        #expect(found.fault == .envelope(fault))
        #expect(throws: TokenCodecError.envelope(fault)) { try TokenEnvelope(parsing: form.apply(raw)) }
    }

    @Test(arguments: [
        ("", "\u{2028}"), ("", "\n\u{301}"), ("", "\u{FEFF}"), ("x", ""), ("", "x"), ("\u{A0}", ""),
    ])
    func skipsNothingElse(before: String, after: String) throws {
        let (verifier, raw) = try Self.signed.get()
        for token in [raw, Self.base64(raw)] {
            #expect(verifier.verify(before + token + after, at: Self.issued).verdict == .invalidTokenFormat)
        }
    }
}
