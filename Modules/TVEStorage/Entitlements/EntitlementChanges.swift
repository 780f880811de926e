public import Foundation
public import TVEModels

/// The entitlements during a change, which are the stored values with the changes so far, and the calls that change
/// more.
///
/// Until the change is made or abandoned, no other thread or process changes the store. See
/// `EntitlementStore.change(_:)`. The calls throw any ``StorageError`` about reading.
public struct EntitlementChanges: EntitlementReading {
    /// The reader that parses stored texts into tokens.
    public let reader: StoredTokenReader
    /// The fingerprint in tokens for this device, which selects this device's part of the store.
    public let fingerprint: String
    /// The stored values with the changes so far.
    var draft: StorageDraft

    init(of present: any StorageReading, reader: StoredTokenReader, fingerprint: String) {
        draft = StorageDraft(of: present)
        self.reader = reader
        self.fingerprint = fingerprint
    }

    /// The source of the stored bytes.
    public var values: any StorageReading { draft }

    /// Stores a login, which consists of the token and the viewer's metadata, and makes its provider the current one.
    ///
    /// AuthZ tokens of an earlier login with the same provider are removed, also those of other requestors, because
    /// they may belong to another viewer.
    ///
    /// - Parameters:
    ///   - token: the AuthN token.
    ///   - metadata: the provider's metadata about the viewer, if there is any.
    ///   - canAuthenticate: a Boolean value that indicates whether the next login may skip the picker. Pass false for a
    ///     TempPass.
    ///   - isFromPlatform: a Boolean value that indicates whether the login came from the platform's sign-on.
    ///   - isOfChoice: a Boolean value that indicates whether its provider becomes the current one. Pass false for a
    ///     login beside the one with the provider that the viewer chose.
    public mutating func save(
        _ token: AuthenticationToken, metadata: UserMetadata?, canAuthenticate: Bool = true,
        isFromPlatform: Bool = false, isOfChoice: Bool = true
    ) throws(StorageError) {
        let login = login(of: token)
        // Permanent removal rewrites the store, so it is used only if there is something to remove.
        var batch: [StorageChange] =
            try draft.keys(under: login.entitlements).isEmpty ? [] : [.removeAll(under: login.entitlements)]
        batch.append(.put(.authentication(login), Data(token.text.rawValue.utf8)))
        if isOfChoice { batch.append(.put(.currentProvider(login.owner), Data(login.mvpdID.text.utf8))) }
        if let metadata { batch.append(.put(.metadata(login), StoredEntry.encoded(metadata, else: "{}"))) }
        batch += try leftovers(of: login.mvpdID).filter { !$0.isInside(login.entitlements) }.map { .remove($0) }
        // The service has replaced the old login with the new one. This does not apply to classic logins, which a
        // service that stores logins does not know, nor to virtual ones.
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

    /// Returns the keys that logins with a provider left behind at all requestors.
    ///
    /// They are the AuthZ tokens and, for a requestor without its own login, also the metadata of the shared login's
    /// viewer.
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

    /// Stores an AuthZ token and replaces an earlier one for the same resource.
    ///
    /// - Parameters:
    ///   - token: the AuthZ token.
    ///   - mvpdID: the TV provider of the login it was granted to.
    ///   - metadata: newer metadata from the same answer.
    public mutating func save(
        _ token: AuthorizationToken, mvpdID: MVPDID, metadata: UserMetadata?
    ) throws(StorageError) {
        let login = login(token.claims.requestorID, mvpdID)
        let names = ResourceName.all(of: token.claims.resource)
        try draft.add([.put(.authorization(login, names[0]), Data(token.text.rawValue.utf8))])
        for name in names.dropFirst() { try removeIfThere(.authorization(login, name)) }
        if let metadata { try save(metadata, requestorID: token.claims.requestorID, mvpdID: mvpdID) }
    }

    /// Stores the provider's metadata about the viewer and replaces the earlier metadata.
    ///
    /// - Parameters:
    ///   - metadata: the provider's metadata about the viewer.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    public mutating func save(_ metadata: UserMetadata, requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([.put(.metadata(login(requestorID, mvpdID)), StoredEntry.encoded(metadata, else: "{}"))])
    }

    /// Stores the service's answer about a set of resources and replaces an earlier one of the same login.
    ///
    /// The answer belongs to the login, so a new login and a logout remove it.
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

    /// Removes a permission that is no longer valid.
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

    /// Stores the provider that a viewer chose, or removes the choice.
    ///
    /// Tokens remain.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider, or nil to remove the choice.
    ///   - requestorID: the requestor.
    public mutating func setCurrentProvider(_ mvpdID: MVPDID?, of requestorID: RequestorID) throws(StorageError) {
        try draft.add([.put(.currentProvider(owner(requestorID)), Data((mvpdID?.text ?? "").utf8))])
    }

    /// Records that a login with a provider failed or was abandoned.
    public mutating func clearCanAuthenticate(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([.remove(.canAuthenticate(login(requestorID, mvpdID)))])
    }

    /// Records that the last login with a provider succeeded after all.
    package mutating func setCanAuthenticate(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) {
        try draft.add([.put(.canAuthenticate(login(requestorID, mvpdID)), StoredEntry.yes)])
    }

    /// Stores a login that is not finished, or removes it.
    ///
    /// A logout of all providers removes it too, but the removal of a single login does not.
    ///
    /// - Parameters:
    ///   - pending: the data with which the login can be finished, or nil to remove it.
    ///   - requestorID: the requestor.
    public mutating func setPendingLogin(_ pending: Data?, of requestorID: RequestorID) throws(StorageError) {
        let entry = StoredEntry.pendingLogin(owner(requestorID))
        try draft.add([pending.map { .put(entry, $0) } ?? .remove(entry)])
    }
}
