import Foundation
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing
import _CryptoExtras

/// Every field that a verifier compares, with every kind of wrong input, through `verify` and `spend`.
@Suite(.fewAtATime)
struct VerifierTableTests {
    /// The subject of a case, which is a field of the token or a value of the verifier.
    enum Field: CaseIterable, Sendable {
        case signature, keys, requestorOfToken, requestor, resourceOfToken, resource, issued, lifetime
    }

    enum Input: CaseIterable, Sendable {
        case right, absent, empty, otherCase, lookAlike, tooLong
    }

    private typealias Verdict = MediaTokenVerifier.Verdict

    private static let key = SigningKeys.first
    private static let other = SigningKeys.second
    private static let issued = Date(timeIntervalSince1970: 1_795_282_200)
    private static let end = issued.addingTimeInterval(420)

    /// Returns a text for an input.
    ///
    /// The last letter of the one that looks alike is the Kelvin sign.
    private static func text(_ input: Input) -> String? {
        switch input {
        case .right: "SPORT-K"
        case .absent: nil
        case .empty: ""
        case .otherCase: "sport-K"
        case .lookAlike: "SPORT-\u{212A}"
        case .tooLong: "SPORT-K2"
        }
    }

    /// Returns the date of issue.
    ///
    /// The one that looks alike has a full-width digit.
    private static func date(_ input: Input) -> String? {
        switch input {
        case .right: "2026-11-21 09:30:00 -0800"
        case .absent: nil
        case .empty: ""
        case .otherCase: "2026-11-21t09:30:00 -0800"
        case .lookAlike: "\u{FF12}026-11-21 09:30:00 -0800"
        case .tooLong: "2026-11-21 09:30:00 -08000"
        }
    }

    /// Returns the lifetime in milliseconds.
    private static func lifetime(_ input: Input) -> String? {
        switch input {
        case .right: "420000"
        case .absent: nil
        case .empty: ""
        case .otherCase: "42e4"
        case .lookAlike: "\u{FF14}20000"
        case .tooLong: "420000000000000000000000"
        }
    }

    private static func body(_ field: Field, _ input: Input) -> String {
        func element(_ name: String, _ value: String?) -> String { value.map { "<\(name)>\($0)</\(name)>" } ?? "" }
        let requestor = text(field == .requestorOfToken ? input : .right)
        let resource = text(field == .resourceOfToken ? input : .right)
        return "<authToken>" + element("sessionGUID", "9f3c") + element("requestorID", requestor)
            + element("resourceID", resource) + element("ttl", lifetime(field == .lifetime ? input : .right))
            + element("issueTime", date(field == .issued ? input : .right)) + element("mvpdId", "sbx-cable")
            + "</authToken>"
    }

    private static func token(_ field: Field, _ input: Input) throws -> String {
        let body = body(field, input)
        let signing = try field == .signature && input == .lookAlike ? other.get() : key.get()
        let signature = try signing.signature(for: Data(body.utf8), padding: .insecurePKCS1v1_5)
        var text = signature.rawRepresentation.base64EncodedString()
        guard field == .signature else { return "<signatureInfo>\(text)<signatureInfo>\(body)" }
        switch input {
        case .right, .lookAlike: break
        case .absent: return body
        case .empty: text = ""
        case .otherCase: text = String(text.map { $0.isLowercase ? Character($0.uppercased()) : $0 })
        case .tooLong: text = (signature.rawRepresentation + [0]).base64EncodedString()
        }
        return "<signatureInfo>\(text)<signatureInfo>\(body)"
    }

    private static func verifier(_ field: Field, _ input: Input) throws -> MediaTokenVerifier {
        let requestor = RequestorID(text(field == .requestor ? input : .right) ?? "")
        let mine = try key.get().publicKey.pemRepresentation
        let foreign = try other.get().publicKey.pemRepresentation
        guard field == .keys else {
            return try MediaTokenVerifier(
                keys: [TokenVerificationKey(pemRepresentation: mine)], requestorID: requestor)
        }
        switch input {
        case .right, .tooLong:
            // There are more keys than needed.
            let keys = try [foreign, mine].map { try TokenVerificationKey(pemRepresentation: $0) }
            return try MediaTokenVerifier(keys: keys, requestorID: requestor)
        case .absent: return try MediaTokenVerifier(keys: [], requestorID: requestor)
        case .empty: return MediaTokenVerifier(keys: MediaTokenKeySet(), requestorID: requestor)
        case .otherCase, .lookAlike:
            let named = MediaTokenKey(name: "mine", key: try TokenVerificationKey(pemRepresentation: foreign))
            return MediaTokenVerifier(keys: MediaTokenKeySet([named]), requestorID: requestor)
        }
    }

    /// Returns the documented verdict for a case, or nil if no verifier can be created.
    private static func expected(_ field: Field, _ input: Input) -> Verdict? {
        if input == .right { return .validToken }
        switch (field, input) {
        case (.signature, .absent), (.signature, .empty): return .invalidTokenFormat
        case (.signature, _): return .invalidSignature
        case (.keys, .absent): return nil
        case (.keys, .tooLong): return .validToken
        case (.keys, _): return .invalidSignature
        case (.requestorOfToken, .absent), (.requestorOfToken, .empty), (.resourceOfToken, .absent),
            (.resourceOfToken, .empty), (.issued, _), (.lifetime, _):
            return .invalidTokenFormat
        case (.requestorOfToken, _), (.requestor, _): return .otherRequestor
        // The documents state that this check is skipped without a resource.
        case (.resource, .absent): return .validToken
        case (.resourceOfToken, _), (.resource, _): return .invalidResourceID
        }
    }

    @Test(.row("CL17", "MV1", "SE12", "wire protocol, 7"), arguments: Field.allCases, Input.allCases)
    func verifiesAndSpends_onlyWhatMatchesExactly(field: Field, input: Input) throws {
        guard let verdict = Self.expected(field, input) else {
            #expect(throws: TokenVerificationError.noKey) { try Self.verifier(field, input) }
            return
        }
        let resource = Self.text(field == .resource ? input : .right).map { Resource($0) }
        let verifier = try Self.verifier(field, input)
        let found = verifier.verify(try Self.token(field, input), resource: resource, at: Self.issued)
        #expect(found.verdict == verdict)
        #expect((found.use != nil) == (verdict == .validToken))
        guard let use = found.use else { return }
        let uses = MemoryMediaTokenUses(began: .distantPast)
        #expect(try uses.spend(use, at: Self.issued).isGranted)
        #expect(try !uses.spend(use, at: Self.issued).isGranted)
    }

    /// The end and the time of issue of a token are passed on to the memory.
    @Test(.row("MV2"), arguments: [0.0, 1, 299, 300, 301])
    func spendsAToken_untilItsEndAndTheTolerance(tolerance: Double) throws {
        let pem = try Self.key.get().publicKey.pemRepresentation
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(pemRepresentation: pem)], requestorID: "SPORT-K", clockTolerance: tolerance)
        let token = try Self.token(.keys, .right)
        let bounded = min(tolerance, 300)
        let use = try #require(verifier.verify(token, at: Self.issued).use)
        #expect(use.issued == Self.issued && use.expires == Self.end.addingTimeInterval(bounded))
        #expect(use.rememberedUntil == Self.end.addingTimeInterval(300))
        for (seconds, isGranted) in [(bounded - 0.1, true), (bounded, false)] {
            let now = Self.end.addingTimeInterval(seconds)
            #expect((verifier.verify(token, at: now).verdict == .validToken) == isGranted)
            #expect(try MemoryMediaTokenUses(began: .distantPast).spend(use, at: now).isGranted == isGranted)
        }
        // One memory began after the token was issued, and another one began just before.
        for (seconds, isGranted) in [(1.0, false), (-2, true), (-1.9, false)] {
            let uses = MemoryMediaTokenUses(began: Self.issued.addingTimeInterval(seconds))
            #expect(try uses.spend(use, at: Self.issued.addingTimeInterval(2)).isGranted == isGranted)
        }
    }
}
