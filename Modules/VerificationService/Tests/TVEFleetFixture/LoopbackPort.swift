import Foundation
import NIOConcurrencyHelpers

/// A loopback port that no other program can take as long as the value exists.
///
/// Nothing listens on the port until `listen()`. The system gives numbers above 32,767 to outgoing connections (on
/// other systems than Linux, above 49,151). A connection of another test could receive such a number in the moment in
/// which it is free, so the port has a lower one.
public final class LoopbackPort: Sendable {
    /// The number of the port.
    public let number: Int
    /// The socket that has the port.
    let descriptor: Int32
    /// The numbers that this process has used already, because a program may still be starting with one of them.
    private static let used = NIOLockedValueBox<Set<Int>>([])

    /// Takes a port.
    public init() throws {
        (number, descriptor) = try Self.bound()
    }

    deinit {
        close(descriptor)
    }

    /// Lets clients connect to the port.
    ///
    /// A server in this process listens on the socket that took the port. If it closed that socket and took the port
    /// again, it would fail now and then: a program that another test is starting has a copy of every open socket for
    /// a moment.
    func listen() throws {
        guard Foundation.listen(descriptor, 16) == 0 else {
            throw FixtureError(unsafe "listen: \(String(cString: strerror(errno)))")
        }
    }

    private static func bound() throws -> (number: Int, descriptor: Int32) {
        for _ in 0..<1_000 {
            let number = Int.random(in: 20_000..<32_000)
            guard used.withLockedValue({ $0.insert(number).inserted }) else { continue }
            let descriptor = Child.own { socket(AF_INET, RawSocket.stream, 0) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
            address.sin_port = UInt16(number).bigEndian
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
            }
            if result == 0 { return (number, descriptor) }
            close(descriptor)
        }
        throw FixtureError("there is no free port")
    }
}

/// Returns a loopback port for a program that listens a moment later.
///
/// The program may find the port in use and must be started again then (see ``LoopbackPort/listen()``).
public func freePort() throws -> Int { try LoopbackPort().number }
