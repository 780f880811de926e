import Foundation
import TVEFleetFixture
import TVETestTraits
import Testing

/// Clients that speak HTTP as curl, load balancers and old libraries do.
@Suite(.fourAtATime)
struct OldClientTests {
    private let verifier: Verifier

    init() throws { verifier = try Fleet().verifier() }

    @Test(.timeLimit(.hanging)) func aClientThatExpectsContinue_isToldToSendItsBody() throws {
        for expectation in [
            "100-continue", "100-Continue", "100-continue, 100-continue", "100-continue\r\nExpect: 100-continue",
        ] {
            let socket = try RawSocket(port: verifier.port)
            let body = Data("{\"token\":\"x\"}".utf8)
            try socket.send(
                Data(
                    ("POST /v1/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.count)\r\nExpect: \(expectation)\r\n\r\n").utf8))
            #expect(try socket.line().hasPrefix("HTTP/1.1 100"))
            #expect(try socket.line().trimmingCharacters(in: .newlines).isEmpty)
            try socket.send(body)
            #expect(try socket.line().hasPrefix("HTTP/1.1 200"))
        }
    }

    /// A client would take the line for the answer to its first request.
    @Test(.timeLimit(.hanging)) func aClientThatExpectsContinue_getsTheEarlierAnswerFirst() throws {
        let socket = try RawSocket(port: verifier.port)
        let body = Data("{\"token\":\"x\"}".utf8)
        let request = RawSocket.bytes("POST", "/v1/verify", body: body, headers: ["expect": "100-continue"])
        try socket.send(RawSocket.bytes("GET", "/healthz", body: nil) + request.dropLast(body.count))
        #expect(try HTTPAnswer(socket).json["status"] as? String == "ok")
        #expect(try HTTPAnswer(socket).status == 100)
        try socket.send(body)
        #expect(try HTTPAnswer(socket).status == 200)
    }

    @Test(.timeLimit(.hanging)) func aRequestWithoutABody_isNotAskedForIt() throws {
        let socket = try RawSocket(port: verifier.port)
        for length in ["", "content-length: 0\r\n"] {
            try socket.send(Data("GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n\(length)\r\n".utf8))
            #expect(try HTTPAnswer(socket).status == 200)
        }
    }

    @Test(.timeLimit(.hanging), arguments: ["", "Connection: keep-alive\r\n"])
    func aConnectionOfHTTP10_isClosed(field: String) throws {
        let socket = try RawSocket(port: verifier.port)
        try socket.send(Data("GET /healthz HTTP/1.0\r\nExpect: 100-continue\r\n\(field)\r\n".utf8))
        var text = Data()
        // The answer ends when the server closes the connection.
        while let more = try? socket.some(), !more.isEmpty { text += more }
        let answer = String(decoding: text, as: UTF8.self)
        #expect(answer.contains(" 200 ") && answer.hasSuffix("}"), "\(answer)")
    }

    /// A client that reads until the end of the connection would otherwise wait for `idleSeconds`.
    @Test(
        .timeLimit(.hanging),
        arguments: ["close", "Close", "TE, close", "close,TE", "keep-alive\r\nConnection: close"])
    func aConnection_isClosed_whenItsClientAsksForIt(value: String) throws {
        let verifier = try Fleet().verifier("limits: { idleSeconds: 3600 }")
        let socket = try RawSocket(port: verifier.port, seconds: 60)
        try socket.send(Data("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: \(value)\r\n\r\n".utf8))
        let answer = try HTTPAnswer(socket)
        #expect(answer.status == 200 && answer.headers["connection"] == "close", "\(answer.headers)")
        #expect(try socket.some().isEmpty)
    }

    /// The client may send its requests without waiting for the answers.
    @Test(.timeLimit(.hanging)) func theLastAnswerOfAConnection_isMarkedAlone() throws {
        let socket = try RawSocket(port: verifier.port)
        let requests = ["", "Connection: close\r\n"].map { "GET /healthz HTTP/1.1\r\nHost: a\r\n\($0)\r\n" }
        try socket.send(Data(requests.joined().utf8))
        #expect(try HTTPAnswer(socket).headers["connection"] == nil)
        #expect(try HTTPAnswer(socket).headers["connection"] == "close")
        #expect(try socket.some().isEmpty)
    }

    /// The HTTP client of Java offers HTTP/2 in this way, and would send its next request to a connection on which
    /// nothing is read any more.
    @Test(.timeLimit(.hanging))
    func aConnection_isClosed_afterTheOfferOfAnotherProtocol() throws {
        let verifier = try Fleet().verifier("limits: { idleSeconds: 3600 }")
        let offer = [
            "connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c", "http2-settings": "AAEAAEAAAAIAAAABAAMAAABk",
        ]
        for (method, path, body) in [
            ("GET", "/healthz", nil), ("POST", "/v1/verify", Data("{\"token\":\"x\"}".utf8)),
        ] as [(String, String, Data?)] {
            let socket = try RawSocket(port: verifier.port, seconds: 60)
            let answer = try socket.request(method, path, body: body, headers: offer)
            #expect(answer.status == 200 && answer.headers["connection"] == "close", "\(answer.headers)")
            #expect(try socket.some().isEmpty)
        }
        let socket = try RawSocket(port: verifier.port, seconds: 60)
        let answer = try socket.request("CONNECT", "localhost:443")
        #expect((400..<500).contains(answer.status) && answer.headers["connection"] == "close", "\(answer.headers)")
        #expect(try socket.some().isEmpty)
    }

    @Test(
        .timeLimit(.hanging),
        arguments: [
            ("/healthz", "200"), ("/readyz", ""), ("/metrics", "200"), ("/openapi.json", "200"), ("/", "404"),
            ("/v1/verify", "405"),
        ])
    func headOfAPage_hasNoBody(path: String, status: String) throws {
        let socket = try RawSocket(port: verifier.port)
        try socket.send(Data("HEAD \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        var text = Data()
        while let more = try? socket.some(), !more.isEmpty { text += more }
        let answer = String(decoding: text, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
        #expect(answer.hasSuffix("\r\n\r\n") && answer.lowercased().contains("content-length: "))
    }

    @Test func metrics_haveHelp_andTheBuild() throws {
        let page = try verifier.get("/metrics").text
        #expect(page.contains("tve_verifier_build_info{version=\""))
        for line in page.split(separator: "\n") where line.hasPrefix("# TYPE tve_") {
            let name = line.split(separator: " ")[2]
            #expect(page.contains("# HELP \(name) "), "\(name)")
        }
    }
}
