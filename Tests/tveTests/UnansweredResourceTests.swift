import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVENetworking
import TVESandbox
import TVETestTraits
import Testing

@testable import TVETestSupport

@Suite(.fewAtATime, .timeLimit(.hanging))
struct UnansweredResourceTests {
    @Test(.row("PR11")) func aResourceThatTheServiceLeavesOut_isNoNo() async throws {
        let desk = try await Desk("v2")
        let service = desk.sandbox.baseURL
        let between = try LoopbackServer { request, socket in
            Self.forward(request, to: service, without: "DEMO-2", socket)
        }
        let here = ["--service", between.url("")]
        let login = try await desk.logIn("--service", between.url(""))
        #expect(login.status == 0, "\(login.output)")
        let question = ["preauthorize", "DEMO-1", "DEMO-2", "DEMO-PLUS"] + here
        let text = try await desk.run(question)
        #expect(
            text.status == 0
                && text.output.hasPrefix(
                    "yes  DEMO-1\n?    DEMO-2  (It was not possible to check whether you can watch this.)\n"
                        + "no   DEMO-PLUS  ("
                ),
            "\(text.output)")
        let json = try await desk.run(question + ["--json"]).output
        #expect(
            json.hasPrefix("[{\"authorized\":true,\"resource\":\"DEMO-1\"},{\"resource\":\"DEMO-2\",\"text\":"),
            "\(json)")
    }

    /// Forwards a request to the service and returns the answer without the decision about one resource.
    private static func forward(
        _ request: LoopbackServer.Request, to service: URL, without resource: String, _ socket: Int32
    ) {
        let parts = request.line.split(separator: " ")
        guard parts.count == 2, let url = URL(string: service.absoluteString + parts[1]) else { return }
        var forwarded = HTTPRequest(method: .init(String(parts[0])) ?? .get, url: url)
        for line in request.head.split(separator: "\r\n").dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2, !["host", "content-length", "connection"].contains(field[0].lowercased()),
                let name = HTTPField.Name(String(field[0]))
            else { continue }
            forwarded.headerFields[name] = field[1].trimmingCharacters(in: .whitespaces)
        }
        let isAnswered = DispatchSemaphore(value: 0)
        Task { [forwarded] in
            defer { isAnswered.signal() }
            // The transport does not follow redirects, which is the client's task.
            guard
                let (response, data) = try? await URLSessionTransport(timeout: .hanging).send(
                    forwarded, body: request.body.isEmpty ? nil : request.body)
            else { return }
            let body = leavingOut(resource, of: data)
            let left = ["content-length", "transfer-encoding", "connection", "content-encoding"]
            let fields = response.headerFields.filter { !left.contains($0.name.canonicalName) }
            LoopbackServer.send(
                "HTTP/1.1 \(response.status.code) OK\r\n"
                    + fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
                    + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n", socket)
            _ = LoopbackServer.send(body, socket)
        }
        // The server calls this on a thread of its own, which may block.
        isAnswered.wait()
    }

    private static func leavingOut(_ resource: String, of body: Data) -> Data {
        guard var answer = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let decisions = answer["decisions"] as? [[String: Any]]
        else { return body }
        answer["decisions"] = decisions.filter { $0["resource"] as? String != resource }
        return (try? JSONSerialization.data(withJSONObject: answer)) ?? body
    }
}
