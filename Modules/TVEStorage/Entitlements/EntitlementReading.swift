import Foundation
public import TVEModels

/// A reader of stored entitlements, which is the store itself or a change of it.
///
/// All methods are synchronous and may be called from any thread. They throw any ``StorageError`` about reading.
public protocol EntitlementReading {
    /// The source of the stored bytes.
    var values: any StorageReading { get }
    /// The reader that parses stored texts into tokens.
    var reader: StoredTokenReader { get }
    /// The fingerprint in tokens for this device, which selects this device's part of the store.
    var fingerprint: String { get }
}

extension EntitlementReading {
    /// Returns the owner of a requestor's values on this device.
    func owner(_ requestorID: RequestorID) -> StoredEntry.Owner {
        StoredEntry.Owner(requestorID: requestorID, fingerprint: fingerprint)
    }

    /// Returns the name of a requestor's login with a provider on this device.
    func login(_ requestorID: RequestorID, _ mvpdID: MVPDID) -> StoredEntry.Login {
        StoredEntry.Login(owner: owner(requestorID), mvpdID: mvpdID)
    }

    /// Returns the name of a token's login on this device.
    func login(of token: AuthenticationToken) -> StoredEntry.Login {
        login(token.claims.requestorID, token.claims.providerID)
    }

    /// Returns a Boolean value that indicates whether an owner belongs to this device.
    func isOwn(_ owner: StoredEntry.Owner) -> Bool { owner.fingerprint.isSameBytes(as: fingerprint) }

    /// Returns the AuthN token of a requestor with a provider, whether it is still valid or not.
    ///
    /// - Returns: the token, or nil if there is none.
    /// - Throws: `StorageError.invalidValue` if the stored text is not an AuthN token, or any other error about
    ///   reading.
    public func authenticationToken(
        requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) -> AuthenticationToken? {
        try token(at: .authentication(login(requestorID, mvpdID)), reader.authentication)
    }

    /// Returns a Boolean value that indicates whether exactly this AuthN token is stored, without parsing it.
    ///
    /// - Parameter token: a token that was stored earlier.
    public func contains(_ token: AuthenticationToken) throws(StorageError) -> Bool {
        // The bytes are compared in place, because every play checks at its end whether its login is still stored.
        guard let stored = try values.value(for: StoredEntry.authentication(login(of: token)).key) else { return false }
        return stored.withSpan { stored in token.text.rawValue.withUTF8Span { stored.isSame(as: $0) } }
    }

    /// Returns the AuthZ token for exactly this resource, whether it is still valid or not.
    ///
    /// - Parameters:
    ///   - resource: the resource, compared as text.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the token, or nil if there is none.
    /// - Throws: `StorageError.invalidValue` if the stored text is not an AuthZ token, or any other error about
    ///   reading.
    public func authorizationToken(
        for resource: Resource, requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) -> AuthorizationToken? {
        for name in ResourceName.all(of: resource) {
            let entry = StoredEntry.authorization(login(requestorID, mvpdID), name)
            if let token = try token(at: entry, reader.authorization) { return token }
        }
        return nil
    }

    /// Returns the AuthN tokens of other requestors with these providers, for single sign-on between apps that share
    /// the store.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor whose own tokens are omitted.
    ///   - mvpdIDs: the providers whose logins it may share.
    /// - Returns: the tokens, whether they are still valid or not, in the order of their requestors' ids. Unreadable
    ///   ones are omitted.
    public func sharedAuthenticationTokens(
        with requestorID: RequestorID, mvpdIDs: some Sequence<MVPDID>
    ) throws(StorageError) -> [AuthenticationToken] {
        let mvpdIDs = Set(mvpdIDs)
        return try authenticationTokens { $0.owner.requestorID != requestorID && mvpdIDs.contains($0.mvpdID) }
    }

    /// Returns all AuthN tokens of this device, of any requestor, whether they are still valid or not.
    ///
    /// - Returns: the tokens in the order of their requestors' ids. Unreadable ones are omitted.
    public func authenticationTokens() throws(StorageError) -> [AuthenticationToken] {
        try authenticationTokens { _ in true }
    }

    private func authenticationTokens(
        of isWanted: (StoredEntry.Login) -> Bool
    ) throws(StorageError) -> [AuthenticationToken] {
        let keys = try values.keys(under: StoredEntry.entitlements).filter { key in
            guard case .authentication(let login) = StoredEntry(key) else { return false }
            return isOwn(login.owner) && isWanted(login)
        }
        var tokens: [AuthenticationToken] = []
        for key in keys.sorted() {
            if let token = try readableLogin(at: key) { tokens.append(token) }
        }
        return tokens
    }

    /// Returns the provider's metadata about the viewer.
    ///
    /// - Returns: the metadata, or nil if there is none.
    /// - Throws: `StorageError.invalidValue` if the stored value is not metadata, or any other error about reading.
    public func userMetadata(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> UserMetadata? {
        let key = StoredEntry.metadata(login(requestorID, mvpdID)).key
        guard let bytes = try values.value(for: key) else { return nil }
        guard let metadata: UserMetadata = StoredEntry.decoded(bytes) else { throw .invalidValue(key) }
        return metadata
    }

    /// Returns a Boolean value that indicates whether the last login with a provider succeeded, so that the next one
    /// may skip the picker.
    public func canAuthenticate(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> Bool {
        try text(at: .canAuthenticate(login(requestorID, mvpdID))) == "1"
    }

    /// Returns a Boolean value that indicates whether a login came from the platform's sign-on.
    public func isFromPlatform(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> Bool {
        try text(at: .platform(login(requestorID, mvpdID))) == "1"
    }

    // MARK: - Values

    /// Returns the text of a value, or nil if it cannot be opened.
    func text(at entry: StoredEntry) throws(StorageError) -> String? {
        try values.readableValue(for: entry.key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the AuthN token of a key, or nil if it cannot be opened or parsed.
    func readableLogin(at key: StorageKey) throws(StorageError) -> AuthenticationToken? {
        try values.readableValue(for: key).flatMap { try? reader.authentication(String(decoding: $0, as: UTF8.self)) }
    }

    private func token<Token>(at entry: StoredEntry, _ read: (String) throws -> Token) throws(StorageError) -> Token? {
        let key = entry.key
        guard let bytes = try values.value(for: key) else { return nil }
        guard let token = try? read(String(decoding: bytes, as: UTF8.self)) else { throw .invalidValue(key) }
        return token
    }
}
