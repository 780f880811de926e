import FlyingFox
import FlyingSocks
import Foundation
import TVEModels

/// This machine's browser.
enum SystemBrowser {
    static var isThere: Bool { program != nil }

    /// The path of the program that opens pages, or `nil` if there is none.
    private static var program: String? {
        #if os(macOS)
        let names = ["/usr/bin/open"]
        #else
        // Without a display, the program would start a browser in the terminal, or none at all.
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return nil }
        let names = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open"]
        #endif
        return names.first(where: FileManager.default.isExecutableFile)
    }

    /// Opens a page in the browser.
    ///
    /// - Returns: `false` if there is no browser.
    static func open(_ url: URL) -> Bool {
        guard let program else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [url.absoluteString]
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
            // An empty error names none, as for the session.
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
