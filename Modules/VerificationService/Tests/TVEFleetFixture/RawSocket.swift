public import Foundation

/// A blocking TCP or Unix connection, for tests that do what an HTTP client never does.
///
/// Every transfer has a time limit.
public final class RawSocket {
    let descriptor: Int32
    private var buffer = Data()

    #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
    static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
    #endif

    /// Connects to a loopback port.
    public init(port: Int, seconds: Int = 300) throws {
        descriptor = Child.own { socket(AF_INET, RawSocket.stream, 0) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        address.sin_port = UInt16(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw FixtureError(unsafe "connect: \(String(cString: strerror(errno)))") }
        limit(seconds)
        var on: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to a Unix socket.
    public init(path: String) throws {
        descriptor = Child.own { socket(AF_UNIX, RawSocket.stream, 0) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1))
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw FixtureError(unsafe "connect: \(String(cString: strerror(errno)))") }
        limit(300)
    }

    /// Creates a connection from the descriptor of a connected socket, which it closes at the end.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        limit(300)
    }

    deinit {
        close(descriptor)
    }

    private func limit(_ seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        #if canImport(Darwin)
        // Not every Darwin has `MSG_NOSIGNAL`, so this option suppresses the signal.
        var isSilent: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Sends all bytes of a text.
    public func send(_ data: Data) throws {
        var sent = 0
        let bytes = [UInt8](data)
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Self.noSignal)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FixtureError(unsafe "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// Closes this side of the connection for writing.
    public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits until there is data to read, or the connection has ended.
    ///
    /// - Parameter milliseconds: the time limit.
    /// - Returns: `true` if there is data, or the connection has ended.
    public func isReadable(within milliseconds: Int32) -> Bool {
        if !buffer.isEmpty { return true }
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&watched, 1, milliseconds) > 0
    }

    /// Reads the bytes that are available, or returns no bytes at the end of the connection.
    public func some() throws -> Data {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == ECONNRESET { return Data() }
            guard count >= 0 else { throw FixtureError(unsafe "recv: \(String(cString: strerror(errno)))") }
            return Data(bytes[..<count])
        }
    }

    /// Reads a line and returns it without its line break.
    public func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer = Data(buffer[(end + 1)...])
                return line.hasSuffix("\r\n") || line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
            let more = try some()
            guard !more.isEmpty else { throw FixtureError("the connection ended") }
            buffer += more
        }
    }

    /// Reads a number of bytes.
    public func bytes(_ count: Int) throws -> Data {
        while buffer.count < count {
            let more = try some()
            guard !more.isEmpty else { throw FixtureError("the connection ended") }
            buffer += more
        }
        let found = Data(buffer.prefix(count))
        buffer = Data(buffer.dropFirst(count))
        return found
    }
}

/// An error of a fixture.
public struct FixtureError: Error, CustomStringConvertible {
    /// The message.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
