import ArgumentParser
import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport

/// A run of a client against a sandbox, in which the tool plays the viewer.
struct ConformanceRun {
    let sandbox: Sandbox

    /// Runs the command until it ends.
    ///
    /// Ctrl-C, SIGTERM and a closed terminal end the command and the processes that it started.
    ///
    /// - Parameters:
    ///   - command: the command line for the shell.
    ///   - limit: the longest time that the command may take.
    /// - Returns: `false` if a signal has told the command to end, even if the command then exits without an error.
    /// - Throws: `ToolFailure` if the command could not be started, did not end in time, or failed.
    func run(_ command: String, within limit: Duration) async throws -> Bool {
        let events = sandbox.events
        let viewer = Task { await SimulatedViewer(sandbox: sandbox).watch(events) }
        defer { viewer.cancel() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        // The command has its own process group, which may not read from the terminal.
        process.standardInput = FileHandle.nullDevice
        // Standard output is reserved for the report.
        process.standardOutput = FileHandle(fileDescriptor: STDERR_FILENO)
        let (ends, end) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in end.finish() }
        do {
            try process.run()
        } catch {
            throw ToolFailure(ConformanceFault.cannotRun(reason: error.reasonForPeople), code: .unknown)
        }
        let began = ContinuousClock.now
        // The number of the process group, which a shell that has ended does not name any more.
        let id = process.processIdentifier
        let all = getpgid(id) == id ? -id : id
        let (orders, order) = AsyncStream<Void>.makeStream()
        let ending = Task<Bool, Never> {
            guard await orders.first(where: { _ in true }) != nil else { return true }
            await Self.end(all)
            return false
        }
        // The tool handles the signals only after the start. Otherwise the command would inherit the setting and ignore
        // them as well.
        let interruptions = await Interruptions { _ in order.yield() }
        let timer = Task {
            try await Task.sleep(for: limit)
            order.yield()
        }
        defer {
            interruptions.end()
            timer.cancel()
        }
        for await _ in ends {}
        let time = ContinuousClock.now - began
        // The shell may have ended before the programs that it started.
        order.finish()
        let hasEndedAlone = await ending.value
        guard time < limit else {
            throw ToolFailure(ConformanceFault.tookTooLong(limit: limit), code: .unknown)
        }
        guard process.terminationReason == .exit else {
            throw ToolFailure(ConformanceFault.endedBySignal, code: .unknown)
        }
        guard process.terminationStatus == 0 else {
            throw ToolFailure(ConformanceFault.failed(exitCode: process.terminationStatus), code: .unknown)
        }
        return hasEndedAlone
    }

    /// Ends a command and the processes that it started, and returns when they have ended.
    ///
    /// The signal goes to the whole process group, because a shell does not pass it on. After five seconds, the
    /// processes that ignore the signal are killed.
    ///
    /// - Parameter all: the process group as `kill` takes it.
    private static func end(_ all: pid_t) async {
        kill(all, SIGTERM)
        let end = ContinuousClock.now + .seconds(5)
        while kill(all, 0) == 0 {
            guard ContinuousClock.now < end else {
                kill(all, SIGKILL)
                return
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The environment variables from which the client learns the sandbox's address and its own credentials.
    private var variables: [String: String] {
        let tool = Bundle.main.executableURL?.path ?? "tve"
        return [
            "TVE_SERVICE": sandbox.baseURL.absoluteString, "TVE_STATEMENT": sandbox.softwareStatement,
            "TVE_REQUESTOR": "DEMO", "TVE_PROVIDER": "demo-cable", "TVE_RESOURCE": "DEMO-1",
            "BROWSER": "\(Self.shellArgument(tool)) conformance-viewer %s",
        ]
    }

    /// Returns a path as an argument of a command, in quotation marks only if a shell needs them.
    ///
    /// Some programs that read `BROWSER`, such as `xdg-open`, take quotation marks for a part of the name.
    private static func shellArgument(_ path: String) -> String {
        let isPlain = path.wholeMatch(of: /[A-Za-z0-9_.\/+\-]+/) != nil
        return isPlain ? path : "'\(path.replacingBytes(of: "'", with: #"'\''"#))'"
    }
}

/// The viewer of a client without a screen.
///
/// The viewer opens the login page of each new session that nobody else opens, and types the registration code if the
/// session requires further data.
private struct SimulatedViewer {
    let sandbox: Sandbox

    func watch(_ events: AsyncStream<SandboxEvent>) async {
        // A group that discards its results would need newer systems than this package supports.
        await withTaskGroup(of: Void.self) { group in
            for await event in events {
                guard case .exchange(let exchange) = event, exchange.status == 200,
                    ["createSession", "partnerSession"].contains(exchange.facts.step),
                    let answer = try? UntrustedJSON.decode(Answer.self, from: exchange.answer.body, .small),
                    let code = answer.code
                else { continue }
                group.addTask { await logIn(with: code, session: answer, createdBy: exchange) }
            }
        }
    }

    private struct Answer: Decodable {
        let actionName: String
        var code: String?
        var url: String
    }

    private func logIn(with code: String, session answer: Answer, createdBy exchange: SandboxExchange) async {
        // A client with its own browser or second screen opens the page within this time.
        guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
        let isTaken = sandbox.exchanges.contains {
            $0.id > exchange.id && $0.path.hasByteSuffix("/\(code)") && !$0.path.containsBytes(of: "/profiles/")
        }
        guard !isTaken else { return }
        let url = URL(string: answer.url, relativeTo: sandbox.baseURL)?.absoluteURL
        if let page = answer.actionName == "authenticate" ? url : await typeCode(code) {
            await SimulatedBrowser.open(page)
        }
    }

    /// Types a registration code and returns the login page to which the activation page redirects.
    private func typeCode(_ code: String) async -> URL? {
        var request = HTTPRequest(method: .post, url: sandbox.baseURL.appending(path: "activate"))
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let body = Data("code=\(code)&mvpd=demo-cable".utf8)
        let answer = try? await SimulatedBrowser.Transport().send(request, body: body)
        return answer?.0.headerFields[.location].flatMap { URL(string: $0, relativeTo: sandbox.baseURL)?.absoluteURL }
    }
}

/// The browser of the simulated viewer, which a client can also start through the variable `BROWSER`.
enum SimulatedBrowser {
    /// Opens a page, logs in if it asks for a password, and follows redirects to a client on this machine.
    static func open(_ page: URL) async {
        // No page redirects to this address, so the browser follows all redirects that it can.
        guard let nowhere = URL(string: "tve-conformance:end") else { return }
        var browser = HeadlessBrowser(transport: Transport())
        _ = await browser.open(page, endingAt: nowhere, as: .logsIn(name: "viewer", password: "secret"))
    }

    /// A transport that only reaches this machine, regardless of the client's redirect.
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

/// The command that a client runs as its `BROWSER` under `tve conformance --run`.
struct SimulatedViewerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance-viewer", abstract: "Play the viewer at a page of a sandbox.", shouldDisplay: false)

    @Argument var url: String

    func run() async throws {
        guard let page = URL(string: url) else { throw ValidationError(ArgumentFault.notAURL(url)) }
        await SimulatedBrowser.open(page)
    }
}
