import Foundation
import TVEModels

/// A server on this machine that answers as a test says, byte for byte.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let isAnswering: Bool

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    struct Failed: Error {
        let number: Int32
    }

    /// - Parameters:
    ///   - protection: how a send to a client that has hung up fails without ending this process.
    ///   - answer: gets each request and its socket, on a thread of its own; nil accepts no connection, so that clients
    ///     wait.
    init(
        protection: SignalProtection = .ofTheSystem, _ answer: (@Sendable (Request, _ socket: Int32) -> Void)? = nil
    ) throws {
        let descriptor = socket(AF_INET, Self.stream, 0)
        self.descriptor = descriptor
        isAnswering = answer != nil
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failed(number: errno) }
        port = UInt16(bigEndian: address.sin_port)
        guard let answer else { return }
        Thread.detachNewThread {
            while case let socket = accept(descriptor, nil, nil), socket >= 0 {
                protection.protect(socket)
                Thread.detachNewThread {
                    answer(Request(from: socket), socket)
                    close(socket)
                }
            }
            close(descriptor)
        }
    }

    deinit {
        // Closing alone would leave a thread that waits for a connection.
        shutdown(descriptor, Int32(SHUT_RDWR))
        // Only the thread closes: a number that is closed here may be another server's before the thread accepts again,
        // and the thread would answer that server's clients.
        if !isAnswering { close(descriptor) }
    }

    /// A request as it arrived.
    struct Request: Sendable {
        /// The request line and the header fields, each with its end.
        private(set) var head = ""
        private(set) var body = Data()

        fileprivate init(from socket: Int32) {
            var byte: UInt8 = 0
            func receive() -> Bool { unsafe recv(socket, &byte, 1, 0) == 1 }
            var bytes: [UInt8] = []
            while bytes.count < 65_536, bytes.suffix(4) != [13, 10, 13, 10], receive() { bytes.append(byte) }
            head = String(decoding: bytes, as: UTF8.self)
            let length = self["content-length"].flatMap { Int($0) } ?? 0
            while body.count < min(length, 1 << 20), receive() { body.append(byte) }
        }

        /// Method and path.
        var line: String { head.parts(separatedBy: " ").prefix(2).joined(separator: " ") }

        /// The value of a header field, by its name in lower case.
        subscript(name: String) -> String? {
            for line in head.parts(separatedBy: "\n").dropFirst() {
                let (field, value) = line.divided(at: ":")
                if field.lowercased() == name { return value?.trimmingCharacters(in: .whitespacesAndNewlines) }
            }
            return nil
        }
    }

    /// The address of a path here.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Sends a text; see the function for bytes.
    @discardableResult
    static func send(_ text: String, _ socket: Int32) -> Bool { send(Data(text.utf8), socket) }

    /// - Returns: false when the client has hung up.
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
