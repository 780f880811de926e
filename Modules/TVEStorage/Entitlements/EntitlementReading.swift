import Foundation
public import TVEModels

/// Reads stored entitlements: from the store, or inside a change of it.
///
/// All methods are synchronous and may be called from any thread. They throw any ``StorageError`` about reading.
public protocol EntitlementReading {
    /// Where the bytes are.
    var values: any StorageReading { get }
    /// How stored texts are parsed into tokens.
    var reader: StoredTokenReader { get }
    /// The fingerprint that tokens for this device carry: it selects this device's part of the store.
    var fingerprint: String { get }
}

extension EntitlementReading {
    /// A requestor on this device.
    func owner(_ requestorID: RequestorID) -> StoredEntry.Owner {
        StoredEntry.Owner(requestorID: requestorID, fingerprint: fingerprint)
    }

    /// A requestor's login with a provider on this device.
    func login(_ requestorID: RequestorID, _ mvpdID: MVPDID) -> StoredEntry.Login {
        StoredEntry.Login(owner: owner(requestorID), mvpdID: mvpdID)
    }

    /// The login of a token on this device.
    func login(of token: AuthenticationToken) -> StoredEntry.Login {
        login(token.claims.requestorID, token.claims.providerID)
    }

    /// Whether an entry belongs to this device.
    func isOwn(_ owner: StoredEntry.Owner) -> Bool { owner.fingerprint.isSameBytes(as: fingerprint) }

    /// The AuthN token of a requestor with a provider, whether still valid or not.
    ///
    /// - Returns: the token, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored text is not an AuthN token; any other about reading.
    public func authenticationToken(
        requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) -> AuthenticationToken? {
        try token(at: .authentication(login(requestorID, mvpdID)), reader.authentication)
    }

    /// Whether exactly this AuthN token is stored; nothing is parsed.
    ///
    /// - Parameter token: a token that was stored earlier.
    public func contains(_ token: AuthenticationToken) throws(StorageError) -> Bool {
        try values.value(for: StoredEntry.authentication(login(of: token)).key) == Data(token.text.rawValue.utf8)
    }

    /// The AuthZ token for exactly this resource, whether still valid or not.
    ///
    /// - Parameters:
    ///   - resource: the resource, compared as text.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the token, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored text is not an AuthZ token; any other about reading.
    public func authorizationToken(
        for resource: Resource, requestorID: RequestorID, mvpdID: MVPDID
    ) throws(StorageError) -> AuthorizationToken? {
        for name in ResourceName.all(of: resource) {
            let entry = StoredEntry.authorization(login(requestorID, mvpdID), name)
            if let token = try token(at: entry, reader.authorization) { return token }
        }
        return nil
    }

    /// AuthN tokens of other requestors with these providers: single sign-on between the apps that share the store.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor that asks; its own tokens are left out.
    ///   - mvpdIDs: the providers whose logins it may share.
    /// - Returns: the tokens, whether still valid or not, in the order of their requestors' ids; unreadable ones are
    ///   left out.
    public func sharedAuthenticationTokens(
        with requestorID: RequestorID, mvpdIDs: some Sequence<MVPDID>
    ) throws(StorageError) -> [AuthenticationToken] {
        let mvpdIDs = Set(mvpdIDs)
        return try authenticationTokens { $0.owner.requestorID != requestorID && mvpdIDs.contains($0.mvpdID) }
    }

    /// All AuthN tokens of this device, of any requestor, whether still valid or not.
    ///
    /// - Returns: the tokens in the order of their requestors' ids; unreadable ones are left out.
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

    /// The provider's data about the viewer.
    ///
    /// - Returns: the metadata, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored value is not metadata; any other about reading.
    public func userMetadata(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> UserMetadata? {
        let key = StoredEntry.metadata(login(requestorID, mvpdID)).key
        guard let bytes = try values.value(for: key) else { return nil }
        guard let metadata: UserMetadata = StoredEntry.decoded(bytes) else { throw .invalidValue(key) }
        return metadata
    }

    /// Whether the last login with a provider succeeded, so that the next one may skip the picker.
    public func canAuthenticate(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> Bool {
        try text(at: .canAuthenticate(login(requestorID, mvpdID))) == "1"
    }

    /// Whether a login came from the platform's sign-on.
    public func isFromPlatform(requestorID: RequestorID, mvpdID: MVPDID) throws(StorageError) -> Bool {
        try text(at: .platform(login(requestorID, mvpdID))) == "1"
    }

    // MARK: - Values

    /// The text of a value; nil when it cannot be opened.
    func text(at entry: StoredEntry) throws(StorageError) -> String? {
        try bytes(at: entry.key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The AuthN token of a key; nil when it cannot be opened or parsed.
    func readableLogin(at key: StorageKey) throws(StorageError) -> AuthenticationToken? {
        try bytes(at: key).flatMap { try? reader.authentication(String(decoding: $0, as: UTF8.self)) }
    }

    /// A value; nil when it cannot be opened.
    func bytes(at key: StorageKey) throws(StorageError) -> Data? {
        do throws(StorageError) {
            return try values.value(for: key)
        } catch .invalidValue {
            return nil
        }
    }

    private func token<Token>(at entry: StoredEntry, _ read: (String) throws -> Token) throws(StorageError) -> Token? {
        let key = entry.key
        guard let bytes = try values.value(for: key) else { return nil }
        guard let token = try? read(String(decoding: bytes, as: UTF8.self)) else { throw .invalidValue(key) }
        return token
    }
}
