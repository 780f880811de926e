import Foundation
import TVEModels

/// The rules for values, by the layout of the store.
struct EntitlementValidity: Sendable {
    /// The verdict on a value.
    enum Verdict: Equatable {
        case good
        case bad(IntegrityReport.Reason)
        /// No entry of this name is known.
        case unknown
    }

    let reader: StoredTokenReader

    /// Checks a value, or the error of reading it.
    ///
    /// - Throws: every error except that the value is damaged.
    func verdict(
        on value: Result<Data?, StorageError>, at key: StorageKey
    ) throws(StorageError) -> Verdict {
        switch value {
        case .success(nil): return .good
        case .success(let bytes?): return verdict(on: bytes, at: key.parts)
        case .failure(.invalidValue), .failure(.keyMissing): return .bad(.unreadable)
        case .failure(let error): throw error
        }
    }

    private func verdict(on value: Data, at path: [Substring]) -> Verdict {
        let isGood: Bool
        switch (path.first, path.count) {
        case ("registration", 2): isGood = reader.isRegistration(value)
        case ("device", 2): isGood = !value.isEmpty && String(validUTF8: value) != nil
        case ("probe", 2), ("imported", 2...4): isGood = !value.isEmpty
        case ("logout", 4) where path[3] == "all": isGood = LogoutNote(value) != nil
        case ("logout", 5) where path[3] == "mvpd": isGood = LogoutNote(value) != nil
        // Its value is not used, only its existence.
        case ("logout", 5) where path[3] == "newer": isGood = true
        // Empty when the viewer cancelled the choice.
        case ("requestor", 4) where path[3] == "current": isGood = String(validUTF8: value) != nil
        case ("requestor", 4) where path[3] == EntitlementLayout.pending: isGood = !value.isEmpty
        case ("requestor", 6...) where path[3] == "mvpd": return verdict(on: value, inLogin: path)
        default: return .unknown
        }
        return isGood ? .good : .bad(.invalid)
    }

    /// Path: `requestor`, requestor, fingerprint, `mvpd`, provider, kind, and for AuthZ tokens the resource.
    private func verdict(on value: Data, inLogin path: [Substring]) -> Verdict {
        let (requestorID, fingerprint, mvpdID, kind) = (path[1], path[2], path[4], path[5])
        func isSame(_ name: String, _ part: Substring) -> Bool {
            name.utf8.elementsEqual(part.utf8) || name.isSameBytes(as: StorageKey.decoded(part))
        }
        let text = String(decoding: value, as: UTF8.self)
        switch (kind, path.count) {
        case ("authn", 6):
            guard let claims = try? reader.authentication(text).claims else { return .bad(.invalid) }
            return isSame(claims.requestorID, requestorID) && isSame(claims.providerID, mvpdID)
                && (isSame(claims.fingerprint, fingerprint) || isSame(claims.fingerprint.lowercased(), fingerprint))
                ? .good : .bad(.misplaced)
        case ("authz", 7):
            guard let claims = try? reader.authorization(text).claims else { return .bad(.invalid) }
            return isSame(claims.requestorID, requestorID) && isSame(claims.resource.text, path[6])
                && isSame(claims.fingerprint?.lowercased() ?? String(fingerprint), fingerprint)
                ? .good : .bad(.misplaced)
        case ("metadata", 6): return (try? EntitlementLayout.metadata(value)) == nil ? .bad(.invalid) : .good
        case (Substring(EntitlementLayout.preauthorization), 6):
            return EntitlementLayout.decisions(value) == nil ? .bad(.invalid) : .good
        case ("canAuthenticate", 6), ("platform", 6): return value == EntitlementLayout.yes ? .good : .bad(.invalid)
        default: return .unknown
        }
    }
}
