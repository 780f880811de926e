import Foundation
import TVEModels

/// The rules for values, according to the layout of the store.
struct EntitlementValidity: Sendable {
    enum Verdict: Equatable {
        case good
        case bad(IntegrityReport.Reason)
        /// The entry has no name that this version knows.
        case unknown
    }

    let reader: StoredTokenReader

    /// Checks a value, or the error of reading it.
    ///
    /// - Throws: every error that does not mean a damaged value.
    func verdict(on value: Result<Data?, StorageError>, at key: StorageKey) throws(StorageError) -> Verdict {
        switch value {
        case .success(nil): return .good
        case .success(let bytes?): return verdict(on: bytes, in: StoredEntry(key))
        case .failure(.invalidValue), .failure(.keyMissing), .failure(.unknownLayout): return .bad(.unreadable)
        case .failure(let error): throw error
        }
    }

    private func verdict(on value: Data, in entry: StoredEntry?) -> Verdict {
        let isGood: Bool
        switch entry {
        case nil: return .unknown
        case .registration: isGood = reader.isRegistration(value)
        case .deviceSeed, .deviceID: isGood = !value.isEmpty && String(validUTF8: value) != nil
        case .pendingLogin, .probe, .begunLogin, .importsAreOver, .importsAreOverFor, .legacyStoreWasRead:
            isGood = !value.isEmpty
        case .household: isGood = (StoredEntry.decoded(value) as StoredMembership?) != nil
        case .endOfEveryLogin, .end: isGood = LogoutNote.isNote(value)
        // Only the existence of the entry matters, not its value.
        case .newerLogin: isGood = true
        // The value is empty if the viewer cancelled the choice.
        case .currentProvider: isGood = String(validUTF8: value) != nil
        case .providerDescription: isGood = (StoredEntry.decoded(value) as StoredProvider?) != nil
        case .authentication(let login):
            guard let claims = try? reader.authentication(String(decoding: value, as: UTF8.self)).claims else {
                return .bad(.invalid)
            }
            let isInPlace =
                claims.requestorID == login.owner.requestorID && claims.providerID == login.mvpdID
                && login.owner.hasFingerprint(claims.fingerprint)
            return isInPlace ? .good : .bad(.misplaced)
        case .authorization(let login, let name):
            guard let claims = try? reader.authorization(String(decoding: value, as: UTF8.self)).claims else {
                return .bad(.invalid)
            }
            let isInPlace =
                claims.requestorID == login.owner.requestorID
                && ResourceName.all(of: claims.resource).contains(name)
                && claims.fingerprint.map(login.owner.hasFingerprint) != false
            return isInPlace ? .good : .bad(.misplaced)
        case .metadata: isGood = (StoredEntry.decoded(value) as UserMetadata?) != nil
        case .preauthorization: isGood = (StoredEntry.decoded(value) as [PreauthorizationDecision]?) != nil
        case .canAuthenticate, .platform: isGood = value == StoredEntry.yes
        }
        return isGood ? .good : .bad(.invalid)
    }
}

extension StoredEntry.Owner {
    /// Returns a Boolean value that indicates whether a token with this fingerprint is for the owner's device.
    ///
    /// Services also write the fingerprint in capitals.
    fileprivate func hasFingerprint(_ text: String) -> Bool {
        fingerprint.isSameBytes(as: text) || fingerprint.isSameBytes(as: text.lowercased())
    }
}
