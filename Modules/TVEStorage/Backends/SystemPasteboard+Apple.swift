#if canImport(UIKit) && !os(tvOS) && !targetEnvironment(macCatalyst)
import Foundation
import UIKit

/// A named pasteboard of iOS.
final class SystemPasteboard: StorageBackend {
    private let storage: SnapshotStorage

    init(name: String) {
        storage = SnapshotStorage([PasteboardCarrier(name: name)])
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { try storage.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { try storage.keys(under: ancestor) }
    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(body)
    }

    func damage() throws(StorageError) -> StorageError.Damage? { try storage.damage() }
    func removeEverything() throws(StorageError) { try storage.removeEverything() }
}

/// One item of one board.
private struct PasteboardCarrier: SnapshotCarrier {
    let name: String

    private static let type = "swift-access-enabler.entitlements"

    func load() throws(StorageError) -> Data? {
        try board().data(forPasteboardType: Self.type)
    }

    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        let board = try board()
        // A pasteboard has no conditional write: another app may write between these two lines.
        guard board.data(forPasteboardType: Self.type) == old else { return false }
        board.setData(bytes, forPasteboardType: Self.type)
        return true
    }

    private func board() throws(StorageError) -> UIPasteboard {
        guard let board = UIPasteboard(name: UIPasteboard.Name(name), create: true) else {
            throw .cannotRead(errno: EACCES)
        }
        return board
    }
}
#endif
