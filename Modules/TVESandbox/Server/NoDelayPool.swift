import FlyingSocks
import Foundation

/// Makes FlyingFox's sockets send at once.
///
/// The server writes head and body of an answer separately; without TCP_NODELAY the body waits some 40 ms for the
/// client to acknowledge the head. The pool sees the listening socket when it first waits for a connection, and
/// accepted sockets inherit the option; setting it again on those costs one short system call a wait.
struct NoDelayPool<Base: AsyncSocketPool>: AsyncSocketPool {
    let base: Base

    func prepare() async throws {
        try await base.prepare()
    }

    func run() async throws {
        try await base.run()
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // A socket that has just been closed refuses; the wait below then reports it.
        try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
