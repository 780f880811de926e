import FlyingFox
import FlyingSocks
import Foundation
import TVEModels

/// A server that starts a ``ServerConnection`` for each client.
///
/// The server of FlyingFox accepts a head of any length, and its repeated headers overwrite each other. This server
/// uses only the sockets, the socket pool and the message types of FlyingFox.
struct SandboxServer {
    let port: UInt16
    let running: Task<Void, any Error>

    /// Starts to listen at an address.
    ///
    /// - Parameters:
    ///   - address: the address and port on which to listen.
    ///   - routes: the routes that answer the requests.
    ///   - watch: the watch that closes the connections of slow clients.
    ///   - sleep: waits for a duration or until the task is cancelled, as faults demand it before an answer.
    /// - Throws: the system's error when the address cannot be used.
    init(
        address: sockaddr_in, routes: SandboxRoutes, watch: ConnectionWatch = ConnectionWatch(limit: .seconds(30)),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async throws {
        let pool = HTTPServer.defaultPool()
        try await pool.prepare()
        let socket = try Socket(domain: AF_INET)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            // Accepted sockets inherit all options. Without this one an answer in two writes would wait 40 ms.
            try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
            // A connection between two requests has no time limit. The system ends it when the client has vanished.
            try socket.setValue(true, for: BoolSocketOption(name: SO_KEEPALIVE))
            SignalProtection.ofTheSystem.protect(socket.file.rawValue)
            try socket.bind(to: address)
            try socket.listen()
            guard case .ip4(_, port: let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
            self.port = port
            let listening = try AsyncSocket(socket: socket, pool: pool)
            running = Task {
                defer {
                    // A program that is just being started may have a copy of the socket, which would go on listening.
                    shutdown(socket.file.rawValue, Int32(SHUT_RDWR))
                    try? socket.close()
                }
                try await Self.serve(listening, pool: pool, routes: routes, watch: watch, sleep: sleep)
            }
        } catch {
            try? socket.close()
            throw error
        }
    }

    /// Reserves a port at which nothing listens, until the task is cancelled.
    ///
    /// - Parameter address: the address and port to reserve.
    /// - Throws: the system's error when the address cannot be used.
    init(reserving address: sockaddr_in) throws {
        let socket = try Socket(domain: AF_INET)
        do {
            try socket.bind(to: address)
            guard case .ip4(_, port: let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
            self.port = port
            running = Task {
                defer { try? socket.close() }
                let (never, _) = AsyncStream<Void>.makeStream()
                for await _ in never {}
            }
        } catch {
            try? socket.close()
            throw error
        }
    }

    private static func serve(
        _ listening: AsyncSocket, pool: some AsyncSocketPool, routes: SandboxRoutes, watch: ConnectionWatch,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await watch.run() }
            group.addTask { try await accept(listening, routes: routes, watch: watch, sleep: sleep) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func accept(
        _ listening: AsyncSocket, routes: SandboxRoutes, watch: ConnectionWatch,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async throws {
        // One task waits for the next client, and every other task is a connection. A discarding task group would need
        // iOS 17.
        let hasNoted = Guarded(false)
        try await withThrowingTaskGroup(of: AsyncSocket?.self) { group in
            group.addTask { try await nextClient(listening, log: routes.log, hasNoted) }
            for try await case let socket? in group {
                group.addTask {
                    var connection = ServerConnection(socket, routes: routes, watch: watch, sleep: sleep)
                    await connection.run()
                    return nil
                }
                group.addTask { try await nextClient(listening, log: routes.log, hasNoted) }
            }
        }
    }

    /// Waits for the next client.
    ///
    /// - Parameter hasNoted: a Boolean value that indicates whether the log tells of a shortage already.
    private static func nextClient(
        _ listening: AsyncSocket, log: ExchangeLog, _ hasNoted: Guarded<Bool>
    ) async throws -> AsyncSocket {
        while true {
            do {
                return try await listening.accept()
            } catch let error as CancellationError {
                throw error
            } catch {
                // The client closed before it was accepted, or no file descriptor is left. Try again after a pause.
                try Task.checkCancellation()
                if case .failed(_, let number, _)? = error as? SocketError, [EMFILE, ENFILE].contains(number) {
                    let isNoted = hasNoted.withLock { value in
                        defer { value = true }
                        return value
                    }
                    if !isNoted {
                        log.note("New clients wait until a connection ends, because all file descriptors are in use.")
                    }
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

/// A watch that closes a connection when its client stalls in the middle of a request or an answer.
///
/// One check of all connections per second costs less than a timer for each of them.
final class ConnectionWatch: Sendable {
    private let limit: Duration
    private let deadlines = Guarded<[Int32: ContinuousClock.Instant]>([:])

    init(limit: Duration) {
        self.limit = limit
    }

    /// Starts the time limit of a connection, unless it is already running.
    func begin(_ file: Int32) {
        let end = ContinuousClock.now + limit
        deadlines.withLock { $0[file] = $0[file] ?? end }
    }

    /// Stops the time limit of a connection.
    ///
    /// Call this before the file descriptor is closed, so that the limit cannot affect another connection with the same
    /// descriptor.
    func end(_ file: Int32) {
        deadlines.withLock { _ = $0.removeValue(forKey: file) }
    }

    /// Checks the time limits once a second until the task is cancelled.
    func run() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            look(at: .now)
        }
    }

    /// Closes connections whose time limit has passed.
    func look(at now: ContinuousClock.Instant) {
        deadlines.withLock { deadlines in
            for (file, end) in deadlines where end < now { shutdown(file, Int32(SHUT_RDWR)) }
            deadlines = deadlines.filter { $0.value >= now }
        }
    }

    /// The number of connections with a running time limit.
    var count: Int { deadlines.withLock(\.count) }
}
