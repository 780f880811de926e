public import Foundation
public import TVEModels

extension EntitlementStore {
    /// Imports a requestor's login from older stores, unless this store has a valid one (API reference, importer).
    ///
    /// Each place is read at most once per requestor in the life of a store. No place is read after a logout, after the
    /// end of a login of this requestor, or after a check that cleared the store, because an ended login must not
    /// return. The first unexpired token of this requestor and this device is imported, and its provider becomes the
    /// current one. The older stores are not changed, so that an older version still finds its login. Values of a newer
    /// version and unreadable ones are skipped. A place that could not be read as a whole is read again next time.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - stores: the older stores, with the newest first.
    ///   - now: the device's current time.
    /// - Returns: the imported login, or nil if there is none.
    /// - Throws: any ``StorageError`` of this store. Then nothing has changed.
    @discardableResult
    public func importLogin(
        of requestorID: RequestorID, from stores: [LegacyStore], at now: Date
    ) throws(StorageError) -> AuthenticationToken? {
        guard !stores.isEmpty, try !areImportsOver(for: requestorID, self) else { return nil }
        // An unreadable mark is still a mark, and must not keep the import from other places.
        var found: [(place: String, token: AuthenticationToken?)] = []
        for store in stores where try values.rawValue(for: readMark(of: store.name, for: requestorID).key) == nil {
            do throws(StorageError) {
                found.append((store.name, try token(of: requestorID, in: store, now)))
            } catch {
                // The place may be locked or damaged, for example, and hold a login nevertheless.
                continue
            }
        }
        guard !found.isEmpty else { return nil }
        let places = found
        return try change { entitlements throws(StorageError) in
            guard try !areImportsOver(for: requestorID, entitlements) else { return nil }
            let needsLogin = try !hasValidLogin(of: requestorID, at: now, entitlements)
            var taken: AuthenticationToken?
            for (place, token) in places {
                let mark = readMark(of: place, for: requestorID)
                // If the mark exists, another process was faster.
                guard try entitlements.values.rawValue(for: mark.key) == nil else { continue }
                try entitlements.draft.add([.put(mark, StoredEntry.yes)])
                if needsLogin, taken == nil { taken = token }
            }
            if let taken { try entitlements.save(taken, metadata: nil) }
            return taken
        }
    }

    private func readMark(of name: String, for requestorID: RequestorID) -> StoredEntry {
        .legacyStoreWasRead(owner(requestorID), name: name)
    }

    /// Returns the first token that can be imported, and throws if there is none in a place that cannot be read as a
    /// whole.
    private func token(
        of requestorID: RequestorID, in store: LegacyStore, _ now: Date
    ) throws(StorageError) -> AuthenticationToken? {
        var failure: StorageError?
        for key in try store.layout.candidates(for: requestorID, in: store.backend) {
            let bytes: Data?
            do throws(StorageError) {
                bytes = try store.backend.value(for: key)
            } catch {
                if case .invalidValue = error { continue }
                failure = error
                continue
            }
            guard let bytes, let token = try? reader.authentication(String(decoding: bytes, as: UTF8.self)),
                token.claims.requestorID == requestorID,
                token.claims.fingerprint.lowercased().isSameBytes(as: fingerprint),
                !token.isExpired(at: now)
            else { continue }
            return token
        }
        if let failure { throw failure }
        return nil
    }

    private func areImportsOver(
        for requestorID: RequestorID, _ entitlements: some EntitlementReading
    ) throws(StorageError) -> Bool {
        for mark in [StoredEntry.importsAreOver, .importsAreOverFor(owner(requestorID))] {
            if try entitlements.values.rawValue(for: mark.key) != nil { return true }
        }
        return false
    }

    private func hasValidLogin(
        of requestorID: RequestorID, at now: Date, _ entitlements: some EntitlementReading
    ) throws(StorageError) -> Bool {
        guard let mvpdID = try entitlements.currentProvider(of: requestorID) else { return false }
        do throws(StorageError) {
            let token = try entitlements.authenticationToken(requestorID: requestorID, mvpdID: mvpdID)
            return token?.isExpired(at: now) == false
        } catch .invalidValue {
            return false
        }
    }
}
