import FlyingFox
import FlyingSocks
public import Foundation

/// A local service provider and TV provider over real HTTP.
///
/// It never contacts another machine. Everything it knows is gone when it stops.
public actor Sandbox {
    /// Where it answers, for example `http://127.0.0.1:8080`.
    public nonisolated let baseURL: URL
    /// The statement with which an application registers here.
    public nonisolated let softwareStatement: String
    /// The key that signs its tokens.
    public nonisolated let key: SandboxKey

    /// What it answers, with or without a socket.
    package nonisolated let routes: SandboxRoutes
    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a sandbox; it answers when this returns.
    ///
    /// - Parameters:
    ///   - world: who and what there is.
    ///   - host: the address to listen at, IPv4; loopback unless told otherwise.
    ///   - port: the port, 0 for any free one.
    ///   - key: the signing key; a new one by default.
    ///   - now: the service's clock.
    /// - Throws: `SandboxWorldError` for a world that makes no sense, ``SandboxError`` when the address cannot be used.
    public init(
        world: SandboxWorld = .demo, host: String = "127.0.0.1", port: UInt16 = 0, key: SandboxKey? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        let key = try key ?? SandboxKey()
        let routes = try SandboxRoutes(world: world, key: key, now: now)
        guard let address = try? sockaddr_in.inet(ip4: host, port: port) else { throw SandboxError.invalidHost(host) }
        let server = HTTPServer(
            config: .init(
                address: address, pool: NoDelayPool(base: HTTPServer.defaultPool()), logger: .disabled),
            handler: routes.router)
        let (failures, report) = AsyncStream<any Error>.makeStream()
        let running = Task {
            do {
                try await server.run()
            } catch {
                report.yield(error)
                throw error
            }
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Whichever comes first: the server listens, or it fails to. Waiting for a task's value would go on
                // after cancellation; waiting for a stream does not.
                group.addTask { try await server.waitUntilListening() }
                group.addTask { for await failure in failures { throw failure } }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            running.cancel()
            throw SandboxError.cannotListen(host: host, port: port)
        }
        guard case .ip4(_, port: let actualPort)? = await server.listeningAddress,
            let baseURL = URL(string: "http://\(host == "0.0.0.0" ? "127.0.0.1" : host):\(actualPort)")
        else { throw SandboxError.cannotListen(host: host, port: port) }
        self.baseURL = baseURL
        self.softwareStatement = routes.softwareStatement
        self.key = key
        self.routes = routes
        self.server = server
        self.running = running
    }

    deinit {
        running.cancel()
    }

    /// Stops answering and forgets everything.
    public func stop() async {
        await server.stop()
        running.cancel()
    }

    /// Answers until the task is cancelled or the server fails.
    ///
    /// - Throws: what ended the server.
    public func runUntilCancelled() async throws {
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
    }
}
