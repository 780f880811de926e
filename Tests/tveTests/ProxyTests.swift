import Foundation
import TVENetworking
import TVETestTraits
import Testing

@testable import tve

/// Tests with a proxy in the environment, as in offices and their CI.
///
/// No program listens at port 9.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ProxyTests {
    private static let dead = "http://user:s3cr3t@127.0.0.1:9"

    /// The options of `env` that remove the proxy variables with which the tests themselves run.
    private static let cleared = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ].flatMap { ["-u", $0] }

    /// Returns the finding about a variable that this build of the tool does not use.
    private static func unused(_ variable: String) -> String {
        "note  proxy     \(variable) names the proxy http://127.0.0.1:9, which this build of tve does not use."
    }

    private func run(
        _ variables: [String], exempting exempt: String? = nil, _ arguments: [String]
    ) async throws -> Tool {
        try await Tool.run(
            Self.cleared + variables.map { "\($0)=\(Self.dead)" } + (exempt.map { [$0] } ?? [])
                + [Tool.executable.path] + arguments,
            of: URL(fileURLWithPath: "/usr/bin/env"))
    }

    @Test(arguments: [
        ["http_proxy"], ["all_proxy"], ["ALL_PROXY"], ["HTTP_PROXY", "https_proxy", "HTTPS_PROXY"],
    ])
    func theDemoEndsWell(variables: [String]) async throws {
        let tool = try await run(variables, ["demo"])
        #expect(tool.status == 0, "\(tool.output)")
        #expect(tool.output.components(separatedBy: "All 12 steps ended as expected").count == 3)
    }

    /// The client is not `tve`, so only the environment tells it to reach the sandbox directly.
    @Test(.needs("curl"), arguments: ["http_proxy", "ALL_PROXY"])
    func theClientOfAJudgement_reachesTheSandbox(variable: String) async throws {
        let command = "curl -s -o /dev/null $TVE_SERVICE/api/v2/$TVE_REQUESTOR/profiles"
        let tool = try await run([variable], ["conformance", "--run", command])
        #expect(tool.status == 1 && tool.output.contains("CL21  FAIL"), "\(tool.output)")
    }

    @Test func theClientOfAJudgement_getsBothNames_andKeepsWhatWasExempt() async throws {
        let command = "echo \"<$no_proxy|$NO_PROXY>\" >&2; exit 3"
        let tool = try await run(
            ["http_proxy"], exempting: "NO_PROXY=tv.example", ["conformance", "--run", command])
        let both = try #require(tool.output.firstMatch(of: /<([^|>]*)\|([^|>]*)>/))
        for list in [both.1, both.2] {
            #expect(list.hasPrefix("tv.example,localhost,127.0.0.1,::1,"), "\(tool.output)")
        }
    }

    @Test(arguments: ["http_proxy", "https_proxy", "ALL_PROXY"])
    func doctorNamesTheVariable_andIsFine(variable: String) async throws {
        let desk = try await Desk()
        let tool = try await run([variable], desk.full(["doctor"]))
        #expect(tool.status == 0, "\(tool.output)")
        let direct =
            "ok    proxy     \(variable) names the proxy http://127.0.0.1:9; what goes to this machine does not"
        let sentence = ToolTransport.usesProxyVariables ? direct : Self.unused(variable)
        #expect(tool.output.contains(sentence) && !tool.output.contains("s3cr3t"), "\(tool.output)")
        #expect(try await !run([], desk.full(["doctor"])).output.contains("proxy     "))
    }

    /// Neither macOS nor the transport over async-http-client uses the proxies of the environment.
    @Test(arguments: [false, true])
    func aProxyExplainsThatAServiceDoesNotAnswer_onlyWhereItIsUsed(isUsed: Bool) throws {
        let provider = try ServiceProvider("sp.example.com")
        let address = "http://proxy.example.com:3128"
        let variables = ProxyVariables(["https_proxy": address])
        let expected: ServiceHint? = isUsed ? .proxy(address, variable: "https_proxy") : nil
        for error in [TransportError.unreachable, .timedOut, .proxyFailed] {
            #expect(ServiceHint(provider, error, proxies: isUsed ? variables : nil) == expected)
        }
    }

    @Test func doctorSaysWhatGoesThroughTheProxy() async throws {
        let tool = try await run(["http_proxy"], ["doctor", "--service", "http://sp.invalid", "--statement", "a.b.c"])
        #expect(tool.status == 1)
        let isUsed = ToolTransport.usesProxyVariables
        let through = "note  proxy     Requests to sp.invalid go through http://127.0.0.1:9, which http_proxy names."
        let reason = isUsed ? "the connection was refused" : "the name of the host is unknown"
        let hint = "Requests to the service go through the proxy http://127.0.0.1:9, which http_proxy names."
        #expect(tool.output.contains(isUsed ? through : Self.unused("http_proxy")), "\(tool.output)")
        #expect(tool.output.contains("bad   service   http://sp.invalid does not answer: \(reason)"), "\(tool.output)")
        #expect(tool.output.contains(hint) == isUsed, "\(tool.output)")
        let exempt = try await run(
            ["http_proxy"], exempting: "no_proxy=.invalid",
            ["doctor", "--service", "http://sp.invalid", "--statement", "a.b.c"])
        let listed = "ok    proxy     http_proxy names the proxy http://127.0.0.1:9, and no_proxy lists"
        #expect(exempt.output.contains(isUsed ? listed : Self.unused("http_proxy")), "\(exempt.output)")
        #expect(exempt.output.contains("does not answer: the name of the host is unknown"), "\(exempt.output)")
        let unread = try await run(
            ["http_proxy"], exempting: "no_proxy=*.invalid:1",
            ["doctor", "--service", "http://sp.invalid", "--statement", "a.b.c"])
        let although =
            "note  proxy     Requests to sp.invalid go through http://127.0.0.1:9, although no_proxy lists *.invalid:1."
        #expect(unread.output.contains(isUsed ? although : Self.unused("http_proxy")), "\(unread.output)")
        #expect(unread.output.contains("List .invalid as an entry of its own: libcurl") == isUsed, "\(unread.output)")
    }
}
