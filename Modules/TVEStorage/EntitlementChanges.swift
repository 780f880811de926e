public import Foundation
public import TVEModels

/// Entitlements in the middle of a change: what is present with what was changed so far, and the calls that change more.
///
/// Nobody else changes anything until the change is made or given up. See ``EntitlementStore/change(_:)``.
public struct EntitlementChanges: EntitlementReading {
    /// How stored texts become tokens again.
    public let reader: StoredTokenReader
    /// Whose part of the store this is: the fingerprint that tokens for this device carry.
    public let fingerprint: String
    /// What is present, with the changes so far.
    var draft: StorageDraft

    init(of present: any StorageReading, reader: StoredTokenReader, fingerprint: String) {
        draft = StorageDraft(of: present)
        self.reader = reader
        self.fingerprint = fingerprint
    }

    /// Where the bytes are.
    public var values: any StorageReading { draft }

    /// Keeps a login: the token, the viewer's metadata, and the provider as the current one.
    ///
    /// AuthZ tokens of an earlier login with the same provider go, those of other requestors too, since they may have been
    /// another viewer's.
    ///
    /// - Parameters:
    ///   - token: the AuthN token.
    ///   - metadata: what the provider told about the viewer, when it told anything.
    ///   - canAuthenticate: whether the next login may skip the picker; a TempPass is not remembered that way.
    ///   - isFromPlatform: whether the platform's sign-on brought the login.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func save(
        _ token: AuthenticationToken, metadata: UserMetadata?, canAuthenticate: Bool = true,
        isFromPlatform: Bool = false
    ) throws(StorageError) {
        let (requestorID, mvpdID) = (token.claims.requestorID, token.claims.providerID)
        let login = layout.login(requestorID, mvpdID)
        // Removing for good rewrites the store, so only where there is something to remove.
        var batch: [StorageChange] = try draft.keys(under: login).isEmpty ? [] : [.removeAll(under: login)]
        batch += [
            .put(login.appending("authn"), Data(token.text.rawValue.utf8)),
            .put(layout.current(requestorID), Data(mvpdID.utf8)),
        ]
        if let metadata { batch.append(.put(login.appending("metadata"), EntitlementLayout.encoded(metadata))) }
        batch += try leftovers(of: mvpdID).filter { !$0.isInside(login) }.map { .remove($0) }
        // The service has a new login in the place of the old one. A classic login says nothing to the service that keeps the others,
        // and neither does one with nobody behind it.
        if token.text.isCopy, !token.claims.isDegraded, canAuthenticate {
            batch.append(.remove(layout.note(requestorID, mvpdID)))
            if try draft.rawValue(for: layout.noteOfAll(requestorID)) != nil {
                batch.append(.put(layout.newerLogins(requestorID).appending(mvpdID), EntitlementLayout.yes))
            }
        }
        if canAuthenticate { batch.append(.put(login.appending("canAuthenticate"), EntitlementLayout.yes)) }
        if isFromPlatform { batch.append(.put(login.appending("platform"), EntitlementLayout.yes)) }
        try draft.add(batch)
    }

    /// What logins with a provider left behind at all requestors: AuthZ tokens, and where a requestor has no login of its own also
    /// what was told about the viewer whose login it shared.
    private func leftovers(of mvpdID: String) throws(StorageError) -> [StorageKey] {
        let keys = try draft.keys(under: EntitlementLayout.root).filter { key in
            let path = key.parts
            return path.count >= 6 && isOwn(path[2]) && StorageKey.decoded(path[4]).isSameBytes(as: mvpdID)
        }
        let owners = Set(keys.filter { $0.parts[5] == "authn" }.map { ExactText(String($0.parts[1])) })
        return keys.filter { key in
            let path = key.parts
            return switch path[5] {
            case "authz": true
            case "metadata", Substring(EntitlementLayout.preauthorization): !owners.contains(ExactText(String(path[1])))
            default: false
            }
        }
    }

    /// Keeps an AuthZ token in the place of any earlier one for the same resource.
    ///
    /// - Parameters:
    ///   - token: the AuthZ token.
    ///   - mvpdID: the TV provider of the login it was given to.
    ///   - metadata: newer metadata that came with it.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func save(
        _ token: AuthorizationToken, mvpdID: String, metadata: UserMetadata?
    ) throws(StorageError) {
        let login = layout.login(token.claims.requestorID, mvpdID)
        let key = login.appending("authz").appending(token.claims.resource.text)
        try draft.add([.put(key, Data(token.text.rawValue.utf8))])
        if let metadata { try save(metadata, requestorID: token.claims.requestorID, mvpdID: mvpdID) }
    }

    /// Keeps what the provider told, in the place of what it told earlier.
    ///
    /// - Parameters:
    ///   - metadata: what the provider told about the viewer.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func save(_ metadata: UserMetadata, requestorID: String, mvpdID: String) throws(StorageError) {
        let key = layout.login(requestorID, mvpdID).appending("metadata")
        try draft.add([.put(key, EntitlementLayout.encoded(metadata))])
    }

    /// Keeps the service's answer about a set of resources in the place of any earlier one of the same login.
    ///
    /// It goes with the login: a new one and a logout remove it.
    ///
    /// - Parameters:
    ///   - decisions: one decision a resource.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func save(
        _ decisions: [PreauthorizationDecision], requestorID: String, mvpdID: String
    ) throws(StorageError) {
        let key = layout.login(requestorID, mvpdID).appending(EntitlementLayout.preauthorization)
        try draft.add([.put(key, EntitlementLayout.encoded(decisions))])
    }

    /// Forgets a permission that no longer holds.
    ///
    /// - Parameters:
    ///   - resource: the resource, compared as text.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func removeAuthorization(
        for resource: Resource, requestorID: String, mvpdID: String
    ) throws(StorageError) {
        let key = layout.login(requestorID, mvpdID).appending("authz").appending(resource.text)
        try draft.add([.remove(key)])
    }

    /// Remembers the provider a viewer chose, or forgets it; tokens stay.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider, nil to forget.
    ///   - requestorID: the requestor.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func setCurrentProvider(_ mvpdID: String?, of requestorID: String) throws(StorageError) {
        try draft.add([.put(layout.current(requestorID), Data((mvpdID ?? "").utf8))])
    }

    /// Notes that a login with a provider failed or was abandoned.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func clearCanAuthenticate(requestorID: String, mvpdID: String) throws(StorageError) {
        try draft.add([.remove(layout.login(requestorID, mvpdID).appending("canAuthenticate"))])
    }

    /// Keeps a login that is on its way, or forgets it; logout forgets it too.
    ///
    /// - Parameters:
    ///   - pending: what is needed to finish it, nil to forget.
    ///   - requestorID: the requestor.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func setPendingLogin(_ pending: Data?, of requestorID: String) throws(StorageError) {
        let key = layout.pending(requestorID)
        try draft.add([pending.map { .put(key, $0) } ?? .remove(key)])
    }
}
