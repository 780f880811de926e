import Foundation
import HTTPTypes
import TVEModels
import TVETestTraits
import Testing

@testable import TVESandbox

/// Web pages of other origins as clients, and the page for codes.
@Suite(.fewAtATime)
struct BrowserClientTests {
    @Test(arguments: [
        "adobe-subject-token,ap-device-identifier,authorization,x-device-info",
        "X-Roku-Reserved-Roku-Connect-Token, AD-Service-Token", "ap-partner-framework-status,ap-temppass-identity",
        "content-type,ap-visitor-identifier,x-forwarded-for", "Accept, User-Agent",
        "ap_19,pass_sfp,ap-session-identifier,ap-sdk-identifier",
        // The tools that trace requests add these.
        "authorization,baggage,sentry-trace,traceparent", "X-Datadog-Trace-Id, newrelic",
    ])
    func aBrowserMaySend_whatIsDocumented(wanted: String) async throws {
        let answer = try await SandboxClient().send(
            .options, "/api/v2/DEMO/profiles",
            headers: [
                "Origin": "https://tv.example", "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": wanted,
            ])
        let allowed = Self.names(answer.header("Access-Control-Allow-Headers") ?? "")
        #expect(answer.status == 204 && Self.names(wanted).subtracting(allowed) == [])
    }

    @Test func aBrowserMayNotSend_whatIsNeitherDocumentedNorFree() async throws {
        let answer = try await SandboxClient().send(
            .options, "/api/v2/DEMO/profiles",
            headers: ["Origin": "https://tv.example", "Access-Control-Request-Headers": "x-own, cf-a b,x-request-id"])
        let allowed = Self.names(answer.header("Access-Control-Allow-Headers") ?? "")
        #expect(allowed.contains("x-request-id") && allowed.isDisjoint(with: ["x-own", "cf-a b"]))
    }

    @Test func aPreflight_namesEachHeaderOnce() async throws {
        let wanted = "Content-Type,accept,x-request-id,X-Request-ID,traceparent"
        let answer = try await SandboxClient().send(
            .options, "/api/v2/DEMO/profiles",
            headers: ["Origin": "https://tv.example", "Access-Control-Request-Headers": wanted])
        let allowed = (answer.header("Access-Control-Allow-Headers") ?? "").split(separator: ",")
        #expect(allowed.contains("content-type") && allowed.contains("x-request-id"))
        #expect(Set(allowed).count == allowed.count)
    }

    @Test func aPreflight_takesNoFaultOfItsRequest() async throws {
        var world = SandboxWorld.demo
        world.faults = [.init(.status, amount: 503, step: "token", requests: 1)]
        let client = try await SandboxClient(world: world)
        let answer = try await client.send(.options, "/o/client/token", headers: ["Origin": "https://tv.example"])
        #expect(answer.status == 204 && client.sandbox.world.faults.count == 1)
        #expect(try await client.send(.post, "/o/client/token", body: "").status == 503)
        #expect(client.sandbox.world.faults.isEmpty)
    }

    /// The expected names come from the document, so that no second list can differ from it.
    @Test func aBrowserMaySend_everyHeaderOfTheDocument() async throws {
        let client = try await SandboxClient()
        let answer = try await client.send(
            .options, "/api/v2/DEMO/profiles", headers: ["Origin": "https://tv.example"])
        let allowed = Self.names(answer.header("Access-Control-Allow-Headers") ?? "")
        let text = try await client.send(.get, "/openapi.json").text
        let document = try MetadataValue(json: Data(text.utf8))
        let parameters = document["components"]?["parameters"]?.objectValue?.values.map { $0 } ?? []
        let headers = parameters.filter { $0["in"] == "header" }.compactMap { $0["name"]?.stringValue }
        #expect(headers.count > 5 && Set(headers.map { $0.lowercased() }).subtracting(allowed) == [])
    }

    private static func names(_ list: String) -> Set<String> {
        Set(list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() })
    }

    /// Texts that viewers type for the code ABC2EFG.
    @Test(arguments: [
        "ABC-2EFG", "abc2efg", " a b c 2 e f g ", "ABC\u{2013}2EFG", "A.B.C.2.E.F.G.", "\u{201C}ABC2EFG\u{201D}",
        "\u{FF21}\u{FF22}\u{FF23}\u{FF12}\u{FF25}\u{FF26}\u{FF27}",
        "\u{FF41}\u{FF42}\u{FF43}\u{3000}\u{FF12}\u{FF45}\u{FF46}\u{FF47}", "ABC\u{A0}2EFG\r\n", "#abc_2efg!",
        // The digit of an Arabic and of a Persian keyboard.
        "ABC\u{662}EFG", "abc\u{6F2}efg",
    ])
    func aCode_isReadAsPeopleTypeIt(typed: String) { #expect(TypedCode.plain(typed) == "ABC2EFG") }

    @Test func aCodeWithAHyphen_isAccepted() async throws {
        let client = try await SandboxClient().registered()
        let code = try await client.registrationCode(deviceID: "d1")
        for typed in ["\(code.prefix(3))-\(code.dropFirst(3))", " \(code.lowercased()) "] {
            let answer = try await client.post("/activate", [("code", typed)])
            #expect(!answer.text.contains("unknown or has expired"), "\(typed) for \(code)")
            #expect(answer.status == 302 || answer.text.contains("Choose your TV provider"))
        }
    }

    /// A proxy or a tunnel in front of the sandbox can encrypt, so that a telephone can reach it.
    @Test(arguments: [
        ("https", "https"), ("HTTPS , http", "https"), ("http", "http"), ("http,https", "http"), ("", "http"),
        ("javascript", "http"),
    ])
    func theLastPage_hasTheSchemeOfTheProxy(told: String, scheme: String) async throws {
        let client = try await SandboxClient().registered()
        let code = try await client.registrationCode(deviceID: "d1")
        let answer = try await client.post(
            "/activate", [("code", code), ("mvpd", "demo-cable")],
            headers: ["X-Forwarded-Proto": told, "X-Forwarded-Host": "tv.example"].filter { !$0.value.isEmpty })
        let host = scheme == "https" ? "tv.example" : "127.0.0.1"
        #expect(answer.header("Location")?.contains("redirect_url=\(scheme)%3A%2F%2F\(host)") == true)
    }

    /// A proxy may replace the host by that of the sandbox, which does not encrypt.
    @Test(arguments: [
        ("tv.example", "", "https://tv.example"), ("tv.example:8443", "other.example", "https://tv.example:8443"),
        ("localhost:8080", "", "http://localhost:8080"), ("127.0.0.1:8080", " ,", "http://127.0.0.1:8080"),
        ("[::1]:8080", "a/b", "http://[::1]:8080"), ("localhost:8080", "tv.example , b", "https://tv.example"),
        ("LOCALHOST", "tv.example:8443", "https://tv.example:8443"), ("localhost:80", "a\tb", "http://localhost:80"),
        ("localhost:8080", "localhost:8443", "https://localhost:8443"),
    ])
    func theBaseOfAnEncryptedConnection_isNotThePlainPort(host: String, told: String, base: String) throws {
        var parser = RequestHeadParser()
        let text = "GET / HTTP/1.1\r\nHost: \(host)\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: \(told)\r\n\r\n"
        let bytes = Array(text.utf8)
        #expect(try parser.end(in: bytes) == bytes.count)
        let head = try parser.head(of: bytes, peer: "127.0.0.1", isFromThisMachine: true)
        #expect(try SandboxRequest(head, .bytes(Data())).base == base)
    }

    /// A telephone would correct a code into a word.
    @Test func thePageForCodes_allowsNoCorrection() async throws {
        let page = try await SandboxClient().send(.get, "/activate").text
        for attribute in [#"autocapitalize="characters""#, #"autocorrect="off""#, #"spellcheck="false""#] {
            #expect(page.contains("\(attribute) "))
        }
    }

    @Test(arguments: ["", "-", "ABC-DEF", "ABCDEFGH", "\u{1F600}"])
    func aCodeThatIsNone_isUnknown(typed: String) async throws {
        let answer = try await SandboxClient().post("/activate", [("code", typed)])
        #expect(answer.text.contains("The code is unknown or has expired."))
    }
}
