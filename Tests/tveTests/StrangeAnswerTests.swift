import Foundation
import TVETestTraits
import Testing

@testable import TVETestSupport

/// Tests in which something between this machine and the service answers, such as the network of a hotel or an office.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct StrangeAnswerTests {
    private static let page =
        "<!DOCTYPE html><html><head><title>Hotel WiFi - please log in</title></head>"
        + "<body>Accept the terms</body></html>"

    /// Answers with a field of their head, the doctor's finding, and a part of its advice.
    private static let answers = [
        ("200 OK", "Content-Type: text/html", "answers with a web page (HTTP 200, text/html)", "open any page"),
        ("200 OK", "Content-Type: Text/HTML; charset=utf-8", "answers with a web page (HTTP 200, text/html)", "login"),
        ("200 OK", "Content-Type: text/plain", "answers with a web page (HTTP 200, text/plain)", "login"),
        ("200 OK", "X-Nothing: 1", "answers with a web page (HTTP 200, text/html)", "login"),
        ("302 Found", "Location: http://login.hotel.example/?from=here", "redirects to login.hotel.example (", "login"),
        ("301 Moved", "Location: https://127.0.0.1/here?a=b", "redirects to https (HTTP 301", "Use https://127.0.0.1."),
        ("302 Found", "Location: /login?from=here", "redirects to 127.0.0.1/login (HTTP 302", "login"),
        ("302 Found", "Location: http://127.0.0.1/login", "redirects to 127.0.0.1/login (HTTP 302", "login"),
        ("403 Forbidden", "Content-Type: text/html", "refuses the request (HTTP 403, text/html)", "filter"),
        ("404 Not Found", "Content-Type: text/html", "answers with a web page (HTTP 404, text/html)", "address"),
        (
            "407 Login", "Proxy-Authenticate: Basic realm=\"office\"", "a proxy that requires a login (HTTP 407",
            "password"
        ),
        ("429 Slower", "Content-Type: text/html", "throttles this machine (HTTP 429, text/html)", "Wait a minute"),
        ("451 Law", "Content-Type: text/html", "refuses the request (HTTP 451, text/html)", "country"),
        ("500 Failure", "Content-Type: text/html", "is not available (HTTP 500, text/html)", "Try again later"),
        ("503 Later", "Content-Type: text/html", "is not available (HTTP 503, text/html)", "Try again later"),
        (
            "511 Login", "Content-Type: text/html", "a network that requires a login (HTTP 511, text/html)",
            "open any page"
        ),
    ]

    /// Options that decide whether the doctor first asks for a statement, and at which path it asks last.
    private static let options = [[], ["--statement", "a.b.c"], ["--statement", "a.b.c", "--dialect", "classic"]]

    /// A service that has ended says so with this status, and may add a page for people.
    @Test func aPageOfAServiceThatHasEnded_isItsOwn() async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send(
                "HTTP/1.1 410 Gone\r\nContent-Type: text/html\r\nContent-Length: \(Self.page.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n" + Self.page, socket)
        }
        let tool = try await Tool.serviceChecks(of: [
            "doctor", "--service", server.url(""), "--statement", "a.b.c", "--dialect", "classic",
        ])
        #expect(tool.status == 1 && !tool.output.contains("web page"), "\(tool.output)")
        #expect(tool.output.contains("HTTP 410"), "\(tool.output)")
    }

    /// The first answer is tried with all options, and each other one with a third of them, or with all of them with
    /// `TVE_LONG_TESTS=1`.
    @Test(arguments: answers.enumerated().map { ($0, $1.0, $1.1, $1.2, $1.3) })
    func doctorIsNotFine(number: Int, status: String, field: String, finding: String, advice: String) async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send(
                "HTTP/1.1 \(status)\r\n\(field)\r\nContent-Length: \(Self.page.utf8.count)\r\nConnection: close\r\n\r\n"
                    + Self.page, socket)
        }
        for (place, more) in Self.options.enumerated()
        where LongTests.areOn || number == 0 || (number + place) % 3 == 0 {
            let arguments = ["doctor", "--service", server.url("")] + more
            let tool = try await number == 0 ? Tool.run(arguments) : Tool.serviceChecks(of: arguments)
            #expect(tool.status == 1 && !tool.output.contains("ok    service"), "\(tool.output)")
            #expect(tool.output.contains("bad   service   \(server.url("")) ") && tool.output.contains(finding))
            #expect(tool.output.contains("→") && tool.output.contains(advice), "\(tool.output)")
        }
    }

    /// Another server may answer every path in a form of its own.
    @Test(arguments: [
        ("200 OK", "{}"), ("200 OK", ""), ("404 Not Found", #"{"message":"no Route matched with those values"}"#),
        ("405 Method Not Allowed", ""), ("400 Bad Request", "{}"),
    ])
    func doctorIsNotFine_whereNoServiceAnswers(status: String, body: String) async throws {
        let tool = try await doctor(answer: status, body: body)
        #expect(tool.status == 1 && !tool.output.contains("ok    service"), "\(tool.output)")
        let finding = " does not answer as a service does (HTTP \(status.prefix(3)))."
        #expect(tool.output.contains(finding), "\(tool.output)")
    }

    /// A service that fails, or a gateway in front of it, answers in any form.
    @Test(arguments: ["500 Failure", "501 Not Implemented", "505 Version", "520 Unknown"])
    func aFailure_isNoWrongAddress(status: String) async throws {
        let tool = try await doctor(answer: status, body: #"{"message":"Internal error"}"#)
        #expect(
            tool.status == 1 && tool.output.contains(" is not available (HTTP \(status.prefix(3)))."), "\(tool.output)")
    }

    /// A service or a network that refuses a country answers in any form.
    @Test func aRefusalInJSON_isNoWebPage() async throws {
        let tool = try await doctor(answer: "451 Law", body: #"{"message":"Not in this country"}"#)
        #expect(tool.status == 1 && tool.output.contains(" refuses the request (HTTP 451)."), "\(tool.output)")
        #expect(!tool.output.contains("web page"), "\(tool.output)")
    }

    /// The finding about the requestor says that the service has ended.
    @Test(arguments: ["", "{}"])
    func aServiceThatHasEnded_isAService(body: String) async throws {
        let tool = try await doctor(answer: "410 Gone", body: body)
        #expect(tool.status == 1 && tool.output.contains("ok    service   http://127.0.0.1:"), "\(tool.output)")
        #expect(tool.output.contains("bad   requestor The service answered HTTP 410: it has ended"), "\(tool.output)")
    }

    /// Checks a service that always gives the same answer, for one answer with the program itself.
    private func doctor(answer status: String, body: String) async throws -> Tool {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send(
                "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n\(body)", socket)
        }
        let arguments = ["doctor", "--service", server.url(""), "--statement", "a.b.c"]
        let isStarted = status == "404 Not Found"
        let tool = try await isStarted ? Tool.run(arguments) : Tool.serviceChecks(of: arguments)
        withExtendedLifetime(server) {}
        return tool
    }

    /// A throttle answers before the service sees the request, in no form of the service.
    @Test(arguments: ["", "{}"])
    func doctorSaysOnce_thatThisMachineIsThrottled(body: String) async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send(
                "HTTP/1.1 429 Slower\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)",
                socket)
        }
        let arguments = ["doctor", "--service", server.url(""), "--statement", "a.b.c"]
        let tool = try await body.isEmpty ? Tool.run(arguments) : Tool.serviceChecks(of: arguments)
        let findings = tool.output.components(separatedBy: "bad   ").dropFirst()
        let finding = "service   \(server.url("")) throttles this machine (HTTP 429"
        #expect(tool.status == 1 && findings.first?.hasPrefix(finding) == true, "\(tool.output)")
        #expect(findings.filter { $0.hasPrefix("service") || $0.hasPrefix("requestor") }.count == 1, "\(tool.output)")
    }

    /// A service may have a page at its root, as the sandbox has its console.
    @Test func doctorIsFine_whereOnlyTheRootIsAPage() async throws {
        let (process, output) = try Tool.start(["sandbox", "--port", "0", "--json"])
        struct Line: Decodable { let baseURL: String }
        let base = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1)).baseURL
        let tool = try await Tool.run(["doctor", "--service", base])
        #expect(
            tool.status == 0 && tool.output.contains("ok    service   \(base) answers with HTTP "), "\(tool.output)")
        // A refusal by the service proves that there is a service.
        for more in [["--requestor", "NOPE", "--dialect", "classic"], ["--statement", "a.b.c"]] {
            let tool = try await Tool.run(["doctor", "--service", base] + more)
            #expect(tool.status == 1 && tool.output.contains("ok    service   \(base) answers with"), "\(tool.output)")
        }
        process.terminate()
        await process.ended()
    }

    @Test(arguments: [["status"], ["doctor"], ["login", "--second-screen"]])
    func anUnknownHost_isNoMissingSandbox(command: [String]) async throws {
        // A proxy of the machine would answer in place of the host.
        let tool = try await Tool.run(
            ["no_proxy=.invalid", Tool.executable.path] + command + ["--service", "nohost.invalid"],
            of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(tool.output.contains("https://nohost.invalid does not answer: the name of the host is unknown."))
        #expect(tool.status != 0 && !tool.output.contains("andbox"), "\(tool.output)")
    }

    @Test func aPage_isSaidByEveryCommand() async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(Self.page.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n\(Self.page)", socket)
        }
        let without = try await Tool.run(["status", "--service", server.url("")])
        #expect(without.output.contains("answers with a web page (HTTP 200, text/html), which no service does."))
        #expect(without.status == 2)
        for dialect in ["classic", "v2"] {
            let folder = try Folder()
            let arguments = [
                "providers", "--service", server.url(""), "--statement", "a.b.c", "--dialect", dialect, "--directory",
                folder.path("store"), "--timeout", "600",
            ]
            let tool = try await dialect == "classic" ? Tool.run(arguments) : Tool.failure(of: arguments)
            #expect(tool.output.contains("A web page came in place of the service's answer (HTTP 200, text/html)."))
            #expect(tool.status == 2 && tool.output.contains("[CFG500]"), "\(tool.output)")
        }
    }

    /// Only a sandbox has the path at which commands look for a statement.
    @Test func aPageForAMissingPath_meansThatThereIsNoSandbox() async throws {
        let server = try LoopbackServer { _, socket in
            LoopbackServer.send(
                "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: \(Self.page.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n\(Self.page)", socket)
        }
        let tool = try await Tool.run(["status", "--service", server.url("")])
        #expect(tool.status == 2 && tool.output.contains("No sandbox answers at \(server.url(""))."), "\(tool.output)")
    }

    /// A proxy on this machine compresses the answers of a service with a page at its root.
    @Test func anAnswerThatIsNotRead_isNoMissingSandbox_andNoPage() async throws {
        let server = try LoopbackServer { request, socket in
            let field = request.line == "GET /" ? "Content-Type: text/html" : "Content-Encoding: br"
            LoopbackServer.send(
                "HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: \(Self.page.utf8.count)\r\nConnection: close\r\n\r\n"
                    + Self.page, socket)
        }
        let sentence =
            "\(server.url("")) gives no usable answer: the request could not be sent, or the answer is not valid HTTP"
        let status = try await Tool.run(["status", "--service", server.url("")])
        #expect(status.status == 2 && status.output.contains("Error: \(sentence)"), "\(status.output)")
        let doctor = try await Tool.run(["doctor", "--service", server.url(""), "--statement", "a.b.c"])
        #expect(doctor.status == 1 && doctor.output.contains("bad   service   \(sentence)"), "\(doctor.output)")
        #expect(!doctor.output.contains("web page"), "\(doctor.output)")
    }

    /// A sandbox in the network, or under another name, is no other service.
    @Test func aSandboxThatIsClosed_isNamed() async throws {
        let (process, output) = try Tool.start(["sandbox", "--port", "0", "--json"])
        struct Line: Decodable { let baseURL: String }
        let base = try JSONDecoder().decode(Line.self, from: await output.read(lines: 1)).baseURL
        let other = base.replacing("127.0.0.1", with: "0.0.0.0")
        let tool = try await Tool.run(["status", "--service", other])
        #expect(tool.status == 2 && tool.output.contains("The sandbox at \(other) returns its"), "\(tool.output)")
        // The demo does not blame the statement that it would have received.
        for more in [[], ["--statement", "a.b.c"]] {
            let demo = try await Tool.run(["demo", "--service", other, "--dialect", "v2"] + more)
            #expect(
                demo.status == 2 && demo.failure?.contains("The sandbox at \(other) returns its") == true,
                "\(demo.output)")
            #expect(!demo.output.contains("setRequestor"), "\(demo.output)")
        }
        process.terminate()
        await process.ended()
    }

    /// Some servers state the type of pages for all their answers.
    @Test func anAnswerInJSON_isNoPage_whateverItsTypeIs() async throws {
        let server = try LoopbackServer { request, socket in
            let isRegistration = request.line.contains("/o/client/")
            let body = isRegistration ? "{}" : #"{"error":"access_denied"}"#
            LoopbackServer.send(
                "HTTP/1.1 \(isRegistration ? "404 Not Found" : "401 Unauthorized")\r\nContent-Type: text/html\r\n"
                    + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)", socket)
        }
        let tool = try await Tool.run(["doctor", "--service", server.url(""), "--statement", "a.b.c"])
        #expect(tool.output.contains("ok    service   \(server.url("")) answers with HTTP 401."), "\(tool.output)")
        #expect(tool.status == 1 && !tool.output.contains("web page"), "\(tool.output)")
    }

    @Test(.needs("openssl"))
    func aCertificateOfNoAuthority_isSaid() async throws {
        let folder = try Folder()
        let env = URL(fileURLWithPath: "/usr/bin/env")
        let key = try folder.file("key.pem", TestKeys.first)
        let certificate = folder.path("certificate.pem")
        let made = try await Tool.run(
            [
                "openssl", "req", "-x509", "-new", "-key", key, "-out", certificate, "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ], of: env)
        try #require(made.status == 0, "\(made.output)")
        var server = try Self.startServer(key: key, certificate: certificate)
        // The program inherits the signals that the thread of a task blocks, and SIGTERM is one of them.
        defer { kill(server.process.processIdentifier, SIGKILL) }
        // The server needs some time until it listens, and ends if another program has taken its port before.
        let isSaid = await soon {
            if !server.process.isRunning, let next = try? Self.startServer(key: key, certificate: certificate) {
                server = next
            }
            let tool = try? await Tool.run(["doctor", "--service", server.address, "--statement", "a.b.c"])
            return tool?.output.contains(
                "cannot be reached securely: no authority that this machine trusts has signed its")
                == true
        }
        #expect(isSaid)
        let tool = try await Tool.run(
            ["providers", "--service", server.address, "--statement", "a.b.c", "--directory", folder.path("store")])
        #expect(tool.status == 2 && tool.output.contains("[SEC420]"), "\(tool.output)")
        let text = "No authority that this device trusts has signed the server's certificate."
        #expect(tool.output.contains(text), "\(tool.output)")
    }

    /// Starts a server with a certificate at a port that was free a moment ago.
    private static func startServer(key: String, certificate: String) throws -> (process: Process, address: String) {
        let port = try LoopbackServer.freePort()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "s_server", "-accept", "\(port)", "-key", key, "-cert", certificate, "-www"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try Tool.launch(process)
        return (process, "https://localhost:\(port)")
    }
}
