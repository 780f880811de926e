public import Foundation
public import TVEModels

extension EntitlementStore {
    /// Takes a requestor's login over from older stores, unless a valid one is here already (API reference, importer).
    ///
    /// This happens once in the life of a store. The first token that is the requestor's, this device's and not run out is taken, and its provider becomes the
    /// current one. The older stores are left as they are, so that an older version still finds its login. What cannot be
    /// read there, or was written by a newer version, is passed over.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - stores: where to look, newest first.
    ///   - now: the device's present time.
    /// - Returns: the login that was taken over, nil when none was.
    /// - Throws: any ``StorageError`` of this store; nothing has changed then.
    @discardableResult
    public func importLogin(
        of requestorID: String, from stores: [LegacyStore], at now: Date
    ) throws(StorageError) -> AuthenticationToken? {
        // Once only: the older store keeps its token, which must not come back after a logout here.
        let marker = StorageKey("imported", requestorID, fingerprint)
        guard try backend.value(for: marker) == nil, try !hasValidLogin(of: requestorID, at: now) else { return nil }
        for store in stores {
            for key in (try? store.layout.candidates(for: requestorID, in: store.backend)) ?? [] {
                guard let bytes = try? store.backend.value(for: key),
                    let token = try? reader.authentication(String(decoding: bytes, as: UTF8.self)),
                    token.claims.requestorID == requestorID, token.claims.fingerprint.lowercased() == fingerprint,
                    !token.isExpired(at: now)
                else { continue }
                let skipsPicker = login(requestorID, token.claims.providerID).appending("canAuthenticate")
                try save(token, metadata: nil, and: [.put(marker, Self.yes), .put(skipsPicker, Self.yes)])
                return token
            }
        }
        return nil
    }

    private func hasValidLogin(of requestorID: String, at now: Date) throws(StorageError) -> Bool {
        guard let mvpdID = try currentProvider(of: requestorID) else { return false }
        do throws(StorageError) {
            return try authenticationToken(requestorID: requestorID, mvpdID: mvpdID)?.isExpired(at: now) == false
        } catch .invalidValue {
            return false
        }
    }
}
