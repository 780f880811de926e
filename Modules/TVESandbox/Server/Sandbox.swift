import FlyingSocks
public import Foundation
import TVEModels

/// A local stand-in for the vendor's service and for TV providers, over real HTTP.
///
/// A sandbox never contacts another machine. Its data is lost when it stops, unless `tve sandbox --state` saves it.
public actor Sandbox {
    /// The URL of the sandbox, for example `http://127.0.0.1:8080`.
    public nonisolated let baseURL: URL
    /// The software statement with which an application registers for either dialect.
    public nonisolated let softwareStatement: String
    /// The software statement of an application that may use only the classic services.
    public nonisolated let classicSoftwareStatement: String
    /// The key with which the sandbox signs its tokens.
    public nonisolated let key: SandboxKey

    /// The routes, which answer requests with or without a socket.
    package nonisolated let routes: SandboxRoutes
    private let running: Task<Void, any Error>

    /// Starts a sandbox, which answers requests as soon as the initializer returns.
    ///
    /// - Parameters:
    ///   - world: the requestors, providers and viewers.
    ///   - host: the IPv4 address on which to listen; loopback by default.
    ///   - port: the port on which to listen; 0 for any free one.
    ///   - pages: the pages for a browser on this machine, `.console` with `import TVESandboxConsole`; `nil` for none.
    ///   - key: the signing key; `nil` for the one that all sandboxes of this process share, because generating a key
    ///     takes longer than most tests.
    ///   - now: the service's clock.
    /// - Throws: `SandboxWorldError` for an invalid world, ``SandboxError`` when the address cannot be used.
    public init(
        world: SandboxWorld = .demo, host: String = "127.0.0.1", port: UInt16 = 0, pages: SandboxPages? = nil,
        key: SandboxKey? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try await self.init(
            world: world, host: host, port: port, pages: pages, key: key ?? SandboxKey.ofThisProcess.get(), folder: nil,
            now: now)
    }

    /// Creates a sandbox for tests that call its routes directly.
    ///
    /// - Parameters:
    ///   - world: the requestors, providers and viewers.
    ///   - isDirect: a Boolean value that indicates whether nothing listens at the sandbox's address, and the key is
    ///     shorter. A server takes longer to start and stop than many tests.
    ///   - now: the service's clock.
    /// - Throws: `SandboxWorldError` for an invalid world, ``SandboxError`` when no port is free.
    package init(
        world: SandboxWorld = .demo, isDirect: Bool, now: @escaping @Sendable () -> Date
    ) async throws {
        let key = try (isDirect ? SandboxKey.ofDirectSandboxes : SandboxKey.ofThisProcess).get()
        try await self.init(
            world: world, host: "127.0.0.1", port: 0, pages: nil, key: key, folder: nil, isDirect: isDirect, now: now)
    }

    /// Starts a sandbox that continues with the state saved in a directory.
    ///
    /// - Parameters:
    ///   - world: the world that replaces the saved one; `nil` for the saved one, or the demo world in a new directory.
    ///   - folder: the directory with the saved state.
    ///   - host: the IPv4 address on which to listen.
    ///   - port: the port on which to listen; 0 for any free one.
    ///   - pages: the pages for a browser on this machine; `nil` for none.
    ///   - now: the service's clock.
    /// - Throws: `SandboxFolderError` when the state cannot be read, `SandboxWorldError` for an invalid world,
    ///   ``SandboxError`` when the address cannot be used.
    package init(
        world: SandboxWorld?, in folder: SandboxFolder, host: String = "127.0.0.1", port: UInt16 = 0,
        pages: SandboxPages? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try await self.init(
            world: world, host: host, port: port, pages: pages, key: folder.key, folder: folder, now: now)
    }

    private init(
        world: SandboxWorld?, host: String, port: UInt16, pages: SandboxPages?, key: SandboxKey, folder: SandboxFolder?,
        isDirect: Bool = false, now: @escaping @Sendable () -> Date
    ) async throws {
        let routes = try SandboxRoutes(
            world: world ?? .demo, key: key, now: now, host: host, pages: pages, folder: folder)
        if let saved = try folder?.state() {
            try routes.restore(saved)
            if let world { try routes.current.apply(world) }
            routes.log.mark("The sandbox was started again.", at: routes.state.now)
        }
        guard let address = try? sockaddr_in.inet(ip4: host, port: port) else { throw SandboxError.invalidHost(host) }
        let server: SandboxServer
        do {
            if isDirect {
                server = try SandboxServer(reserving: address)
            } else {
                server = try await SandboxServer(address: address, routes: routes)
            }
        } catch {
            throw SandboxError.cannotListen(host: host, port: port, errno: SandboxError.number(error))
        }
        guard let baseURL = URL(string: "http://\(host == "0.0.0.0" ? "127.0.0.1" : host):\(server.port)") else {
            throw SandboxError.invalidHost(host)
        }
        self.baseURL = baseURL
        self.softwareStatement = routes.softwareStatement
        classicSoftwareStatement =
            try folder?.classicStatement ?? ClientRegistration.softwareStatement(key, isForRESTv2: false)
        self.key = key
        self.routes = routes
        running = server.running
    }

    deinit {
        running.cancel()
    }

    /// Stops answering requests, and discards all state.
    public func stop() async {
        routes.log.finish()
        running.cancel()
        // Running tasks end at their next suspension point. A client that waits notices at once.
        _ = await running.result
    }

    /// Answers requests until the current task is cancelled or the server fails.
    ///
    /// - Throws: the error that ended the server.
    public func runUntilCancelled() async throws {
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
    }

    /// Saves the state in the sandbox's directory, if the sandbox has one.
    ///
    /// - Throws: `SandboxFolderError` when the state cannot be written. The state that was saved before remains.
    package nonisolated func keep() throws {
        try routes.folder?.keep(routes.snapshot())
    }

    // MARK: - Events

    /// The token that every change over HTTP must send in the header `X-Sandbox-Token`.
    ///
    /// The console's pages contain it.
    public nonisolated var changeToken: String { routes.gate.token }

    /// A new stream of the events from now on: requests with their answers, and changes made in the console.
    ///
    /// Each stream has its own queue, which holds the newest 5,000 events. A stream ends when the sandbox stops. It
    /// ends at once when there are already 64 listeners.
    public nonisolated var events: AsyncStream<SandboxEvent> {
        routes.log.listen() ?? AsyncStream { $0.finish() }
    }

    /// The recorded exchanges, the oldest first.
    ///
    /// The record holds at most 5,000 exchanges, with 64 KB of each body, and 64 MB of all bodies and of the heads of
    /// all requests together.
    public nonisolated var exchanges: [SandboxExchange] { routes.log.exchanges }

    /// The current world.
    public nonisolated var world: SandboxWorld { routes.current.world }

    /// Replaces the current world.
    ///
    /// Logins and codes stay as they are.
    ///
    /// - Parameter world: the world that applies from the next request on.
    /// - Throws: `SandboxWorldError` for an invalid world. The current world then stays as it is.
    public nonisolated func apply(_ world: SandboxWorld) throws(SandboxWorldError) {
        try routes.current.apply(world)
        routes.log.note("Another world was applied.")
    }
}

/// An error that prevents a sandbox from starting.
public enum SandboxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The host is not an IPv4 address.
    case invalidHost(String)
    /// The address cannot be used.
    ///
    /// The value `errno` is the system's error number, or 0 if the system gives none.
    case cannotListen(host: String, port: UInt16, errno: Int32)

    /// A sentence that names the address, and one about what to do.
    public var description: String {
        switch self {
        case .invalidHost(let host):
            "\"\(host)\" is not an IPv4 address. Use an address of this machine, such as 127.0.0.1."
        case .cannotListen(let host, let port, let number):
            "The sandbox cannot listen at \(host):\(port): \(Self.reason(number)). Choose another address or port."
        }
    }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case 0: "the system gives no reason"
        case EADDRINUSE: "another program uses the port"
        case EADDRNOTAVAIL: "this machine does not have the address"
        case EACCES: "only the administrator may use a port below 1024"
        default: SystemCall.message(number)
        }
    }

    /// The system's error number behind an error of the sockets.
    fileprivate static func number(_ error: any Error) -> Int32 {
        if case .failed(_, let number, _)? = error as? SocketError { number } else { 0 }
    }
}
