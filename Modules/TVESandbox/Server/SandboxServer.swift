import FlyingFox
import FlyingSocks
import Foundation

/// Listens and hands each connection to a ``ServerConnection``.
///
/// FlyingFox's own server collects the lines of a head without an end, and repeated headers overwrite each other; sockets, their
/// pool and the types of messages are its.
struct SandboxServer {
    let port: UInt16
    let running: Task<Void, any Error>

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - address: where to listen.
    ///   - router: what answers.
    ///   - watch: ends connections of slow clients.
    /// - Throws: what the system says when the address cannot be used.
    init(
        address: sockaddr_in, router: SandboxRouter, watch: ConnectionWatch = ConnectionWatch(limit: .seconds(30))
    ) async throws {
        let pool = HTTPServer.defaultPool()
        try await pool.prepare()
        let socket = try Socket(domain: AF_INET)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            // Accepted sockets inherit it: an answer in two writes would else wait 40 ms for the client.
            try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
            #if canImport(Darwin)
            try socket.setValue(true, for: .noSIGPIPE)
            #endif
            try socket.bind(to: address)
            try socket.listen()
            guard case .ip4(_, port: let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
            self.port = port
            let listening = try AsyncSocket(socket: socket, pool: pool)
            running = Task {
                defer { try? socket.close() }
                try await Self.serve(listening, pool, router, watch)
            }
        } catch {
            try? socket.close()
            throw error
        }
    }

    private static func serve(
        _ listening: AsyncSocket, _ pool: some AsyncSocketPool, _ router: SandboxRouter, _ watch: ConnectionWatch
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await watch.run() }
            group.addTask { try await accept(listening, router, watch) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func accept(
        _ listening: AsyncSocket, _ router: SandboxRouter, _ watch: ConnectionWatch
    ) async throws {
        // One task waits for the next client, the others are connections. (A group that discards results needs iOS 17.)
        try await withThrowingTaskGroup(of: AsyncSocket?.self) { group in
            group.addTask { try await nextClient(listening) }
            for try await case let socket? in group {
                group.addTask {
                    var connection = ServerConnection(socket, router, watch)
                    await connection.run()
                    return nil
                }
                group.addTask { try await nextClient(listening) }
            }
        }
    }

    private static func nextClient(_ listening: AsyncSocket) async throws -> AsyncSocket {
        while true {
            do {
                return try await listening.accept()
            } catch let error as CancellationError {
                throw error
            } catch {
                // A client that was gone before it was let in, or no file left for now: the next one may be luckier.
                try Task.checkCancellation()
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
