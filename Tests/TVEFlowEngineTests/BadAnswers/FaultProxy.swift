#if os(Linux)
import Foundation
import TVEModels

/// A server in front of the sandbox that forwards exchanges and breaks those that a test selects.
///
/// It uses bare sockets, one thread per connection, so that it can break what an HTTP server would not break.
final class FaultProxy: Sendable {
    /// The fault that breaks an answer.
    enum Fault: Sendable {
        /// The connection closes without an answer.
        case noAnswer
        /// The connection closes after this many bytes of the real answer.
        case cut(after: Int)
        /// The head announces more than comes.
        case truncatedBody
        /// The answer comes byte by byte, with this pause between two.
        case drip(milliseconds: Int)
        /// No byte comes, and the connection stays open.
        case stall
        /// Other bytes instead of the answer.
        case bytes(String)
        /// An answer with this status and an HTML page.
        case page(status: Int)
        /// A redirect to the same place.
        case redirectLoop
        /// More than any client should read.
        case endlessBody
    }

    let url: URL
    private let listener: CInt
    private let target: UInt16
    private let plan = Guarded<(path: String, fault: Fault)?>(nil)

    init(to base: URL) throws {
        guard let port = base.port else { throw POSIXError(.EINVAL) }
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        SignalProtection.ofTheSystem.protect(listener)
        var address = Self.loopback(port: 0)
        guard unsafe Self.with(&address, { unsafe bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw POSIXError(.EADDRINUSE)
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(listener, $0, &length)
            }
        }
        guard let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))") else {
            throw POSIXError(.EINVAL)
        }
        self.listener = listener
        self.url = url
        target = UInt16(port)
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    deinit { close(listener) }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Breaks every answer to a path that contains a text; nil ends that.
    func spoil(_ path: String, _ fault: Fault?) {
        plan.withLock { $0 = fault.map { (path, $0) } }
    }

    /// Returns a Boolean value that indicates whether an answer to this path never ends without the client.
    func isEndless(_ path: String) -> Bool {
        switch plan.withLock({ plan in plan.flatMap { path.contains($0.path) ? $0.fault : nil } }) {
        case .stall, .drip, .truncatedBody: true
        default: false
        }
    }

    /// The last real answer that was broken, head included.
    let lastAnswer = Guarded<[UInt8]>([])

    // MARK: - Connections

    private func acceptConnections() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            Thread.detachNewThread { [weak self] in
                defer {
                    // A program that is just being started may have a copy of the socket, with which the client would
                    // go on waiting.
                    shutdown(client, Int32(SHUT_RDWR))
                    close(client)
                }
                self?.serve(client)
            }
        }
    }

    private func serve(_ client: CInt) {
        guard let request = Self.request(from: client) else { return }
        let path = String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let fault = plan.withLock { plan in plan.flatMap { path.contains($0.path) ? $0.fault : nil } }
        switch fault {
        case .noAnswer: return
        case .stall:
            // Until the client gives up.
            var byte: UInt8 = 0
            _ = unsafe read(client, &byte, 1)
        case .bytes(let text): Self.send(Array(text.utf8), to: client)
        case .page(let status): Self.send(Self.page(status), to: client)
        case .redirectLoop:
            let target = path.split(separator: " ").dropFirst().first ?? "/"
            Self.send(
                Array(
                    "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8),
                to: client)
        case .endlessBody:
            Self.send(Array("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n".utf8), to: client)
            let block = [UInt8](repeating: UInt8(ascii: "<"), count: 1 << 16)
            for _ in 0..<1_024 { if !Self.send(block, to: client) { return } }
        case .truncatedBody:
            Self.send(
                Array("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 5000\r\n\r\n<result>".utf8),
                to: client)
        case .cut(let count):
            let answer = answer(to: request)
            lastAnswer.withLock { $0 = answer }
            Self.send(Array(answer.prefix(count)), to: client)
        case .drip(let milliseconds):
            for byte in answer(to: request) {
                guard Self.send([byte], to: client) else { return }
                // The time between two bytes, or less if the client hangs up, which sends nothing more.
                var watched = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&watched, 1, Int32(milliseconds)) <= 0 else { return }
            }
        case nil: Self.send(answer(to: request), to: client)
        }
    }

    /// The real answer, over a separate connection.
    private func answer(to request: [UInt8]) -> [UInt8] {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        SignalProtection.ofTheSystem.protect(server)
        var address = Self.loopback(port: target)
        guard unsafe Self.with(&address, { unsafe connect(server, $0, $1) }) == 0 else { return [] }
        Self.send(Self.closing(request), to: server)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = unsafe read(server, &buffer, buffer.count), count > 0 { answer += buffer[..<count] }
        return Self.closing(answer)
    }

    // MARK: - Bytes

    /// Head and body, according to Content-Length.
    private static func request(from client: CInt) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
                let value = head.components(separatedBy: "content-length:").dropFirst().first?.drop { $0 == " " }
                let length = value.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                if bytes.count >= end + length { return bytes }
            }
            let count = unsafe read(client, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }

    /// The same message with a head that announces the end of the connection.
    private static func closing(_ message: [UInt8]) -> [UInt8] {
        guard let line = message.firstRange(of: Array("\r\n".utf8))?.upperBound,
            let end = message.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound, line <= end
        else { return message }
        let head = String(decoding: message[line..<end], as: UTF8.self).split(separator: "\r\n")
            .filter { !$0.lowercased().hasPrefix("connection:") && !$0.lowercased().hasPrefix("keep-alive:") }
        return message[..<line] + Array((head + ["Connection: close"]).joined(separator: "\r\n").utf8) + message[end...]
    }

    private static func page(_ status: Int) -> [UInt8] {
        // These have no body.
        let hasBody = status != 204 && status != 304
        let body = hasBody ? "<!DOCTYPE html><html><body>Something is wrong & nobody knows.</body></html>" : ""
        let length = hasBody ? "Content-Length: \(body.utf8.count)\r\n" : ""
        return Array(
            "HTTP/1.1 \(status) Status\r\nContent-Type: text/html\r\n\(length)Connection: close\r\n\r\n\(body)".utf8)
    }

    @discardableResult
    private static func send(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe Foundation.send(
                    descriptor, all.baseAddress?.advanced(by: sent), all.count - sent,
                    SignalProtection.ofTheSystem.flags)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }

    private static func with(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt
    {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
#endif
