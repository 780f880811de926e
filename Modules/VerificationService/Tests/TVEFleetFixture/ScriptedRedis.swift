import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// A server whose answers a test scripts, for behaviour that no real Redis shows on this machine.
public final class ScriptedRedis: Sendable {
    /// The port of the server.
    public let port: Int
    private let descriptor: Int32
    private let counts = NIOLockedValueBox((accepted: 0, open: 0))

    /// The number of connections that the server has accepted.
    public var connections: Int { counts.withLockedValue { $0.accepted } }

    /// The number of connections that are open.
    public var openConnections: Int { counts.withLockedValue { $0.open } }

    /// Starts a server.
    ///
    /// - Parameter answer: a closure that returns the answer to a command in the Redis protocol, an empty text for no
    ///   answer, or `nil` to close the connection. It is called on the thread of the connection.
    public init(_ answer: @escaping @Sendable (_ command: String) -> String?) throws {
        let loopback = try LoopbackPort()
        try loopback.listen()
        port = loopback.number
        descriptor = loopback.descriptor
        Thread.detachNewThread { [counts] in
            while case let accepted = Self.accepted(by: loopback.descriptor), accepted >= 0 {
                counts.withLockedValue { counts in
                    counts.accepted += 1
                    counts.open += 1
                }
                Thread.detachNewThread {
                    Self.serve(RawSocket(descriptor: accepted), answer)
                    counts.withLockedValue { $0.open -= 1 }
                }
            }
        }
    }

    deinit {
        // The shutdown ends the thread, and with it the last use of the port, which closes the descriptor. If it were
        // closed here, another socket could get its number while the thread still uses it.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Waits for a client and returns the socket of its connection, or -1 once the server has ended.
    private static func accepted(by descriptor: Int32) -> Int32 {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&watched, 1, -1) < 0, errno == EINTR {}
        return Child.own { accept(descriptor, nil, nil) }
    }

    /// Returns a text in the Redis protocol.
    public static func text(_ text: String) -> String { "$\(text.utf8.count)\r\n\(text)\r\n" }

    /// Returns the answers of a primary that has had the same memory since 1970; `nil` for a command that writes.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - mode: the mode of the server: `standalone` or `cluster`. The cluster has no other server, and its primary
    ///     has the slots of the first part of the keys alone.
    ///   - field: the field with the mode: `redis_mode`, or `server_mode` as in Valkey from version 8 on.
    public static func primary(
        _ command: String, mode: String = "standalone", in field: String = "redis_mode"
    ) -> String? {
        switch command {
        case "INFO server": text("# Server\r\nredis_version:7.0.15\r\n\(field):\(mode)\r\n")
        case "INFO memory": text("# Memory\r\nmaxmemory_policy:noeviction\r\n")
        case "INFO stats": text("# Stats\r\nevicted_keys:0\r\n")
        case "INFO replication":
            text("# Replication\r\nrole:master\r\nconnected_slaves:0\r\nmaster_replid:1f\r\nmaster_repl_offset:7\r\n")
        case "CLUSTER NODES": text("aa :1@1 myself,master - 0 0 1 connected 0-15\n")
        case "CLUSTER SLOTS": "*0\r\n"
        case "CLUSTER MYID": text("aa")
        case "TIME": "*2\r\n\(text(String(Int(Date().timeIntervalSince1970))))\(text("0"))"
        case _ where command.hasPrefix("GET "): text("3 1f 7 0 1 1")
        default: nil
        }
    }

    /// Answers the commands of one connection until either side ends it.
    private static func serve(_ socket: RawSocket, _ answer: (_ command: String) -> String?) {
        while let words = try? command(from: socket), let text = answer(words.joined(separator: " ")) {
            guard (try? socket.send(Data(text.utf8))) != nil else { return }
        }
    }

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
