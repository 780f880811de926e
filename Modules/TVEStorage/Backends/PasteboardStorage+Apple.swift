#if canImport(UIKit) && !os(tvOS) && !targetEnvironment(macCatalyst)
import Foundation
import UIKit

/// One item of a named pasteboard of iOS.
struct PasteboardSnapshotItem: SnapshotItem {
    let name: String

    private static let type = "swift-access-enabler.entitlements"

    func load() throws(StorageError) -> Data? {
        try onAnyThread { () throws(StorageError) in try board().data(forPasteboardType: Self.type) }
    }

    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        try onAnyThread { () throws(StorageError) in
            let board = try board()
            // A pasteboard has no conditional write, so another app may write between these two lines.
            guard board.data(forPasteboardType: Self.type) == old else { return false }
            board.setData(bytes, forPasteboardType: Self.type)
            return true
        }
    }

    @MainActor
    private func board() throws(StorageError) -> UIPasteboard {
        guard let board = UIPasteboard(name: UIPasteboard.Name(name), create: true) else {
            throw .cannotRead(errno: EACCES)
        }
        return board
    }

    /// Calls UIKit on the caller's thread, whether or not the SDK isolates pasteboards to the main actor.
    ///
    /// Waiting for the main thread here could last for ever, because that thread may be waiting for the lock of this
    /// storage.
    private func onAnyThread<Value>(
        _ work: @MainActor () throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        try withoutActuallyEscaping(work) { work throws(StorageError) in
            // This cast is unsafe. It removes the actor from the type of the function, and the actor exists only in the
            // type.
            try unsafe unsafeBitCast(work, to: (() throws(StorageError) -> Value).self)()
        }
    }
}
#endif
