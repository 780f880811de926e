import Foundation
import HTTPTypes
import TVEModels
public import TVENetworking

/// A test suite for the contract of `HTTPTransport`, which tests any transport against a server on this machine.
///
/// Run it on your own transport from any test framework. It returns a sentence for every violation, with its usual
/// cause. Give the test a time limit, because the suite does not end if a request of the transport never ends.
public enum HTTPTransportConformance {
    /// Tests every promise of the contract.
    ///
    /// - Parameters:
    ///   - hangsUp: a Boolean value that indicates whether a cancelled request must close its connection at once, which
    ///     the contract does not require.
    ///   - make: a closure that creates the transport under test with a time limit for a whole exchange and a maximum
    ///     length of an answer in bytes. It is called several times.
    /// - Returns: one sentence for each violation.
    /// - Throws: an error if no server can be started on this machine.
    public static func violations(
        hangsUp: Bool = true,
        of make: @Sendable (_ timeout: Duration, _ maximumBytes: Int) -> any HTTPTransport
    ) async throws -> [String] {
        var violations: [String] = []
        violations += try await exchanges(make(longEnough, 1 << 20))
        violations += try await memory(make(longEnough, 1 << 20))
        violations += try await limits(make)
        violations += try await failures(make(longEnough, 1 << 20))
        violations += try await closedConnection(make(.seconds(20), 1 << 20))
        violations += try await cancellation(make(longEnough, 1 << 20), hangsUp: hangsUp)
        return violations
    }

    /// A time limit that no machine reaches.
    static let longEnough = Duration.seconds(600)

    /// Tests that requests arrive unchanged and that their answers are returned unchanged.
    private static func exchanges(_ transport: any HTTPTransport) async throws -> [String] {
        var violations: [String] = []
        let server = try LoopbackServer { request, socket in
            LoopbackServer.send(
                "HTTP/1.1 \(request["x-status"] ?? "200") Said\r\nX-Line: \(request.line)\r\n", socket)
            let note = request["x-note"] ?? ""
            let body = request.body + Data(note.utf8)
            LoopbackServer.send("X-Said: \(note)\r\n", socket)
            LoopbackServer.send("Content-Length: \(body.count)\r\nConnection: close\r\n\r\n", socket)
            _ = LoopbackServer.send(body, socket)
        }
        let bytes = Data((0...255).map { UInt8($0) })
        // The first of the two letters is part of Latin-1, and the second is not.
        let note = "as it is: \u{FC} and \u{142}"
        for (method, body) in [(HTTPRequest.Method.get, nil), (.post, bytes), (.post, Data()), (.delete, nil)] {
            let answer = await outcome(
                transport, server.url("/a%2Fb?x=%26&y=1"), method: method, fields: ["X-Note": note],
                body: body)
            guard case .success(let (response, received)) = answer else {
                violations.append("A \(method.rawValue) gets its answer: \(answer).")
                continue
            }
            if HTTPField.Name("X-Line").flatMap({ response.headerFields[$0] }) != "\(method.rawValue) /a%2Fb?x=%26&y=1"
            {
                violations.append("Method, path and query arrive as they are: is the URL encoded a second time?")
            }
            if received != (body ?? Data()) + Data(note.utf8) {
                violations.append("Body and header fields arrive, and the answer's body comes back, byte for byte.")
            }
            if HTTPField.Name("X-Said").flatMap({ response.headerFields[$0] })?.isSameBytes(as: note) != true {
                violations.append("The answer's header fields come back byte for byte: they are UTF-8.")
            }
        }
        for status in [201, 400, 403, 404, 429, 500, 503] {
            let answer = await outcome(transport, server.url("/"), fields: ["X-Status": "\(status)", "X-Note": "why"])
            if (try? answer.get()).map({ $0.0.status.code == status && $0.1 == Data("why".utf8) }) != true {
                violations.append("The status \(status) is an answer, with its body, and no error.")
            }
        }
        let many = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let answer = await outcome(transport, server.url("/\(number)"), fields: ["X-Note": "\(number)"])
                    return (try? answer.get())?.1 == Data("\(number)".utf8)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        if many != 40 { violations.append("Of 40 requests at once each gets its own answer: \(many) did.") }
        return violations
    }

    /// Tests that an exchange does not influence the next one and does not cause another one.
    private static func memory(_ transport: any HTTPTransport) async throws -> [String] {
        let requests = Guarded<[LoopbackServer.Request]>([])
        let server = try LoopbackServer { request, socket in
            requests.withLock { $0.append(request) }
            LoopbackServer.send(
                "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nSet-Cookie: viewer=1; Path=/\r\n"
                    + "Cache-Control: max-age=600\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", socket)
        }
        var violations: [String] = []
        for _ in 0..<2 {
            let answer = await outcome(transport, server.url("/here"))
            if (try? answer.get())?.0.status.code != 302 {
                violations.append("A redirect is an answer. It is not followed, since the app decides: \(answer).")
            }
        }
        let seen = requests.withLock(\.self)
        if seen.contains(where: { $0.line != "GET /here" }) {
            violations.append("A redirect is not followed: the server saw \(seen.map(\.line)).")
        }
        if seen.count < 2 { violations.append("An answer is not kept for later: turn the cache off.") }
        if seen.contains(where: { $0["cookie"] != nil }) {
            violations.append("Cookies are not kept: the next viewer would be the last one. Turn their storage off.")
        }
        return violations
    }

    typealias Outcome = Result<(HTTPResponse, Data), TransportError>

    /// Sends a request and returns its answer or its error.
    static func outcome(
        _ transport: any HTTPTransport, _ url: String, method: HTTPRequest.Method = .get,
        fields: [String: String] = [:], body: Data? = nil
    ) async -> Outcome {
        guard let url = URL(string: url) else { return .failure(.invalid) }
        var request = HTTPRequest(method: method, url: url)
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { request.headerFields[name] = value }
        }
        do throws(TransportError) {
            return .success(try await transport.send(request, body: body))
        } catch {
            return .failure(error)
        }
    }
}

extension HTTPTransportConformance.Outcome {
    var error: TransportError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
