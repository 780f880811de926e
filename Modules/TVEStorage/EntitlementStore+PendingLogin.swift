public import Foundation

extension EntitlementStore {
    /// What a requestor's viewer was about to finish when the app was closed (API reference, row HX7).
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the bytes that were kept, nil when no login is on its way.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func pendingLogin(of requestorID: String) throws(StorageError) -> Data? {
        do throws(StorageError) {
            return try backend.value(for: part(requestorID).appending(Self.pending))
        } catch .invalidValue {
            return nil
        }
    }

    /// Keeps a login that is on its way, or forgets it; logout forgets it too.
    ///
    /// - Parameters:
    ///   - pending: what is needed to finish it, nil to forget.
    ///   - requestorID: the requestor.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func setPendingLogin(_ pending: Data?, of requestorID: String) throws(StorageError) {
        let key = part(requestorID).appending(Self.pending)
        try backend.apply([pending.map { .put(key, $0) } ?? .remove(key)])
    }

    static let pending = "pending"
}
