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

    init() async throws {
        let path = "/done/\(UUID().uuidString.lowercased())"
        let (arrivals, arrived) = AsyncStream<URL>.makeStream()
        self.arrivals = arrivals
        let hasArrived = Guarded(false)
        self.hasArrived = hasArrived
        let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: 0)
        server = HTTPServer(config: .init(address: address, logger: .disabled))
        let base = Guarded<URL?>(nil)
        await server.appendRoute(HTTPRoute("GET \(path)")) { request in
            hasArrived.withLock { $0 = true }
            // The query contains an error if the login was refused.
            let query = request.query.map { URLQueryItem(name: $0.name, value: $0.value) }
            if let base = base.withLock(\.self) {
                arrived.yield(query.isEmpty ? base : base.appending(queryItems: query))
            }
            // An empty parameter `error` is not an error; a session interprets it in the same way.
            let isRefused = query.contains { $0.name == "error" && $0.value?.isEmpty == false }
            let start = isRefused ? "The login was refused." : "You are done here."
            let page = "<!DOCTYPE html><title>Done</title><p>\(start) You can go back to the terminal.</p>"
            return HTTPResponse(
                statusCode: .ok, headers: [.contentType: "text/html;charset=UTF-8", .connection: "close"],
                body: Data(page.utf8))
        }
        running = Task { [server] in try await server.run() }
        do {
            try await server.waitUntilListening()
        } catch {
            throw ToolFailure(SessionFault.noPort)
        }
        guard case .ip4(_, port: let port)? = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)\(path)")
        else { throw ToolFailure(SessionFault.noPort) }
        self.url = url
        base.withLock { $0 = url }
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
