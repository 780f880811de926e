import ArgumentParser
import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport

/// Runs a client in front of a sandbox, and plays its viewer.
struct ConformanceRun {
    let sandbox: Sandbox

    /// Runs the command until it ends.
    ///
    /// Ctrl-C ends it and what it started.
    ///
    /// - Throws: `ToolFailure` when it could not begin, did not end in time or did not end well.
    func run(_ command: String, within limit: Duration) async throws {
        let events = sandbox.events
        let viewer = Task { await PlayedViewer(sandbox: sandbox).watch(events) }
        defer { viewer.cancel() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        // It has a group of its own, which may not read from the terminal.
        process.standardInput = FileHandle.nullDevice
        // Standard output is for the report.
        process.standardOutput = FileHandle(fileDescriptor: STDERR_FILENO)
        let (ends, end) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            end.yield($0.terminationStatus)
            end.finish()
        }
        do {
            try process.run()
        } catch {
            throw ToolFailure("The command cannot be run", because: error, code: .unknown)
        }
        let began = ContinuousClock.now
        // After the start: the command would ignore the signals too.
        let interruptions = await Interruptions { Self.end(process) }
        let timer = Task {
            try await Task.sleep(for: limit)
            Self.end(process)
        }
        defer {
            interruptions.end()
            timer.cancel()
        }
        let status = await ends.first { _ in true }
        guard ContinuousClock.now - began < limit else {
            throw ToolFailure("The command of --run did not end within \(limit).", code: .unknown)
        }
        guard process.terminationReason == .exit else {
            throw ToolFailure("The command of --run was ended by a signal.", code: .unknown)
        }
        guard status == 0 else {
            let code = status.map { "the exit code \($0)" } ?? "no exit code"
            throw ToolFailure("The command of --run failed: it ended with \(code).", code: .unknown)
        }
    }

    /// Ends a command and what it started, which a shell does not; one that ignores the signal is killed.
    private static func end(_ process: Process) {
        let id = process.processIdentifier
        let all = getpgid(id) == id ? -id : id
        kill(all, SIGTERM)
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) {
            if process.isRunning { kill(all, SIGKILL) }
        }
    }

    /// What the client needs to know.
    private var variables: [String: String] {
        let tool = Bundle.main.executableURL?.path ?? "tve"
        return [
            "TVE_SERVICE": sandbox.baseURL.absoluteString, "TVE_STATEMENT": sandbox.softwareStatement,
            "TVE_REQUESTOR": "DEMO", "TVE_PROVIDER": "demo-cable", "TVE_RESOURCE": "DEMO-1",
            "BROWSER": "'\(tool)' conformance-viewer %s",
        ]
    }
}

/// The viewer of a client without a screen: opens the login page of each new session that nobody else opens, and types
/// the code where the session lacks something.
private struct PlayedViewer {
    let sandbox: Sandbox

    func watch(_ events: AsyncStream<SandboxEvent>) async {
        // One that discards its results needs newer systems than this package.
        await withTaskGroup(of: Void.self) { group in
            for await event in events {
                guard case .exchange(let exchange) = event, exchange.status == 200,
                    ["createSession", "partnerSession"].contains(exchange.facts.step),
                    let answer = try? UntrustedJSON.decode(Answer.self, from: exchange.answer.body, .small),
                    let code = answer.code
                else { continue }
                group.addTask { await logIn(code, answer, exchange) }
            }
        }
    }

    private struct Answer: Decodable {
        let actionName: String
        var code: String?
        var url: String
    }

    private func logIn(_ code: String, _ answer: Answer, _ exchange: SandboxExchange) async {
        // A client with a browser or a second screen of its own is quicker.
        guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
        let isTaken = sandbox.exchanges.contains {
            $0.id > exchange.id && $0.path.hasByteSuffix("/\(code)") && !$0.path.containsBytes(of: "/profiles/")
        }
        guard !isTaken else { return }
        let url = URL(string: answer.url, relativeTo: sandbox.baseURL)?.absoluteURL
        if let page = answer.actionName == "authenticate" ? url : await typeCode(code) {
            await PlayedBrowser.open(page)
        }
    }

    /// Where the page for codes leads.
    private func typeCode(_ code: String) async -> URL? {
        var request = HTTPRequest(method: .post, url: sandbox.baseURL.appending(path: "activate"))
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let body = Data("code=\(code)&mvpd=demo-cable".utf8)
        let answer = try? await PlayedBrowser.Transport().send(request, body: body)
        return answer?.0.headerFields[.location].flatMap { URL(string: $0, relativeTo: sandbox.baseURL)?.absoluteURL }
    }
}

/// The browser of the played viewer, also for a client that opens pages with `BROWSER`.
enum PlayedBrowser {
    /// Opens a page, logs in where it asks for a password, and goes on to the redirect of a client on this machine.
    static func open(_ page: URL) async {
        // Nothing ends there: the browser goes as far as it can.
        guard let nowhere = URL(string: "tve-conformance:end") else { return }
        var browser = HeadlessBrowser(transport: Transport())
        _ = await browser.open(page, endingAt: nowhere, as: .logsIn(name: "viewer", password: "secret"))
    }

    /// Reaches this machine alone, whatever redirect the client has.
    struct Transport: HTTPTransport {
        private static let next = ToolTransport.make(timeout: .seconds(30))

        func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
            let (host, _) = (request.authority ?? "").divided(at: ":")
            guard request.scheme?.lowercased() == "http", ["127.0.0.1", "localhost"].contains(String(host)) else {
                throw .unreachable
            }
            return try await Self.next.send(request, body: body)
        }
    }
}

/// What `BROWSER` runs under `tve conformance --run`.
struct PlayedViewerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance-viewer", abstract: "Play the viewer at a page of a sandbox.", shouldDisplay: false)

    @Argument var url: String

    func run() async throws {
        guard let page = URL(string: url) else { throw ValidationError("\(url) is not a URL.") }
        await PlayedBrowser.open(page)
    }
}
