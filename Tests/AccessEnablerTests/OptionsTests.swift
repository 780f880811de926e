import AccessEnabler
import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import TestTraits
import Testing

/// Every request carries the options of `setOptions`.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OptionsTests {
    @Test(.row("M5"), arguments: ServiceDialect.allCases)
    func travelWithEveryRequest(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
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
        let lines = seen.withLock(\.self)
        #expect(lines.filter { !$0.hasSuffix(" [] ") } == [])
        for path in ["/o/client/register", "/o/client/token"] {
            #expect(lines.contains { $0.hasPrefix(path) }, "\(path)")
        }
        #expect(lines.count > 6)
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
}
