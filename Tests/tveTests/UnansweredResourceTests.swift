import Foundation
import TVEModels
import TVESandbox
import TVETestTraits
import Testing

@testable import TVETestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
                && text.output.hasPrefix("yes  DEMO-1\n?    DEMO-2  (The service did not answer.)\nno   DEMO-PLUS  ("),
            "\(text.output)")
        let json = try await desk.run(question + ["--json"]).output
        #expect(
            json.hasPrefix("[{\"authorized\":true,\"resource\":\"DEMO-1\"},{\"resource\":\"DEMO-2\"},"), "\(json)")
    }

    /// Passes a request on and its answer back; decisions about one resource are left out.
    private static func forward(
        _ request: LoopbackServer.Request, to service: URL, without resource: String, _ socket: Int32
    ) {
        let parts = request.line.split(separator: " ")
        guard parts.count == 2, let url = URL(string: service.absoluteString + parts[1]) else { return }
        var forwarded = URLRequest(url: url)
        forwarded.httpMethod = String(parts[0])
        for line in request.head.split(separator: "\r\n").dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2, !["host", "content-length", "connection"].contains(field[0].lowercased()) else {
                continue
            }
            forwarded.setValue(field[1].trimmingCharacters(in: .whitespaces), forHTTPHeaderField: String(field[0]))
        }
        if !request.body.isEmpty { forwarded.httpBody = request.body }
        let isAnswered = DispatchSemaphore(value: 0)
        let session = URLSession(configuration: .ephemeral, delegate: Redirects(), delegateQueue: nil)
        session.dataTask(with: forwarded) { data, response, _ in
            defer { isAnswered.signal() }
            guard let data, let response = response as? HTTPURLResponse else { return }
            let body = leavingOut(resource, of: data)
            let left = ["content-length", "transfer-encoding", "connection", "content-encoding"]
            let fields = response.allHeaderFields.filter { !left.contains("\($0.key)".lowercased()) }
            LoopbackServer.send(
                "HTTP/1.1 \(response.statusCode) OK\r\n" + fields.map { "\($0.key): \($0.value)\r\n" }.joined()
                    + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n", socket)
            _ = LoopbackServer.send(body, socket)
        }.resume()
        // The server runs this on a thread of its own, which may wait.
        isAnswered.wait()
        session.finishTasksAndInvalidate()
    }

    /// Redirects are the client's to follow.
    private final class Redirects: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }

    private static func leavingOut(_ resource: String, of body: Data) -> Data {
        guard var answer = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let decisions = answer["decisions"] as? [[String: Any]]
        else { return body }
        answer["decisions"] = decisions.filter { $0["resource"] as? String != resource }
        return (try? JSONSerialization.data(withJSONObject: answer)) ?? body
    }
}
