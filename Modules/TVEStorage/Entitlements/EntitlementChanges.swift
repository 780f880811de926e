public import Foundation
public import TVEModels

/// Entitlements during a change: the stored values with the changes so far, and calls that change more.
///
/// Until the change is made or abandoned, no other thread or process changes the store. See
/// ``EntitlementStore/change(_:)``.
public struct EntitlementChanges: EntitlementReading {
    /// How stored texts are parsed into tokens.
    public let reader: StoredTokenReader
    /// The fingerprint that tokens for this device carry: it selects this device's part of the store.
    public let fingerprint: String
    /// The stored values with the changes so far.
    var draft: StorageDraft

    init(of present: any StorageReading, reader: StoredTokenReader, fingerprint: String) {
        draft = StorageDraft(of: present)
        self.reader = reader
        self.fingerprint = fingerprint
    }

    /// Where the bytes are.
    public var values: any StorageReading { draft }

    /// Stores a login: the token, the viewer's metadata, and the provider as the current one.
    ///
    /// AuthZ tokens of an earlier login with the same provider are removed, also those of other requestors, because
    /// they may belong to another viewer.
    ///
    /// - Parameters:
    ///   - token: the AuthN token.
    ///   - metadata: the provider's data about the viewer, if there is any.
    ///   - canAuthenticate: whether the next login may skip the picker; false for a TempPass.
    ///   - isFromPlatform: whether the login came from the platform's sign-on.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func save(
        _ token: AuthenticationToken, metadata: UserMetadata?, canAuthenticate: Bool = true,
        isFromPlatform: Bool = false
    ) throws(StorageError) {
        let (requestorID, mvpdID) = (token.claims.requestorID, token.claims.providerID)
        let login = layout.login(requestorID, mvpdID)
        // Permanent removal rewrites the store, so it is used only where there is something to remove.
        var batch: [StorageChange] = try draft.keys(under: login).isEmpty ? [] : [.removeAll(under: login)]
        batch += [
            .put(login.appending("authn"), Data(token.text.rawValue.utf8)),
            .put(layout.current(requestorID), Data(mvpdID.utf8)),
        ]
        if let metadata { batch.append(.put(login.appending("metadata"), EntitlementLayout.encoded(metadata))) }
        batch += try leftovers(of: mvpdID).filter { !$0.isInside(login) }.map { .remove($0) }
        // The service has replaced the old login with the new one. A classic login means nothing to a service that
        // keeps logins, and neither does a virtual one.
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

    /// What logins with a provider left at all requestors: AuthZ tokens, and for a requestor without its own login also
    /// the metadata of the shared login's viewer.
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

    /// Stores an AuthZ token, replacing an earlier one for the same resource.
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

    /// Stores the provider's data about the viewer, replacing the earlier data.
    ///
    /// - Parameters:
    ///   - metadata: the provider's data about the viewer.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func save(_ metadata: UserMetadata, requestorID: String, mvpdID: String) throws(StorageError) {
        let key = layout.login(requestorID, mvpdID).appending("metadata")
        try draft.add([.put(key, EntitlementLayout.encoded(metadata))])
    }

    /// Stores the service's answer about a set of resources, replacing an earlier one of the same login.
    ///
    /// It belongs to the login: a new login and a logout remove it.
    ///
    /// - Parameters:
    ///   - decisions: one decision per resource.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func save(
        _ decisions: [PreauthorizationDecision], requestorID: String, mvpdID: String
    ) throws(StorageError) {
        let key = layout.login(requestorID, mvpdID).appending(EntitlementLayout.preauthorization)
        try draft.add([.put(key, EntitlementLayout.encoded(decisions))])
    }

    /// Removes a permission that is not valid any more.
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

    /// Stores the provider that a viewer chose, or removes it; tokens stay.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider, nil to remove it.
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

    /// Stores a login that is running, or removes it; logout removes it too.
    ///
    /// - Parameters:
    ///   - pending: the data to finish it, nil to remove it.
    ///   - requestorID: the requestor.
    /// - Throws: any ``StorageError`` about reading.
    public mutating func setPendingLogin(_ pending: Data?, of requestorID: String) throws(StorageError) {
        let key = layout.pending(requestorID)
        try draft.add([pending.map { .put(key, $0) } ?? .remove(key)])
    }
}
