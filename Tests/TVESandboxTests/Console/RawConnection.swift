import FlyingSocks
import Foundation
import TVESandbox

/// A connection on which a test sends what no HTTP client would send.
struct RawConnection {
    private let socket: AsyncSocket

    init(to sandbox: Sandbox) async throws {
        try await self.init(port: UInt16(sandbox.baseURL.port ?? 0))
    }

    init(port: UInt16) async throws {
        socket = try await AsyncSocket.connected(
            to: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 60)
    }

    func write(_ text: String) async throws {
        try await socket.write(Data(text.utf8))
    }

    /// The next part of the answer.
    func readSome() async throws -> Int { try await socket.read(atMost: 16_384).count }

    /// The data up to a text; less when the connection ends.
    func read(until end: String) async -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(end), let more = try? await socket.read(atMost: 4_096) {
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything up to the end of the connection, however it ends.
    func readToEnd() async -> String {
        var bytes: [UInt8] = []
        while let more = try? await socket.read(atMost: 4_096) { bytes += more }
        try? socket.close()
        return String(decoding: bytes, as: UTF8.self)
    }
}
