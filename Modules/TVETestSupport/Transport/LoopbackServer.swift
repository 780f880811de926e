import Foundation
import TVEModels

/// A server on this machine whose answers a test defines byte for byte.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let isAnswering: Bool
    private let isOver = Guarded(false)

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    /// The numbers of ports that the system gives to no outgoing connection; on other systems than Linux, these end at
    /// 49,151.
    ///
    /// An outgoing connection of another test could receive any other number as soon as it is free.
    private static let lowPorts: Range<UInt16> = 20_000..<32_000

    struct Failed: Error {
        let number: Int32
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - wanted: the port; 0 selects a free one.
    ///   - isListening: a Boolean value that indicates whether the system accepts connections. Otherwise the port is
    ///     taken, and refuses them. Most programs can listen on it nevertheless, because they reuse addresses.
    ///   - protection: the protection of this process against the signal for a client that has hung up.
    ///   - answer: the closure that receives each request with its socket, on a thread of its own; `nil` accepts no
    ///     connection, so that clients wait.
    /// - Throws: `Failed` if the system does not provide a port.
    init(
        port wanted: UInt16 = 0, isListening: Bool = true, protection: SignalProtection = .ofTheSystem,
        _ answer: (@Sendable (Request, _ socket: Int32) -> Void)? = nil
    ) throws {
        let descriptor = socket(AF_INET, Self.stream, 0)
        self.descriptor = descriptor
        isAnswering = answer != nil
        protection.protect(descriptor)
        if !isListening {
            // A program that another test is starting has a copy of this socket for a moment after its end. The copy
            // must not take the port from the program that listens on it next.
            var on: Int32 = 1
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = Self.address(port: wanted)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && (!isListening || listen(descriptor, 128) == 0)
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let number = errno
            close(descriptor)
            throw Failed(number: number)
        }
        port = UInt16(bigEndian: address.sin_port)
        guard let answer else { return }
        Thread.detachNewThread { [isOver] in
            while case let socket = accept(descriptor, nil, nil), socket >= 0 {
                guard !isOver.withLock(\.self) else {
                    close(socket)
                    break
                }
                Thread.detachNewThread {
                    answer(Request(from: socket), socket)
                    LoopbackServer.end(socket)
                }
            }
            LoopbackServer.end(descriptor)
        }
    }

    deinit {
        guard isAnswering else {
            Self.end(descriptor)
            return
        }
        // Only the thread closes the socket. If it were closed here, another server could get its number before the
        // thread accepts again, and the thread would answer the clients of that server. A last connection wakes the
        // thread, because Apple's systems do not shut down a socket that listens.
        isOver.withLock { $0 = true }
        connectOnce()
    }

    private static func end(_ descriptor: Int32) {
        // A program that is just being started may have a copy of the socket, which would go on listening, or whose
        // client would go on waiting for the end of an answer.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private func connectOnce() {
        let client = socket(AF_INET, Self.stream, 0)
        var address = Self.address(port: port)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        close(client)
    }

    /// Returns the address of a port on this machine.
    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        return address
    }

    /// Starts a server whose port the system gives to no outgoing connection.
    ///
    /// - Parameters:
    ///   - isListening: a Boolean value that indicates whether the system accepts connections.
    ///   - answer: the closure that receives each request; `nil` accepts no connection.
    static func onLowPort(
        isListening: Bool = true, _ answer: (@Sendable (Request, _ socket: Int32) -> Void)? = nil
    ) throws -> LoopbackServer {
        for _ in 0..<100 {
            let port = UInt16.random(in: lowPorts)
            if let server = try? LoopbackServer(port: port, isListening: isListening, answer) { return server }
        }
        return try LoopbackServer(isListening: isListening, answer)
    }

    /// Returns a port for a program that listens a moment later, and that reuses addresses.
    static func freePort() throws -> UInt16 { try onLowPort(isListening: false).port }

    /// A request as the server received it.
    struct Request: Sendable {
        /// The request line and the header fields, with their line ends.
        private(set) var head = ""
        private(set) var body = Data()

        /// Receives a request.
        init(from socket: Int32) {
            var byte: UInt8 = 0
            func receive() -> Bool { unsafe recv(socket, &byte, 1, 0) == 1 }
            var bytes: [UInt8] = []
            while bytes.count < 65_536, !Self.isWhole(bytes), receive() { bytes.append(byte) }
            head = String(decoding: bytes, as: UTF8.self)
            let length = self["content-length"].flatMap { Int($0) } ?? 0
            while body.count < min(length, 1 << 20), receive() { body.append(byte) }
        }

        /// Returns a Boolean value that indicates whether a head ends with an empty line.
        private static func isWhole(_ head: [UInt8]) -> Bool {
            // Only the last bytes are read, because this is asked after each byte.
            let count = head.count
            return count >= 4 && head[count - 1] == 10 && head[count - 2] == 13 && head[count - 3] == 10
                && head[count - 4] == 13
        }

        /// The method and the path, separated by a space.
        var line: String { head.parts(separatedBy: " ").prefix(2).joined(separator: " ") }

        /// Returns the value of a header field by its lowercase name.
        subscript(name: String) -> String? {
            for line in head.parts(separatedBy: "\n").dropFirst() {
                let (field, value) = line.divided(at: ":")
                if field.lowercased() == name { return value?.trimmingCharacters(in: .whitespacesAndNewlines) }
            }
            return nil
        }
    }

    /// Returns the URL of a path on this server.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Sends a text to a client.
    ///
    /// - Returns: `false` if the client has hung up.
    @discardableResult
    static func send(_ text: String, _ socket: Int32) -> Bool { send(Data(text.utf8), socket) }

    /// Sends bytes to a client.
    ///
    /// - Returns: `false` if the client has hung up.
    static func send(_ bytes: Data, _ socket: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = unsafe Foundation.send(
                    socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
                    SignalProtection.ofTheSystem.flags)
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}
