import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels

/// A server whose answers a test scripts, for behaviour that no real Redis shows on this machine.
final class ScriptedRedis: Sendable {
    let port: Int
    private let descriptor: Int32
    private let count = NIOLockedValueBox(0)

    /// The number of connections that the server has accepted.
    var connections: Int { count.withLockedValue { $0 } }

    /// Starts a server.
    ///
    /// - Parameter answer: a closure that returns the answer to a command in the Redis protocol, or `nil` to close the
    ///   connection.
    init(_ answer: @escaping @Sendable (_ command: String) -> String?) throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        port = try freePort()
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        address.sin_port = UInt16(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafePointer(to: &address) { [descriptor] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
            }
        }
        guard isBound else { throw FixtureError("the port is in use") }
        Thread.detachNewThread { [descriptor, count] in
            while case let accepted = accept(descriptor, nil, nil), accepted >= 0 {
                count.withLockedValue { $0 += 1 }
                let socket = RawSocket(descriptor: accepted)
                while let words = try? Self.command(from: socket), let text = answer(words.joined(separator: " ")) {
                    guard (try? socket.send(Data(text.utf8))) != nil else { break }
                }
            }
            close(descriptor)
        }
    }

    deinit {
        // The shutdown ends the thread, which closes the descriptor. If it were closed here, another socket could get
        // its number while the thread still uses it.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Returns a text in the Redis protocol.
    static func text(_ text: String) -> String { "$\(text.utf8.count)\r\n\(text)\r\n" }

    /// Reads one command, which is an array of texts with their lengths, and returns its words.
    private static func command(from socket: RawSocket) throws -> [String] {
        let count = Int(try socket.line().dropFirst()) ?? 0
        return try (0..<count).map { _ in
            let length = Int(try socket.line().dropFirst()) ?? 0
            let text = String(decoding: try socket.bytes(length), as: UTF8.self)
            _ = try socket.bytes(2)
            return text
        }
    }
}
