import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport

/// The way of one process to the store and the network, which ends when the process is killed: whatever its code still does
/// has no effect.
final class WalkProcess: StorageBackend, HTTPTransport {
    private let world: WalkWorld
    private let isKilled = Guarded(false)

    init(_ world: WalkWorld) {
        self.world = world
    }

    func kill() { isKilled.withLock { $0 = true } }

    private func checkStorage() throws(StorageError) {
        if isKilled.withLock(\.self) { throw .cannotRead(errno: EIO) }
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
        if isKilled.withLock(\.self) { throw .unreachable }
        return try await world.transport.send(request, body: body)
    }
}
