import FlyingFox
import FlyingSocks
import Foundation
import TVEModels

/// This machine's browser.
enum SystemBrowser {
    static var isThere: Bool { command != nil }

    /// The command of a shell that opens the page in its first parameter, or `nil` if there is none.
    ///
    /// The page is no part of the command, so the shell does not interpret its characters.
    private static var command: String? {
        if let own = Variables.trimmed("BROWSER") { return command(own) }
        #if os(macOS)
        let names = ["/usr/bin/open"]
        #else
        // Without a display, the program would start a browser in the terminal, or none at all.
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return nil }
        let names = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open"]
        #endif
        return names.first(where: isProgram).map { "\($0) \"$1\"" }
    }

    /// Returns the command that the viewer has named, with a place for the page, or `nil` if its program is not there.
    private static func command(_ own: String) -> String? {
        // The path of a program may contain spaces.
        if isProgram(own) {
            return "'\(own.replacingBytes(of: "'", with: "'\\''"))' \"$1\""
        }
        guard isInstalled(program(of: own)) else { return nil }
        if own.containsBytes(of: "%s") { return own.replacingBytes(of: "%s", with: "\"$1\"") }
        // A command in the background ends with this character.
        return own.hasByteSuffix("&") ? "\(own.dropLast()) \"$1\" &" : "\(own) \"$1\""
    }

    /// Returns the name of the program that a command starts, which may be in quotation marks.
    private static func program(of command: String) -> String {
        let mark = command.unicodeScalars.first.flatMap { ["'", "\""].contains($0) ? $0 : nil }
        guard let mark else { return String(command.divided(at: " ").before) }
        return String(command.dropFirst().divided(at: mark).before)
    }

    private static func isInstalled(_ program: String) -> Bool {
        let isPath = program.containsBytes(of: "/")
        let folders = isPath ? [""] : (Variables.value("PATH") ?? "").parts(separatedBy: ":").map { "\($0)/" }
        return folders.contains { isProgram($0 + program) }
    }

    private static func isProgram(_ path: String) -> Bool {
        // The system also reports folders as executable, so the type of the file is checked.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        return FileManager.default.isExecutableFile(atPath: path)
            && (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }

    /// Opens a page in the browser.
    ///
    /// - Returns: `false` if there is no browser.
    static func open(_ url: URL) -> Bool {
        guard let command else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command, "tve", url.absoluteString]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }
}

/// A local port to which the browser is redirected at the end of a login.
final class LoopbackRedirect: Sendable {
    /// The redirect URL for the service, with a path that no other page in the browser can guess.
    let url: URL
    private let server: HTTPServer
    private let running: Task<Void, any Error>
    private let arrivals: AsyncStream<URL>
    private let hasArrived: Guarded<Bool>

    /// Starts to listen on a free port.
    ///
    /// A browser does not send the text after `#`, in which a service may put an error. The page at the redirect
    /// therefore sends another request, whose query has that text too.
    ///
    /// - Parameters:
    ///   - patience: the longest time to wait for that request, which a browser without scripts never sends.
    ///   - host: the address of this machine to which the browser returns.
    init(patience: Duration = .seconds(1), at host: String = "127.0.0.1") async throws {
        let path = "/done/\(UUID().uuidString.lowercased())"
        let (arrivals, arrived) = AsyncStream<URL>.makeStream()
        self.arrivals = arrivals
        let hasArrived = Guarded(false)
        self.hasArrived = hasArrived
        let address = try sockaddr_in.inet(ip4: host, port: 0)
        server = HTTPServer(config: .init(address: address, logger: .disabled))
        let base = Guarded<URL?>(nil)
        let end = "\(path)/end"
        let pages = Guarded(Pages())
        for route in [path, "\(end)/*"] {
            await server.appendRoute(HTTPRoute("GET \(route)")) { request in
                hasArrived.withLock { $0 = true }
                // The query contains an error if the login was refused.
                let query = request.query.map { URLQueryItem(name: $0.name, value: $0.value) }
                // An empty parameter `error` is not an error; a session interprets it in the same way.
                let isRefused = query.contains { $0.name == "error" && $0.value?.isEmpty == false }
                let arrival = base.withLock(\.self).map { query.isEmpty ? $0 : $0.appending(queryItems: query) }
                // Programs that are no browsers run no scripts, and do not ask for a page.
                let asksForAPage = request.headers[HTTPHeader("Accept")]?.containsBytes(of: "text/html") == true
                let isLast = route != path || isRefused || !asksForAPage
                // The second request of a page has the number of the page at its end.
                let number = request.path.dividedAtLast("/").flatMap { Int($0.after) } ?? 0
                let page = pages.withLock { route == path ? $0.begin() : number }
                let leave = { @Sendable () -> Void in
                    if let arrival, pages.withLock({ $0.end(page) }) { arrived.yield(arrival) }
                }
                if isLast {
                    leave()
                } else {
                    Task {
                        try? await Task.sleep(for: patience)
                        leave()
                    }
                }
                return Self.page(
                    isRefused ? "The login was refused." : "You are done here.", next: isLast ? nil : "\(end)/\(page)")
            }
        }
        // On a machine that many programs keep busy, the usual five seconds may pass.
        let listening = Task { [server] in try await server.waitUntilListening(timeout: 60) }
        running = Task { [server] in
            // The wait does not notice that the system refuses a port.
            defer { listening.cancel() }
            try await server.run()
        }
        do {
            try await listening.value
        } catch {
            throw ToolFailure(SessionFault.noPort)
        }
        guard case .ip4(_, port: let port)? = await server.listeningAddress,
            let url = URL(string: "http://\(host):\(port)\(path)")
        else { throw ToolFailure(SessionFault.noPort) }
        self.url = url
        base.withLock { $0 = url }
    }

    /// The pages at the redirect, each of which reports one arrival.
    ///
    /// A forced login opens a logout page before the login page, and both end at the redirect.
    private struct Pages {
        private var count = 0
        /// The number of the page that has not reported its arrival, or 0 if there is none.
        private var current = 0

        /// Begins a page and returns its number.
        mutating func begin() -> Int {
            count += 1
            current = count
            return current
        }

        /// Ends a page, and returns a Boolean value that indicates whether it has to report its arrival.
        mutating func end(_ page: Int) -> Bool {
            guard page > 0, page == current else { return false }
            current = 0
            return true
        }
    }

    /// Returns the page at the redirect.
    ///
    /// A browser that is late finds nobody at the next path, so it leaves the page only for a text after `#`, in which
    /// there may be an error to show.
    ///
    /// - Parameters:
    ///   - sentence: the outcome of the login, as far as it is known.
    ///   - next: the path that the browser requests with the text after `#`, or `nil` for the last page.
    private static func page(_ sentence: String, next: String?) -> HTTPResponse {
        let script = next.map { path in
            """
            <script>
            const text = location.hash.slice(1), query = location.search
            const end = "\(path)" + query
            if (text) location.replace(end + (query ? "&" : "?") + text)
            else fetch(end).catch(() => {})
            </script>
            """
        }
        let page =
            "<!DOCTYPE html><title>Done</title><p>\(sentence) You can go back to the terminal.</p>\(script ?? "")"
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "text/html;charset=UTF-8", .connection: "close"],
            body: Data(page.utf8))
    }

    /// Waits until the browser has returned.
    ///
    /// - Returns: the URL with its query, or `nil` if the task is cancelled first.
    func arrival() async -> URL? {
        await arrivals.first { _ in true }
    }

    /// Stops listening, after a moment in which a browser that has arrived receives its page.
    ///
    /// The server often does not notice that its socket was closed, and then takes all the time that it may.
    func stop() async {
        await server.stop(timeout: hasArrived.withLock(\.self) ? 0.3 : 0)
        running.cancel()
    }
}
