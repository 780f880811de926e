#if canImport(UIKit) && !os(tvOS) && !targetEnvironment(macCatalyst)
import Foundation
import UIKit

/// One item of a named pasteboard of iOS.
struct PasteboardCarrier: SnapshotCarrier {
    let name: String

    private static let type = "swift-access-enabler.entitlements"

    func load() throws(StorageError) -> Data? { try board().data(forPasteboardType: Self.type) }

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
