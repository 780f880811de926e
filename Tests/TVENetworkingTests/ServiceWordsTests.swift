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
    /// A text of 160 KB that takes seconds to compare by its characters, because each mark must be put in order first.
    private static let marks = "a" + String(repeating: "\u{315}\u{300}\u{316}\u{327}", count: 20_000)

    /// Returns the work of a closure.
    private static func work(_ body: () throws -> Void) rethrows -> Duration {
        let start = Duration.workOfThisThread
        try body()
        return Duration.workOfThisThread - start
    }

    /// A document of the service in which `WORD` stands for the text, and everything that is done with the text.
    struct Reading: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: String
        let read: @Sendable (Data) throws -> Void
    }

    private static let readings = [
        Reading(
            testDescription: "code of an error", document: #"{"status":400,"message":"m","code":"WORD"}"#
        ) { document in
            let error = try UntrustedJSON.read(EnhancedError.self, from: document, .small)
            #expect(error.status == 400 && error.code == nil && ServiceError(error) == .refused(error))
            #expect(EnhancedError.read(document) == nil)
        },
        Reading(
            testDescription: "action of an error", document: #"{"status":400,"code":"c","action":"WORD"}"#
        ) { document in
            let error = try #require(EnhancedError.read(document))
            #expect(error.code == "c" && error.action == nil && ServiceError(error) == .refused(error))
        },
        Reading(testDescription: "error of OAuth", document: #"{"error":"WORD"}"#) { document in
            #expect(OAuthErrorName.read(document) == nil)
        },
        Reading(
            testDescription: "type of a profile",
            document: #"{"profiles":{"m":{"notAfter":1797832900000,"type":"WORD"}}}"#
        ) { document in
            try readProfile(document, issuer: nil)
        },
        // An issuer is a name, which may be long.
        Reading(
            testDescription: "issuer of a profile",
            document: #"{"profiles":{"m":{"notAfter":1797832900000,"issuer":"WORD"}}}"#
        ) { document in
            try readProfile(document, issuer: marks)
        },
        Reading(
            testDescription: "state of an attribute",
            document: #"{"profiles":{"m":{"notAfter":1797832900000,"attributes":{"zip":{"value":1,"state":"WORD"}}}}}"#
        ) { document in
            let profiles = try UntrustedJSON.read(ProfilesAnswer.self, from: document)
            let profile = try #require(profiles.profile(of: "m"))
            #expect(profile.metadata(at: Date()).encrypted == ["zip"])
        },
        Reading(testDescription: "action of a session", document: #"{"actionName":"WORD","code":"c"}"#) { document in
            #expect(throws: UntrustedJSONError.self) {
                try UntrustedJSON.read(AuthenticationSession.self, from: document)
            }
        },
        Reading(
            testDescription: "type and reason of a session, and a missing parameter",
            document: #"{"actionName":"resume","actionType":"WORD","reasonType":"WORD","missingParameters":["WORD"]}"#
        ) { document in
            let session = try UntrustedJSON.read(AuthenticationSession.self, from: document)
            #expect(session.action == .resume && !session.isInteractive && session.reason == "none")
            #expect(session.missingParameters == [])
        },
        Reading(
            testDescription: "missing parameter of a begun session",
            document: #"{"parameters":{"missing":["WORD"],"existing":{}}}"#
        ) { document in
            let state = try UntrustedJSON.read(AuthenticationSessionState.self, from: document)
            #expect(state.missingParameters == [])
        },
        Reading(
            testDescription: "source and error of a decision",
            document: #"{"decisions":[{"resource":"r","authorized":false,"source":"WORD","error":{"code":"WORD"}}]}"#
        ) { document in
            let decisions = try UntrustedJSON.read(DecisionsAnswer.self, from: document)
            let decision = try #require(decisions.entry(for: "r"))
            #expect(!decision.isAuthorized && decision.error?.code == nil)
            guard case .denied = ServiceError(ofDenial: decision.error) else {
                Issue.record("The decision is no denial.")
                return
            }
        },
        Reading(
            testDescription: "type and provider of a logout",
            document: #"{"logouts":{"m":{"actionName":"logout","actionType":"WORD","mvpd":"WORD"}}}"#
        ) { document in
            let logouts = try UntrustedJSON.read(LogoutAnswer.self, from: document)
            #expect(logouts.names("m") && !logouts.names("n"))
            #expect(logouts.entries(for: "m").map(\.entry.type) == [""])
        },
    ]

    /// Reads a profile, and the copy of it that a device stores, which is read again with every call.
    private static func readProfile(_ document: Data, issuer: String?) throws {
        let profiles = try UntrustedJSON.read(ProfilesAnswer.self, from: document)
        let profile = try #require(profiles.profile(of: "m"))
        let copy = StoredProfile(profile, serviceProvider: "A", mvpd: "m", fingerprint: "fp", identity: nil)
        let token = try StoredProfile.token(copy.token.text)
        #expect(token.claims.kind == .regular && token.claims.providerID == "m" && token.isCopy)
        #expect(token.claims.issuer?.utf8.count == issuer?.utf8.count)
    }

    @Test(arguments: readings) func anEndlessWord_isReadAtOnce(reading: Reading) throws {
        let document = Data(reading.document.replacing("WORD", with: Self.marks).utf8)
        #expect(document.count > 160_000)
        let work = try Self.work { try reading.read(document) }
        #expect(work < .seconds(1), "\(work)")
    }

    @Test func anEndlessDomain_isComparedAtOnce() throws {
        let service = try StrictDesk([]).service
        let redirect = URL(string: "https://a.example/")
        let work = Self.work {
            let fields = service.parameters(mvpdID: "m", redirectURL: redirect, domains: [Self.marks, "A.example"])
            #expect(fields[.domainName] == "A.example")
        }
        #expect(work < .seconds(1), "\(work)")
    }

    @Test func aStoredTypeThatIsNoWord_isThatOfAnOrdinaryLogin() throws {
        let members = "\"fingerprint\":\"fp\",\"mvpd\":\"m\",\"notAfter\":1,\"serviceProvider\":\"A\""
        let text = TokenText("{\(members),\"type\":\"\(Self.marks)\"}")
        let work = try Self.work {
            let token = try StoredProfile.token(text)
            #expect(token.claims.kind == .regular && token.claims.providerID == "m")
        }
        #expect(work < .seconds(1), "\(work)")
    }

    /// An earlier version stored a beginning of 0, and an end that was decades away.
    @Test(arguments: [
        ("temporary", "0", true), ("degraded", "0", true), ("regular", "0", false),
        ("temporary", "978307199999", true), ("temporary", "978307200000", false), ("temporary", "null", false),
    ])
    func aStoredLoginWithoutAnAccount_thatBeganBefore2001_hasEnded(type: String, begin: String, hasEnded: Bool) throws {
        let token = try StoredProfile.token(
            TokenText(
                #"{"fingerprint":"fp","mvpd":"m","notAfter":3550000000000,"notBefore":\#(begin),"serviceProvider":"A","#
                    + #""type":"\#(type)"}"#))
        #expect(token.claims.expires.secondsSince1970 == (hasEnded ? 0 : 3_550_000_000))
    }

    @Test func aTypedCode_isReadAtOnce() {
        let work = Self.work { #expect(TypedCode.plain(Self.marks).isEmpty) }
        #expect(work < .seconds(1), "\(work)")
    }

    @Test(arguments: [
        "ａｂ-1 2", "AB\u{661}\u{662}", "ab \u{6F1}-\u{6F2}", "AB\u{967}\u{968}", "AB\u{11067}\u{11068}",
    ])
    func aTypedCode_mayHaveOtherFormsOfLettersAndDigits(typed: String) { #expect(TypedCode.plain(typed) == "AB12") }

    // MARK: - Errors in a log

    @Test(arguments: [
        (ServiceError.registrationCodeRefused(status: 307), "(status"),
        (.registrationCodeRefused(status: 403), "(status"), (.registrationCodeRefused(status: 407), "(status"),
        (.registrationCodeRefused(status: 511), "(status"), (.registrationCodeRefused(status: 404), "(status"),
        (.registrationCodeRefused(status: 405), "(status"),
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

    @Test(arguments: [("x\nERROR forged", 1), ("a\u{1B}[2J", 1), ("x", 100_000), ("\u{202E}abc", 1), ("a b", 1)])
    func aName_cannotForgeALine(part: String, count: Int) {
        let name = String(repeating: part, count: count)
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
        let work = Self.work { #expect("\(error)".unicodeScalars.count < 2_000) }
        #expect(work < .seconds(1), "\(work)")
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
        guard !code.isEmpty else { return }
        let page = LoginPage(
            step: .typeCode, requestorID: "DEMO", mvpdID: "m", registrationCode: code, expires: .distantFuture)
        await #expect(throws: refused) { try await desk.service.authentication(of: page) }
        #expect(desk.count("/api/") == 0)
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
            try await desk.service.preauthorization(of: ["r"], requestorID: "DEMO", usesServiceCache: true, login)
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
