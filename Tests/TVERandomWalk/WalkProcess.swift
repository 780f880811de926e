import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport

/// The access of one process to the store and the network.
///
/// It ends when the process is killed, so that code that still runs has no effect.
final class WalkProcess: StorageBackend, HTTPTransport {
    private let world: WalkWorld
    private let killed = Guarded(false)
    private let tokens = Guarded(0)

    var isKilled: Bool { killed.withLock(\.self) }
    /// The number of media tokens that the service has sent.
    var mediaTokens: Int { tokens.withLock(\.self) }

    init(_ world: WalkWorld) {
        self.world = world
    }

    func kill() { killed.withLock { $0 = true } }

    /// A text that only an answer of REST API v2 with a media token contains.
    private static let mediaToken = Data("serializedToken".utf8)

    private func checkStorage() throws(StorageError) {
        if isKilled { throw .cannotRead(errno: EIO) }
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try checkStorage()
        try world.storage.update(body)
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        try checkStorage()
        return try world.storage.value(for: key)
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try checkStorage()
        return try world.storage.keys(under: ancestor)
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        if isKilled { throw .unreachable }
        let answer = try await world.transport.send(request, body: body)
        // Half an answer is no answer, wherever it ends.
        let isWhole = answer.0.status == .ok && answer.1.last == UInt8(ascii: "}")
        if isWhole, answer.1.range(of: Self.mediaToken) != nil { tokens.withLock { $0 += 1 } }
        return answer
    }
}
