public import Foundation
import TVEModels

extension EntitlementStore {
    /// Removes expired tokens: AuthN tokens with the AuthZ tokens of their login, and expired AuthZ tokens alone.
    ///
    /// The viewer's choice of provider remains. A value that is not a token is left for
    /// ``check(_:loggingOut:progress:)``.
    ///
    /// - Parameters:
    ///   - now: the device's current time.
    ///   - permissionsOnly: a Boolean value that indicates whether AuthN tokens remain, for a device whose clock may be
    ///     wrong.
    /// - Returns: the number of entries that were removed.
    /// - Throws: any ``StorageError``. Then nothing has changed.
    @discardableResult
    public func removeExpired(at now: Date, permissionsOnly: Bool = false) throws(StorageError) -> Int {
        try remove(expiredTokens(at: now, permissionsOnly: permissionsOnly), permissionsOnly: permissionsOnly)
    }

    /// Removes tokens that have expired, as ``removeExpired(at:permissionsOnly:)`` does, unless they have changed.
    ///
    /// - Parameters:
    ///   - expired: the tokens of this store.
    ///   - permissionsOnly: a Boolean value that indicates whether AuthN tokens remain.
    /// - Returns: the number of entries that were removed.
    /// - Throws: any ``StorageError``. Then nothing has changed.
    @discardableResult
    package func remove(_ expired: [ExpiredToken], permissionsOnly: Bool) throws(StorageError) -> Int {
        let expired = expired.filter { !permissionsOnly || !$0.entry.isLogin }
        guard !expired.isEmpty else { return 0 }
        return try change { entitlements throws(StorageError) in
            var gone: Set<StorageKey> = []
            var ended: Set<StoredEntry.Login> = []
            for token in expired where try entitlements.values.readableValue(for: token.key) == token.bytes {
                gone.insert(token.key)
                if case .authentication(let login) = token.entry { ended.insert(login) }
            }
            for key in try entitlements.values.keys(under: StoredEntry.entitlements) {
                if case .authorization(let login, _) = StoredEntry(key), ended.contains(login) { gone.insert(key) }
            }
            try entitlements.draft.add(gone.map { .remove($0) })
            return gone.count
        }
    }

    /// Returns the expired tokens as they are stored.
    ///
    /// They are read and parsed outside of a change, so that other updates do not wait.
    ///
    /// - Parameters:
    ///   - now: the device's current time.
    ///   - permissionsOnly: a Boolean value that indicates whether AuthN tokens are left out, so that they need not be
    ///     opened and parsed.
    /// - Throws: any ``StorageError`` about reading.
    package func expiredTokens(at now: Date, permissionsOnly: Bool = false) throws(StorageError) -> [ExpiredToken] {
        let entries = try backend.keys(under: StoredEntry.entitlements).compactMap { key in
            StoredEntry(key).map { (key: key, entry: $0) }
        }.filter { $0.entry.isToken && !(permissionsOnly && $0.entry.isLogin) }
        var expired: [ExpiredToken] = []
        for ((key, entry), value) in zip(entries, try backend.values(for: entries.map(\.key))) {
            guard case .success(let bytes?) = value else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let isExpired =
                entry.isLogin
                ? (try? reader.authentication(text))?.isExpired(at: now)
                : (try? reader.authorization(text))?.isExpired(at: now)
            if isExpired == true { expired.append(ExpiredToken(key: key, entry: entry, bytes: bytes)) }
        }
        return expired
    }
}

/// A token that had expired when it was read.
package struct ExpiredToken: Sendable {
    let key: StorageKey
    let entry: StoredEntry
    /// The stored bytes, which show whether it is still the same token.
    let bytes: Data
}

extension StoredEntry {
    /// A Boolean value that indicates whether the entry is an AuthN token.
    fileprivate var isLogin: Bool { if case .authentication = self { true } else { false } }

    /// A Boolean value that indicates whether the entry is an AuthN or an AuthZ token.
    fileprivate var isToken: Bool { if case .authorization = self { true } else { isLogin } }
}
