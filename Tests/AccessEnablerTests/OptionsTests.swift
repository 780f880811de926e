import AccessEnabler
import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Requests carry the options of `setOptions`: all of them in the classic services, and the documented ones in REST API
/// v2.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OptionsTests {
    /// Logs in, makes every kind of request, and logs out.
    private func useEverything(_ app: ClassicApp) async throws {
        app.enabler.setOptions([
            OPTION_VISITOR_ID: "visitor-1", OPTION_PROFILE: "p1", "brand": "x-y", "isKid": true, "level": 7,
            "nothing": NSNull(), 7: "no text",
        ])
        try await app.logIn()
        app.enabler.checkAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        app.enabler.checkPreauthorizedResources(["DEMO-1"], cache: false)
        _ = await app.callbacks { if case .preauthorizedResources = $0 { true } else { false } }
        app.enabler.logout()
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
    }

    @Test(.row("M5", "D-39")) func travelWithEveryRequest_ofTheClassicServices() async throws {
        let app = try await ClassicApp()
        let seen = Guarded<[String]>([])
        app.transport.setScript { request, body in
            let text = "\(request.path ?? "")&\(String(decoding: body ?? Data(), as: UTF8.self))"
            let visitor = request.headerFields.first { $0.name.canonicalName == "ap-visitor-identifier" }?.value
            let missing = ["applicationProfile=p1", "brand=x-y", "isKid=true", "level=7"].filter { !text.contains($0) }
            let isTwice = text.components(separatedBy: "applicationProfile=").count != 2
            let path = request.path?.prefix { $0 != "?" } ?? ""
            seen.withLock {
                $0.append("\(path) \(missing) \(visitor == "visitor-1" ? "" : "no visitor")\(isTwice ? "twice" : "")")
            }
            return nil
        }
        try await useEverything(app)
        let lines = seen.withLock { $0.filter { !$0.hasPrefix("/o/client/") } }
        #expect(lines.filter { !$0.hasSuffix(" [] ") } == [])
        #expect(lines.count > 4)
    }

    @Test(.row("M5", "CL24", "D-39")) func goWhereTheyAreDocumented_inRESTv2_andNowhereElse() async throws {
        let app = try await ClassicApp(.restV2)
        try await useEverything(app)
        let sent = app.sandbox.exchanges.filter { Endpoint(rawValue: $0.facts.step) != nil }
        #expect(sent.count > 6)
        for exchange in sent {
            let step = exchange.facts.step
            let hasVisitor = exchange.request.header("AP-Visitor-Identifier") == "visitor-1"
            #expect(hasVisitor == !["register", "token", "configuration", "authenticate"].contains(step), "\(step)")
            let names = exchange.query.split(separator: "&").compactMap { $0.split(separator: "=").first }
            #expect(
                names == (step == "configuration" ? ["profile"] : step == "logout" ? ["redirectUrl"] : []), "\(step)")
        }
    }

    @Test func leaveARequestAlone_thatSaysItAlready() async throws {
        let sent = Guarded<[String]>([])
        let next = ScriptedTransport { request, _ in
            sent.withLock { $0.append(request.path ?? "") }
            return .response(status: 200, body: "")
        }
        var options = ClientOptions(applicationProfile: "p1")
        options.further = ["a b": "1&2"]
        let transport = OptionsTransport(next: next) { [options] in options }
        for path in ["/x", "/x?applicationProfile=other", "/x?a%20b=0&applicationProfile=other"] {
            _ = try await transport.send(
                HTTPRequest(method: .get, scheme: "https", authority: "h", path: path), body: nil)
        }
        #expect(
            sent.withLock(\.self) == [
                "/x?a%20b=1%262&applicationProfile=p1", "/x?applicationProfile=other&a%20b=1%262",
                "/x?a%20b=0&applicationProfile=other",
            ])
        #expect("\(options)" == "ClientOptions(applicationProfile, a b)")
    }

    @Test(arguments: [("v", "v"), ("", nil), (" ", nil), (nil, nil)] as [(String?, String?)])
    func nameNoVisitor_withoutAnID(id: String?, sent: String?) async throws {
        let name = try #require(HTTPField.Name("AP-Visitor-Identifier"))
        let next = ScriptedTransport { request, _ in
            #expect(request.headerFields[name] == sent)
            return .response(status: 200, body: "")
        }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/x")
        let transport = OptionsTransport(next: next) { ClientOptions(visitorID: id) }
        _ = try await transport.send(request, body: nil)
        #expect(next.requests == ["GET /x"])
    }
}
