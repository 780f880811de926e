public import Foundation
import TVEModels

extension EntitlementStore {
    /// Removes expired tokens: AuthN tokens with the AuthZ tokens of their login, and expired AuthZ tokens alone.
    ///
    /// The viewer's choice of provider stays. A value that is not a token is left for
    /// ``check(_:loggingOut:progress:)``. All tokens are read before the change, and the expired ones are compared
    /// inside it, so that other updates do not wait for parsing.
    ///
    /// - Parameters:
    ///   - now: the device's current time.
    ///   - permissionsOnly: whether AuthN tokens stay, for a device whose clock may be wrong.
    /// - Returns: how many entries were removed.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    public func removeExpired(at now: Date, permissionsOnly: Bool = false) throws(StorageError) -> Int {
        let expired = try expiredTokens(at: now, permissionsOnly: permissionsOnly)
        guard !expired.isEmpty else { return 0 }
        return try change { entitlements throws(StorageError) in
            var (gone, ended): (Set<StorageKey>, Set<StorageKey>) = ([], [])
            for (key, bytes) in expired where try entitlements.bytes(at: key) == bytes {
                gone.insert(key)
                if key.parts[5] == "authn" { ended.insert(Self.login(of: key)) }
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
    private func expiredTokens(
        at now: Date, permissionsOnly: Bool
    ) throws(StorageError) -> [(key: StorageKey, bytes: Data)] {
        let keys = try backend.keys(under: EntitlementLayout.root).filter { key in
            let path = key.parts
            return path.count >= 6 && path[3] == "mvpd"
                && (path[5] == "authn" && !permissionsOnly || path[5] == "authz")
        }
        var expired: [(key: StorageKey, bytes: Data)] = []
        for (key, value) in zip(keys, try backend.values(for: keys)) {
            guard case .success(let bytes?) = value else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let isExpired =
                key.parts[5] == "authn"
                ? (try? reader.authentication(text))?.isExpired(at: now)
                : (try? reader.authorization(text))?.isExpired(at: now)
            if isExpired == true { expired.append((key, bytes)) }
        }
        return expired
    }

    /// The part of a key that names its login: requestor, device and provider.
    private static func login(of key: StorageKey) -> StorageKey {
        StorageKey(rawValue: String(key.rawValue[..<key.parts[4].endIndex]))
    }
}
