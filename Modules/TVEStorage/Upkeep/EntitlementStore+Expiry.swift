public import Foundation
import TVEModels

extension EntitlementStore {
    /// Removes expired tokens: AuthN tokens with the AuthZ tokens of their login, and expired AuthZ tokens alone.
    ///
    /// The viewer's choice of provider stays. A value that is not a token is left for
    /// ``check(_:loggingOut:progress:)``.
    ///
    /// - Parameters:
    ///   - now: the device's current time.
    ///   - permissionsOnly: whether AuthN tokens stay, for a device whose clock may be wrong.
    /// - Returns: how many entries were removed.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    public func removeExpired(at now: Date, permissionsOnly: Bool = false) throws(StorageError) -> Int {
        try remove(expiredTokens(at: now), permissionsOnly: permissionsOnly)
    }

    /// Removes tokens that have expired, as ``removeExpired(at:permissionsOnly:)`` does, unless they have changed.
    ///
    /// - Parameters:
    ///   - expired: tokens of this store.
    ///   - permissionsOnly: whether AuthN tokens stay.
    /// - Returns: how many entries were removed.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    package func remove(_ expired: [ExpiredToken], permissionsOnly: Bool) throws(StorageError) -> Int {
        let expired = expired.filter { !permissionsOnly || !$0.isLogin }
        guard !expired.isEmpty else { return 0 }
        return try change { entitlements throws(StorageError) in
            var (gone, ended): (Set<StorageKey>, Set<StorageKey>) = ([], [])
            for token in expired where try entitlements.bytes(at: token.key) == token.bytes {
                gone.insert(token.key)
                if token.isLogin { ended.insert(Self.login(of: token.key)) }
            }
            for key in try entitlements.values.keys(under: EntitlementLayout.root) {
                let path = key.parts
                if path.count >= 6, path[5] == "authz", ended.contains(Self.login(of: key)) { gone.insert(key) }
            }
            try entitlements.draft.add(gone.map { .remove($0) })
            return gone.count
        }
    }

    /// The expired tokens, as they are stored.
    ///
    /// They are read and parsed outside of a change, so that other updates do not wait.
    ///
    /// - Parameter now: the device's current time.
    /// - Throws: any ``StorageError`` about reading.
    package func expiredTokens(at now: Date) throws(StorageError) -> [ExpiredToken] {
        let keys = try backend.keys(under: EntitlementLayout.root).filter { key in
            let path = key.parts
            return path.count >= 6 && path[3] == "mvpd" && (path[5] == "authn" || path[5] == "authz")
        }
        var expired: [ExpiredToken] = []
        for (key, value) in zip(keys, try backend.values(for: keys)) {
            guard case .success(let bytes?) = value else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let isLogin = key.parts[5] == "authn"
            let isExpired =
                isLogin
                ? (try? reader.authentication(text))?.isExpired(at: now)
                : (try? reader.authorization(text))?.isExpired(at: now)
            if isExpired == true { expired.append(ExpiredToken(key: key, bytes: bytes, isLogin: isLogin)) }
        }
        return expired
    }

    /// The part of a key that names its login: requestor, device and provider.
    private static func login(of key: StorageKey) -> StorageKey {
        StorageKey(rawValue: String(key.rawValue[..<key.parts[4].endIndex]))
    }
}
