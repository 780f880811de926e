import TVEConformance
import TVEModels
import Testing

/// CL24: documented headers and parameters.
struct DocumentedRuleTests {
    @Test(arguments: documented)
    func nothingUndocumented_isSent(one: Case) throws { try one.check("CL24") }

    /// A finding that does not pass lists the evidence that there is.
    @Test func aRequestWhoseBodyIsLost_isNoEvidence() throws {
        let report = ConformanceReport(judging: [Sent.profiles([]), .session().body(nil)].exchanges)
        let finding = try #require(report.findings.first { $0.row.id == "CL24" })
        #expect(finding.outcome == .notSeen && finding.evidence == [1])
    }

    /// The headers that other parts of a device add by themselves.
    private static let added = [
        (
            "a connection",
            [
                "connection", "content-length", "accept-encoding", "accept-charset", "transfer-encoding",
                "cache-control", "pragma", "expect", "te", "date", "via", "forwarded", "proxy-connection",
                "keep-alive", "upgrade", "http2-settings", "trailer", "range", "if-none-match", "if-modified-since",
                "if-range", "priority", "content-encoding", "content-language", "proxy-authorization", "if-match",
                "if-unmodified-since", "max-forwards", "warning", "from",
            ]
        ),
        (
            "a browser",
            [
                "origin", "referer", "dnt", "upgrade-insecure-requests", "dpr", "width", "viewport-width",
                "device-memory", "downlink", "ect", "rtt", "purpose", "x-purpose", "attribution-reporting-eligible",
                "available-dictionary", "dictionary-id",
            ]
        ),
        (
            "a proxy",
            ["x-request-id", "x-correlation-id", "x-envoy-attempt-count", "cf-ray", "cdn-loop", "true-client-ip"]
        ),
        (
            "a tool that traces requests",
            [
                "traceparent", "tracestate", "b3", "uber-trace-id", "request-id", "x-dtc", "x-dtreferer",
                "x-amzn-trace-id", "x-cloud-trace-context", "x-instana-t", "elastic-apm-traceparent",
                "x-ot-span-context", "ot-tracer-traceid", "x-honeycomb-trace", "grpc-trace-bin",
            ]
        ),
    ]

    @Test(arguments: added)
    func whatOthersAdd_isAllowed(part: String, headers: [String]) throws {
        let sent = headers.reduce(Sent.profiles([])) { $0.header($1, "x") }
        try Case("sends what \(part) adds", verdict: .keeps(1), sent).check("CL24")
    }

    private static func header(_ name: String, on sent: Sent, _ title: String, isAllowed: Bool) -> Case {
        Case(
            "sends the header \(name) with \(title)",
            verdict: isAllowed ? .keeps(1) : .breaks("1: \(sent.method) \(title) was sent with the header \(name)."),
            sent.header(name, "x"))
    }

    private static let hidden = "a parameter whose name is not shown"

    private static let documented: [Case] = [
        Case(
            "sends three unknown headers",
            verdict: .breaks("1: GET profiles was sent with the header x-a, the header x-b, the header x-c."),
            .profiles([]).header("X-C", "x").header("X-A", "x").header("X-B", "x")),
        Case(
            "sends an unknown field of an object that is no text",
            verdict: .breaks("1: POST authorize was sent with the parameter device."),
            .authorize().body(#"{"resources":["A"],"device":1}"#)),
        Case(
            "sends three parameters of the body in the query",
            verdict: .breaks(
                "1: POST createSession was sent with domainName in the query, mvpd in the query, "
                    + "redirectUrl in the query."),
            .session().query("redirectUrl=a&mvpd=cable&domainName=x")),
        Case(
            "sends what is documented", verdict: .keeps(1, 2, 3, 4, 5, 6), .registration(), .token(), .configuration,
            .session(),
            .authorize(), .logout()),
        Case("adds the profile to the configuration", verdict: .keeps(1), .configuration.query("profile=x")),
        Case(
            "adds a parameter to the configuration",
            verdict: .breaks("1: GET configuration was sent with the parameter requestor."),
            .configuration.query("requestor=x")),
        Case(
            "sends two unknown parameters, one of them twice",
            verdict: .breaks("1: GET configuration was sent with the parameter a, the parameter c."),
            .configuration.query("c=1&a=2&c=3")),
        Case(
            "sends parameters whose names have characters that no name has",
            verdict: .breaks("1: GET configuration was sent with \(hidden), the parameter c."),
            .configuration.query("c=1&a+b=2&%22=3")),
        Case(
            "sends a parameter without a value", verdict: .breaks("1: GET profiles was sent with the parameter all."),
            .profiles([]).query("all")),
        Case(
            "sends a parameter with a name of 40 bytes",
            verdict: .breaks("1: GET profiles was sent with the parameter \(String(repeating: "x", count: 40))."),
            .profiles([]).query(String(repeating: "x", count: 40))),
        Case(
            "sends a parameter with a name of 41 bytes", verdict: .breaks("1: GET profiles was sent with \(hidden)."),
            .profiles([]).query(String(repeating: "x", count: 41))),
        Case(
            "sends its credentials as an object in place of a form",
            verdict: .breaks("1: POST token was sent with a body that is not a form."),
            .token().body(#"{"client_id":"a","client_secret":"s3cr3t"}"#)),
        Case(
            "sends its credentials as the parts of a message",
            verdict: .breaks("1: POST token was sent with a body that is not a form."),
            .token().body("--x\r\nContent-Disposition: form-data; name=\"client_secret\"\r\n\r\ns3cr3t\r\n--x--")),
        Case(
            "sends a list in place of a form",
            verdict: .breaks("1: POST createSession was sent with a body that is not a form."),
            .session().body(#"["cable"]"#)),
        Case(
            "sends nothing but a password", verdict: .breaks("1: POST token was sent with \(hidden)."),
            .token().body("s3cr3t")),
        Case(
            "sends a password with a character that divides a form",
            verdict: .breaks("1: POST token was sent with \(hidden)."),
            .token().body("client_id=a&client_secret=s3&cr3t&grant_type=client_credentials")),
        Case(
            "sends an object whose name is a password", verdict: .breaks("1: POST authorize was sent with \(hidden)."),
            .authorize().body(#"{"resources":["A"],"s3 cr3t":1}"#)),
        Case(
            "sends an unknown field of a form",
            verdict: .breaks("1: POST createSession was sent with the parameter device."),
            .session().body("mvpd=a&device=b")),
        Case(
            "sends an unknown field of an object",
            verdict: .breaks("1: POST authorize was sent with the parameter device."),
            .authorize().body(#"{"resources":["A"],"device":"x"}"#)),
        Case(
            "sends a parameter of the body in the query",
            verdict: .breaks("1: POST createSession was sent with mvpd in the query."), .session().query("mvpd=cable")),
        Case(
            "sends the password of its credentials in an unknown field",
            verdict: .breaks("1: POST token was sent with the parameter password."),
            .token().body("client_id=a&password=x")),
        header("x-brand", on: .profiles([]), "profiles", isAllowed: false),
        header("sec-fetch-mode", on: .profiles([]), "profiles", isAllowed: true),
        header("x-forwarded-proto", on: .profiles([]), "profiles", isAllowed: true),
        header("x-forwarded-host", on: .profiles([]), "profiles", isAllowed: true),
        header("x-real-ip", on: .profiles([]), "profiles", isAllowed: true),
        header("x-forwarded", on: .profiles([]), "profiles", isAllowed: false),
        header(":authority", on: .profiles([]), "profiles", isAllowed: true),
        header("access-control-request-method", on: .profiles([]), "profiles", isAllowed: true),
        header("accept-language", on: .profiles([]), "profiles", isAllowed: true),
        header("cookie", on: .profiles([]), "profiles", isAllowed: true),
        header("accept", on: .profiles([]), "profiles", isAllowed: true),
        header("user-agent", on: .profiles([]), "profiles", isAllowed: true),
        header("alt-used", on: .profiles([]), "profiles", isAllowed: true),
        header("save-data", on: .profiles([]), "profiles", isAllowed: true),
        header("x-requested-with", on: .profiles([]), "profiles", isAllowed: true),
        header("sentry-trace", on: .profiles([]), "profiles", isAllowed: true),
        header("baggage", on: .profiles([]), "profiles", isAllowed: true),
        header("x-b3-traceid", on: .profiles([]), "profiles", isAllowed: true),
        header("x-datadog-trace-id", on: .profiles([]), "profiles", isAllowed: true),
        header("newrelic", on: .profiles([]), "profiles", isAllowed: true),
        header("x-newrelic-id", on: .profiles([]), "profiles", isAllowed: true),
        header("x-dynatrace", on: .profiles([]), "profiles", isAllowed: true),
        header("x-dynatrace-application", on: .profiles([]), "profiles", isAllowed: true),
        header("x-dtpc", on: .profiles([]), "profiles", isAllowed: true),
        header("adrum", on: .profiles([]), "profiles", isAllowed: true),
        header("adrum_1", on: .profiles([]), "profiles", isAllowed: true),
        header("singularityheader", on: .profiles([]), "profiles", isAllowed: true),
        header("x-new", on: .profiles([]), "profiles", isAllowed: false),
        header("ap-visitor-identifier", on: .configuration, "configuration", isAllowed: true),
        header("ap-temppass-identity", on: .profile("cable"), "profile", isAllowed: true),
        header("ap-temppass-identity", on: .authorize(), "authorize", isAllowed: true),
        header("ap-temppass-identity", on: .preauthorize(), "preauthorize", isAllowed: true),
        header("ap-temppass-identity", on: .look(), "profileOfCode", isAllowed: true),
        header("ap-temppass-identity", on: .partnerProfile([]), "partnerProfile", isAllowed: false),
        header("ap-temppass-identity", on: .profiles([]), "profiles", isAllowed: false),
        header("ap-temppass-identity", on: .configuration, "configuration", isAllowed: false),
        header("ap-partner-framework-status", on: .profiles([]), "profiles", isAllowed: true),
        header("ap-partner-framework-status", on: .profile("cable"), "profile", isAllowed: true),
        header("ap-partner-framework-status", on: .partnerSession(), "partnerSession", isAllowed: true),
        header("ap-partner-framework-status", on: .partnerProfile([]), "partnerProfile", isAllowed: true),
        header("ap-partner-framework-status", on: .session(), "createSession", isAllowed: false),
        header("ap-partner-framework-status", on: .logout(), "logout", isAllowed: false),
        header("ap-partner-framework-status", on: .check(), "session", isAllowed: false),
        header("ad-service-token", on: .session(), "createSession", isAllowed: true),
        header("ad-service-token", on: .profiles([]), "profiles", isAllowed: true),
        header("ad-service-token", on: .logout(), "logout", isAllowed: true),
        header("ad-service-token", on: .partnerSession(), "partnerSession", isAllowed: false),
        header("ad-service-token", on: .resume(), "resumeSession", isAllowed: false),
        header("ad-service-token", on: .token(), "token", isAllowed: false),
        header("adobe-subject-token", on: .authorize(), "authorize", isAllowed: true),
        header("x-roku-reserved-roku-connect-token", on: .preauthorize(), "preauthorize", isAllowed: true),
        Case(
            "sends an unknown header and an unknown parameter",
            verdict: .breaks("1: GET profiles was sent with the header x-brand, the parameter a."),
            .profiles([]).header("X-Brand", "x").query("a=1")),
        Case(
            "opens a page with a parameter and a header of its own", verdict: .nothing,
            .loginPage().query("a=1").header("X-Brand", "x")),
        Case(
            "sends a request to another service", verdict: .nothing,
            .page("/news").query("a=1").header("X-Brand", "x")),
        Case(
            "sends a request that no document describes",
            verdict: .breaks("1: No document describes DELETE /api/v2/DEMO/profiles."), .profiles([]).method("DELETE")),
        Case(
            "sends a request beside the registration that no document describes",
            verdict: .breaks("1: No document describes GET /o/client/secrets."), .profiles([]).path("/o/client/secrets")
        ),
        Case(
            "asks for the scopes of an application", verdict: .nothing, .profiles([]).path("/o/client/scopes"),
            .profiles([]).path("/o/client/validate")),
        Case(
            "sends requests elsewhere that end like those for the scopes of an application",
            verdict: .breaks(
                "1: No document describes GET /api/v2/DEMO/scopes.",
                "2: No document describes GET /o/client/register/validate."),
            .profiles([]).path("/api/v2/DEMO/scopes"), .profiles([]).path("/o/client/register/validate")),
        Case("a page asks for permission", verdict: .nothing, .profiles([]).method("OPTIONS").header("X-Brand", "x")),
        Case(
            "the recording lacks the body of a request",
            verdict: .unsure("The recording lacks the body of 1 request."),
            .profiles([]), .session().body(nil)),
        Case(
            "the recording lacks the bodies of two requests",
            verdict: .unsure("The recording lacks the bodies of 2 requests."),
            .profiles([]), .session().body(nil), .session().body(nil)),
        Case(
            "a tool has masked the bodies of three requests, one of them with a JSON string",
            verdict: .unsure("The recording lacks the bodies of 3 requests."),
            .profiles([]), .session().body("[hidden]"), .session().body("***"), .session().body(#""hidden""#)),
        Case(
            "a tool has put a JSON string in the place of an object",
            verdict: .unsure("The recording lacks the body of 1 request."),
            .profiles([]), .authorize().body(#""no body""#)),
        Case(
            "the body of a request is not what it should be",
            verdict: .unsure("The recording lacks the body of 1 request."),
            .profiles([]), .authorize().body("resources=A")),
        Case(
            "the recording lacks the body of a request with an unknown header",
            verdict: .breaks("1: POST createSession was sent with the header x-brand."),
            .session().body(nil).header("X-Brand", "x")),
    ]
}
