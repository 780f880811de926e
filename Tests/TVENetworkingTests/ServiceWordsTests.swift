import Foundation
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import Testing

@testable import TVENetworking

/// Texts in the place of the short words by which services name errors, actions, types and states.
@Suite(.fewAtATime)
struct ServiceWordsTests {
    /// Text that takes minutes to compare by its characters, because each mark must be put in order first.
    private static let marks = "a" + String(repeating: "\u{315}\u{300}\u{316}\u{327}", count: 20_000)
    private static let names = [
        "code", "action", "type", "state", "actionName", "actionType", "reasonType", "missingParameters",
        "existingParameters", "error", "source", "token_type", "issuer", "authorized",
    ]
    private static let members = names.map { "\"\($0)\":\"\(marks)\"" }.joined(separator: ",")

    @Test(arguments: [
        (400, "{\"status\":400,\"message\":\"m\",\(members)}"),
        (200, "{\"profiles\":{\"m\":{\"notAfter\":1797832900000,\(members),\"attributes\":{\"zip\":{\(members)}}}}}"),
        (200, "{\"parameters\":{\"missing\":[\"\(marks)\"],\"existing\":{}},\(members)}"),
        (200, "{\"decisions\":[{\"resource\":\"r\",\"authorized\":false,\"error\":{\(members)}}]}"),
        (200, "{\"logouts\":{\"m\":{\(members)}}}"),
        (200, "{\(members)}"),
    ])
    func anEndlessWord_isReadAtOnce(status: Int, body: String) async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        desk.script { $0.contains("/api/v2/") ? .response(status: status, body: body) : nil }
        let service = desk.service
        let duration = await ContinuousClock().measure {
            if let found = try? await service.logins(of: "A", with: nil, knowing: nil).first {
                // The copy is read again with every call.
                #expect(service.recognizes(found.token) && found.metadata?.encrypted.isEmpty == true)
                #expect((try? StoredProfile.token(found.token.text)) != nil)
            }
            _ = try? await service.login(LoginRequest(requestorID: "A", mvpdID: "m"))
            _ = try? await service.session(code: "ABC2345", requestorID: "A")
            _ = try? await service.authorization(for: "r", requestorID: "A", data: [:], login)
            _ = try? await service.logout(requestorID: "A", mvpdID: "m", nil, redirectURL: nil)
            _ = try? await service.createSession(
                requestorID: "A", mvpdID: "m", redirectURL: URL(string: "https://a.example/"), domains: [Self.marks])
        }
        #expect(duration < .seconds(2), "\(duration)")
    }

    @Test func aStoredTypeThatIsNoWord_isThatOfAnOrdinaryLogin() throws {
        let members = "\"fingerprint\":\"fp\",\"mvpd\":\"m\",\"notAfter\":1,\"serviceProvider\":\"A\""
        let text = TokenText("{\(members),\"type\":\"\(Self.marks)\"}")
        let duration = try ContinuousClock().measure {
            let token = try StoredProfile.token(text)
            #expect(token.claims.kind == .regular && token.claims.providerID == "m")
        }
        #expect(duration < .seconds(1), "\(duration)")
    }

    @Test func aTypedCode_isReadAtOnce() {
        let duration = ContinuousClock().measure { #expect(TypedCode.plain(Self.marks).isEmpty) }
        #expect(duration < .seconds(1), "\(duration)")
    }

    @Test(arguments: [
        "ａｂ-1 2", "AB\u{661}\u{662}", "ab \u{6F1}-\u{6F2}", "AB\u{967}\u{968}", "AB\u{11067}\u{11068}",
    ])
    func aTypedCode_mayHaveOtherFormsOfLettersAndDigits(typed: String) { #expect(TypedCode.plain(typed) == "AB12") }

    // MARK: - Errors in a log

    @Test(arguments: [
        (ServiceError.registrationCodeRefused(status: 307), "(status"),
        (.registrationCodeRefused(status: 403), "(status"), (.registrationCodeRefused(status: 407), "(status"),
        (.registrationCodeRefused(status: 511), "(status"),
        (.loginParametersMissing([]), "without"), (.status(401), "Try again later"),
        // Nobody who receives an answer can send it in another way.
        (.unreadable(.empty), "Send it"), (.unreadable(.malformedXML(code: 76, line: 1)), "Send it"),
        (.unreadable(.envelope(.missing)), "Send the token"),
    ])
    func aSentence_namesTheRemedy_whereThereIsOne(error: ServiceError, missing: String) {
        let text = "\(error)"
        #expect(!text.contains(missing) && text.hasSuffix("."), "\(text)")
        guard case .registrationCodeRefused(let status) = error else { return }
        #expect(text.hasSuffix("\(ServiceError.status(status))"), "\(text)")
    }

    @Test(arguments: ["x\nERROR forged", "a\u{1B}[2J", String(repeating: "x", count: 100_000), "\u{202E}abc", "a b"])
    func aName_cannotForgeALine(name: String) {
        let error = EnhancedError(code: name, message: name, action: name)
        for error in [
            ServiceError.refused(error), .denied(AuthorizationDenial(code: name)), .loginParametersMissing([name]),
        ] {
            let text = "\(error)"
            #expect(text.utf8.count < 300 && text.contains("unknown") && !text.contains(name))
        }
        let text = "\(TVEError(.serviceFailed, message: name, underlying: ServiceError.refused(error)))"
        #expect(text.utf8.count < 3_000)
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
    }

    @Test func anEndlessMessage_isPrintedAtOnce() {
        let error = TVEError(.serviceFailed, message: Self.marks, underlying: ServiceError.unreadableJSON)
        let duration = ContinuousClock().measure { #expect("\(error)".unicodeScalars.count < 2_000) }
        #expect(duration < .seconds(1), "\(duration)")
    }

    // MARK: - Codes and ids that are no part of a path

    @Test(arguments: ["", ".", ".."])
    func aCodeThatLeadsElsewhere_isRefused_withoutARequest(code: String) async throws {
        let desk = try await RESTv2Fixture()
        let refused = ServiceError.refused(
            EnhancedError(status: 400, code: "invalid_parameter_code", message: "The text is not a code."))
        await #expect(throws: refused) { try await desk.service.session(code: code, requestorID: "DEMO") }
        await #expect(throws: refused) {
            try await desk.service.resumeSession(code: code, requestorID: "DEMO", mvpdID: "m", redirectURL: nil)
        }
        #expect(desk.service.loginPage(code: code, requestorID: "DEMO") == nil)
        #expect(desk.count("/api/") == 0)
        #expect(desk.service.loginPage(code: "...", requestorID: "DEMO") != nil)
    }

    @Test(arguments: [("", 1), (".", 1), (".", 2), ("x", 70_000)])
    func anIDThatLeadsElsewhere_isRefused_withoutARequest(text: String, count: Int) async throws {
        let id = String(repeating: text, count: count)
        let desk = try await RESTv2Fixture()
        let other = try await desk.logIn()
        var claims = other.claims
        claims.mvpdID = MVPDID(id)
        let login = AuthenticationToken(text: other.text, claims: claims)
        let known = desk.count("/api/")
        let unknown = ServiceError.refused(
            EnhancedError(
                status: 400, code: "invalid_parameter_mvpd", message: "The id is not that of a TV provider."))
        await #expect(throws: unknown) {
            try await desk.service.authorization(for: "r", requestorID: "DEMO", data: [:], login)
        }
        await #expect(throws: unknown) {
            try await desk.service.logins(of: "DEMO", with: MVPDID(id), knowing: nil)
        }
        let end = try #require(URL(string: "https://a.example/"))
        await #expect(throws: unknown) {
            try await desk.service.logout(requestorID: "DEMO", mvpdID: MVPDID(id), nil, redirectURL: end)
        }
        await #expect(throws: ServiceError.transport(.invalid)) {
            try await desk.service.createSession(
                requestorID: RequestorID(id), mvpdID: "demo-cable", redirectURL: URL(string: "https://a.example/"))
        }
        // No code of the service is about the requestor, whatever else the path contains.
        await #expect(throws: ServiceError.transport(.invalid)) {
            try await desk.service.logins(of: RequestorID(id), with: "demo-cable", knowing: nil)
        }
        #expect(desk.count("/api/") == known)
    }
}
