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
    /// The end of a media token, which is the whole answer of the classic services.
    private static let endOfMediaToken = Data("</authToken>".utf8)

    /// Returns a Boolean value that indicates whether an answer has a media token and has arrived as a whole.
    ///
    /// Half an answer is no answer, wherever it ends.
    private static func hasMediaToken(_ response: HTTPResponse, _ body: Data) -> Bool {
        guard response.status == .ok else { return false }
        if body.suffix(endOfMediaToken.count) == endOfMediaToken { return true }
        return body.last == UInt8(ascii: "}") && body.range(of: mediaToken) != nil
    }

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
        let (response, content) = try await world.transport.send(request, body: body)
        // A call that has ended takes no token, and a later one must not be judged by it.
        if Self.hasMediaToken(response, content), !Task.isCancelled { tokens.withLock { $0 += 1 } }
        return (response, content)
    }
}
