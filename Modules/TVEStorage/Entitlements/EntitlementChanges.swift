public import Foundation
public import TVEModels

/// Entitlements during a change: the stored values with the changes so far, and calls that change more.
///
/// Until the change is made or abandoned, no other thread or process changes the store. See
/// `EntitlementStore.change(_:)`. The calls throw any ``StorageError`` about reading.
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

    /// Stores a login: the token, the viewer's metadata, and the provider as the current one unless it is one beside
    /// that of the viewer's choice.
    ///
    /// AuthZ tokens of an earlier login with the same provider are removed, also those of other requestors, because
    /// they may belong to another viewer.
    ///
    /// - Parameters:
    ///   - token: the AuthN token.
    ///   - metadata: the provider's data about the viewer, if there is any.
    ///   - canAuthenticate: whether the next login may skip the picker; false for a TempPass.
    ///   - isFromPlatform: whether the login came from the platform's sign-on.
    ///   - isOfChoice: whether its provider becomes the current one.
    public mutating func save(
        _ token: AuthenticationToken, metadata: UserMetadata?, canAuthenticate: Bool = true,
        isFromPlatform: Bool = false, isOfChoice: Bool = true
    ) throws(StorageError) {
        let login = login(of: token)
        // Permanent removal rewrites the store, so it is used only where there is something to remove.
        var batch: [StorageChange] =
            try draft.keys(under: login.entitlements).isEmpty ? [] : [.removeAll(under: login.entitlements)]
        batch.append(.put(.authentication(login), Data(token.text.rawValue.utf8)))
        if isOfChoice { batch.append(.put(.currentProvider(login.owner), Data(login.mvpdID.text.utf8))) }
        if let metadata { batch.append(.put(.metadata(login), StoredEntry.encoded(metadata, else: "{}"))) }
        batch += try leftovers(of: login.mvpdID).filter { !$0.isInside(login.entitlements) }.map { .remove($0) }
        // The service has replaced the old login with the new one. A classic login means nothing to a service that
        // keeps logins, and neither does a virtual one.
        if token.text.isCopy, !token.claims.isDegraded, canAuthenticate {
            batch.append(.remove(.end(login)))
            if try draft.rawValue(for: StoredEntry.endOfEveryLogin(login.owner).key) != nil {
                batch.append(.put(.newerLogin(login), StoredEntry.yes))
            }
        }
        if canAuthenticate { batch.append(.put(.canAuthenticate(login), StoredEntry.yes)) }
        if isFromPlatform { batch.append(.put(.platform(login), StoredEntry.yes)) }
        try draft.add(batch)
    }

    /// What logins with a provider left at all requestors: AuthZ tokens, and for a requestor without its own login also
    /// the metadata of the shared login's viewer.
    private func leftovers(of mvpdID: MVPDID) throws(StorageError) -> [StorageKey] {
        func isLeftByProvider(_ login: StoredEntry.Login) -> Bool { login.mvpdID == mvpdID && isOwn(login.owner) }
        var permissions: [StorageKey] = []
        var ofViewers: [(login: StoredEntry.Login, key: StorageKey)] = []
        var logins: Set<StoredEntry.Login> = []
        for key in try draft.keys(under: StoredEntry.entitlements) {
            switch StoredEntry(key) {
            case .authentication(let login) where isLeftByProvider(login): logins.insert(login)
            case .authorization(let login, _) where isLeftByProvider(login): permissions.append(key)
            case .metadata(let login) where isLeftByProvider(login),
                .preauthorization(let login) where isLeftByProvider(login):
                ofViewers.append((login, key))
            default: continue
            }
        }
        return permissions + ofViewers.filter { !logins.contains($0.login) }.map(\.key)
    }

    /// Stores an AuthZ token, replacing an earlier one for the same resource.
    ///
    /// - Parameters:
    ///   - token: the AuthZ token.
    ///   - mvpdID: the TV provider of the login it was given to.
    ///   - metadata: newer metadata that came with it.
    public mutating func save(
        _ token: AuthorizationToken, mvpdID: MVPDID, metadata: UserMetadata?
    ) throws(StorageError) {
        let login = login(token.claims.requestorID, mvpdID)
        let names = ResourceName.all(of: token.claims.resource)
        try draft.add([.put(.authorization(login, names[0]), Data(token.text.rawValue.utf8))])
        for name in names.dropFirst() { try removeIfThere(.authorization(login, name)) }
        if let metadata { try save(metadata, requestorID: token.claims.requestorID, mvpdID: mvpdID) }
    }

    /// Stores the provider's data about the viewer, replacing the earlier data.
    ///
    /// - Parameters:
    ///   - metadata: the provider's data about the viewer.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    public mutating func save(_ metadata: UserMetadata, requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([.put(.metadata(login(requestorID, mvpdID)), StoredEntry.encoded(metadata, else: "{}"))])
    }

    /// Stores the service's answer about a set of resources, replacing an earlier one of the same login.
    ///
    /// It belongs to the login: a new login and a logout remove it.
    ///
    /// - Parameters:
    ///   - decisions: one decision per resource.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    public mutating func save(
        _ decisions: [PreauthorizationDecision], requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) {
        try draft.add([.put(.preauthorization(login(requestorID, mvpdID)), StoredEntry.encoded(decisions, else: "[]"))])
    }

    /// Removes a permission that is not valid any more.
    ///
    /// - Parameters:
    ///   - resource: the resource, compared as text.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    public mutating func removeAuthorization(
        for resource: Resource, requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) {
        for name in ResourceName.all(of: resource) {
            try removeIfThere(.authorization(login(requestorID, mvpdID), name))
        }
    }

    private mutating func removeIfThere(_ entry: StoredEntry) throws(StorageError) {
        if try draft.rawValue(for: entry.key) != nil { try draft.add([.remove(entry)]) }
    }

    /// Stores the provider that a viewer chose, or removes it; tokens stay.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider, nil to remove it.
    ///   - requestorID: the requestor.
    public mutating func setCurrentProvider(_ mvpdID: MVPDID?, of requestorID: RequestorID) throws(StorageError) {
        try draft.add([.put(.currentProvider(owner(requestorID)), Data((mvpdID?.text ?? "").utf8))])
    }

    /// Notes that a login with a provider failed or was abandoned.
    public mutating func clearCanAuthenticate(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([.remove(.canAuthenticate(login(requestorID, mvpdID)))])
    }

    /// Stores a login that is running, or removes it; logout removes it too.
    ///
    /// - Parameters:
    ///   - pending: the data to finish it, nil to remove it.
    ///   - requestorID: the requestor.
    public mutating func setPendingLogin(_ pending: Data?, of requestorID: RequestorID) throws(StorageError) {
        let entry = StoredEntry.pendingLogin(owner(requestorID))
        try draft.add([pending.map { .put(entry, $0) } ?? .remove(entry)])
    }
}
