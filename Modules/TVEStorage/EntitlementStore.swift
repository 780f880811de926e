import Foundation
public import TVEModels

/// Keeps what a viewer is entitled to: requestor → TV provider → tokens, and the provider last chosen.
///
/// Tokens are kept as the text the service signed and are parsed when they are asked for. Media tokens cannot be kept:
/// no method takes one. Apps that share a backend but are different devices to the service (another vendor prefix) each
/// have a part of their own and do not see the other's. All methods are synchronous and may be called from any thread.
public struct EntitlementStore: Sendable {
    let backend: any StorageBackend
    let reader: StoredTokenReader
    /// Whose part of the store this is.
    let fingerprint: String

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - backend: where the bytes go.
    ///   - reader: how stored texts become tokens again.
    ///   - fingerprint: the fingerprint that tokens for this device carry, lowercase hexadecimal.
    public init(backend: any StorageBackend, reader: StoredTokenReader, fingerprint: String) {
        self.backend = backend
        self.reader = reader
        self.fingerprint = fingerprint
    }

    // MARK: - Tokens

    /// The AuthN token of a requestor with a provider, whether still valid or not.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the token, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored text is no AuthN token; any other about reading.
    public func authenticationToken(
        requestorID: String, mvpdID: String
    ) throws(StorageError) -> AuthenticationToken? {
        try token(at: login(requestorID, mvpdID).appending("authn"), reader.authentication)
    }

    /// Whether exactly this AuthN token is the stored one; nothing is parsed.
    ///
    /// - Parameter token: a token that was stored some time.
    /// - Throws: any ``StorageError`` about reading.
    public func contains(_ token: AuthenticationToken) throws(StorageError) -> Bool {
        let key = login(token.claims.requestorID, token.claims.providerID).appending("authn")
        return try backend.value(for: key) == Data(token.text.rawValue.utf8)
    }

    /// The AuthZ token for exactly this resource, whether still valid or not.
    ///
    /// - Parameters:
    ///   - resource: the resource, compared as text.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the token, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored text is no AuthZ token; any other about reading.
    public func authorizationToken(
        for resource: Resource, requestorID: String, mvpdID: String
    ) throws(StorageError) -> AuthorizationToken? {
        let key = login(requestorID, mvpdID).appending("authz").appending(resource.text)
        return try token(at: key, reader.authorization)
    }

    /// Keeps a login: the token, the viewer's metadata, and the provider as the current one; in one batch.
    ///
    /// AuthZ tokens of an earlier login with the same provider go, those of other requestors too, since they may have been
    /// another viewer's.
    ///
    /// - Parameters:
    ///   - token: the AuthN token.
    ///   - metadata: what the provider told about the viewer, when it told anything.
    ///   - canAuthenticate: whether the next login may skip the picker; a TempPass is not remembered that way.
    ///   - isFromPlatform: whether the platform's sign-on brought the login.
    /// - Throws: any ``StorageError``; nothing is kept then.
    public func save(
        _ token: AuthenticationToken, metadata: UserMetadata?, canAuthenticate: Bool = true,
        isFromPlatform: Bool = false
    ) throws(StorageError) {
        var marks: [StorageChange] = []
        let login = login(token.claims.requestorID, token.claims.providerID)
        if canAuthenticate { marks.append(.put(login.appending("canAuthenticate"), Self.yes)) }
        if isFromPlatform { marks.append(.put(login.appending("platform"), Self.yes)) }
        try save(token, metadata: metadata, and: marks)
    }

    func save(
        _ token: AuthenticationToken, metadata: UserMetadata?, and more: [StorageChange]
    ) throws(StorageError) {
        let login = login(token.claims.requestorID, token.claims.providerID)
        var batch: [StorageChange] = [
            .removeAll(under: login),
            .put(login.appending("authn"), Data(token.text.rawValue.utf8)),
            .put(current(token.claims.requestorID), Data(token.claims.providerID.utf8)),
        ]
        if let metadata { batch.append(.put(login.appending("metadata"), Self.encoded(metadata))) }
        batch += try leftovers(of: token.claims.providerID)
        // A classic login says nothing to the service that keeps the others.
        if token.text.isCopy { batch += settling(token.claims.requestorID, token.claims.providerID) }
        try backend.apply(batch + more)
    }

    /// What logins with a provider left behind at all requestors: AuthZ tokens, and where a requestor has no login of its own also
    /// what was told about the viewer whose login it shared.
    private func leftovers(of mvpdID: String) throws(StorageError) -> [StorageChange] {
        var batch: [StorageChange] = []
        let keys = try backend.keys(under: Self.root).filter { key in
            let path = key.parts
            return path.count >= 6 && path[2] == fingerprint && StorageKey.decoded(path[4]) == mvpdID
        }
        let owners = Set(keys.filter { $0.parts[5] == "authn" }.map { $0.parts[1] })
        for key in keys {
            switch key.parts[5] {
            case "authz": batch.append(.remove(key))
            case "metadata", Substring(Self.preauthorization):
                if !owners.contains(key.parts[1]) { batch.append(.remove(key)) }
            default: break
            }
        }
        return batch
    }

    /// Keeps an AuthZ token in the place of any earlier one for the same resource.
    ///
    /// - Parameters:
    ///   - token: the AuthZ token.
    ///   - mvpdID: the TV provider of the login it was given to.
    ///   - metadata: newer metadata that came with it.
    /// - Throws: any ``StorageError``; nothing is kept then.
    public func save(
        _ token: AuthorizationToken, mvpdID: String, metadata: UserMetadata?
    ) throws(StorageError) {
        let login = login(token.claims.requestorID, mvpdID)
        let key = login.appending("authz").appending(token.claims.resource.text)
        var batch: [StorageChange] = [.put(key, Data(token.text.rawValue.utf8))]
        if let metadata { batch.append(.put(login.appending("metadata"), Self.encoded(metadata))) }
        try backend.apply(batch)
    }

    /// AuthN tokens of other requestors with these providers: single sign-on between the apps that share the store.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor that asks, whose own tokens are left out.
    ///   - mvpdIDs: the providers it may share logins of.
    /// - Returns: the tokens, whether still valid or not, in the order of their requestors' ids; what cannot be read is left
    ///   out.
    /// - Throws: any ``StorageError`` about reading.
    public func sharedAuthenticationTokens(
        with requestorID: String, mvpdIDs: Set<String>
    ) throws(StorageError) -> [AuthenticationToken] {
        try authenticationTokens { $0 != requestorID && mvpdIDs.contains($1) }
    }

    /// All AuthN tokens of this device, of whichever requestor, whether still valid or not.
    ///
    /// - Returns: the tokens in the order of their requestors' ids; what cannot be read is left out.
    /// - Throws: any ``StorageError`` about reading.
    public func authenticationTokens() throws(StorageError) -> [AuthenticationToken] {
        try authenticationTokens { _, _ in true }
    }

    private func authenticationTokens(
        of isWanted: (_ requestorID: String, _ mvpdID: String) -> Bool
    ) throws(StorageError) -> [AuthenticationToken] {
        var tokens: [AuthenticationToken] = []
        for key in try backend.keys(under: Self.root).sorted() {
            let path = key.components
            guard path.count == 6, path[2] == fingerprint, path[5] == "authn", isWanted(path[1], path[4]),
                let text = try text(at: key), let token = try? reader.authentication(text)
            else { continue }
            tokens.append(token)
        }
        return tokens
    }

    /// What the provider told about the viewer.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the metadata, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored text is no metadata; any other about reading.
    public func userMetadata(requestorID: String, mvpdID: String) throws(StorageError) -> UserMetadata? {
        let key = login(requestorID, mvpdID).appending("metadata")
        guard let bytes = try backend.value(for: key) else { return nil }
        guard let metadata = try? Self.metadata(bytes) else { throw .invalidValue(key) }
        return metadata
    }

    /// Keeps what the provider told, in the place of what it told earlier.
    ///
    /// - Parameters:
    ///   - metadata: what the provider told about the viewer.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func save(_ metadata: UserMetadata, requestorID: String, mvpdID: String) throws(StorageError) {
        try backend.apply([.put(login(requestorID, mvpdID).appending("metadata"), Self.encoded(metadata))])
    }

    /// Forgets a permission that no longer holds.
    ///
    /// - Parameters:
    ///   - resource: the resource, compared as text.
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func removeAuthorization(
        for resource: Resource, requestorID: String, mvpdID: String
    ) throws(StorageError) {
        try backend.apply([.remove(login(requestorID, mvpdID).appending("authz").appending(resource.text))])
    }

    // MARK: - Current provider

    /// The provider a requestor's viewer chose last.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the MVPD id, or nil when none is remembered.
    /// - Throws: any ``StorageError`` about reading.
    public func currentProvider(of requestorID: String) throws(StorageError) -> String? {
        guard let kept = try text(at: current(requestorID)), !kept.isEmpty else { return nil }
        return kept
    }

    /// Whether the viewer took the choice of provider back, so that a login of another requestor must not count.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Throws: any ``StorageError`` about reading.
    public func hasForgottenProvider(of requestorID: String) throws(StorageError) -> Bool {
        try text(at: current(requestorID))?.isEmpty == true
    }

    /// Remembers the provider a viewer chose, or forgets it; tokens stay.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider, nil to forget.
    ///   - requestorID: the requestor.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func setCurrentProvider(_ mvpdID: String?, of requestorID: String) throws(StorageError) {
        try backend.apply([.put(current(requestorID), Data((mvpdID ?? "").utf8))])
    }

    /// Whether the last login with a provider succeeded, so that the next one may skip the picker.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public func canAuthenticate(requestorID: String, mvpdID: String) throws(StorageError) -> Bool {
        try text(at: login(requestorID, mvpdID).appending("canAuthenticate")) == "1"
    }

    /// Whether the platform's sign-on brought a login.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public func isFromPlatform(requestorID: String, mvpdID: String) throws(StorageError) -> Bool {
        try text(at: login(requestorID, mvpdID).appending("platform")) == "1"
    }

    /// Notes that a login with a provider failed or was abandoned.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func clearCanAuthenticate(requestorID: String, mvpdID: String) throws(StorageError) {
        try backend.apply([.remove(login(requestorID, mvpdID).appending("canAuthenticate"))])
    }

    /// The text of a value; nil when it does not open.
    func text(at key: StorageKey) throws(StorageError) -> String? {
        do throws(StorageError) {
            return try backend.value(for: key).map { String(decoding: $0, as: UTF8.self) }
        } catch .invalidValue {
            return nil
        }
    }

    // MARK: - Layout

    static let root = StorageKey("requestor")
    /// What a repair moved aside.
    static let quarantine = StorageKey("quarantine")
    static let yes = Data("1".utf8)

    func part(_ requestorID: String) -> StorageKey {
        Self.root.appending(requestorID).appending(fingerprint)
    }

    private func current(_ requestorID: String) -> StorageKey { part(requestorID).appending("current") }

    func login(_ requestorID: String, _ mvpdID: String) -> StorageKey {
        part(requestorID).appending("mvpd").appending(mvpdID)
    }

    static func metadata(_ bytes: Data) throws -> UserMetadata {
        try JSONDecoder().decode(UserMetadata.self, from: bytes)
    }

    private static func encoded(_ metadata: UserMetadata) -> Data {
        // Its values came out of JSON, so they go back into it; nothing that JSON cannot hold can be in there.
        (try? JSONEncoder().encode(metadata)) ?? Data("{}".utf8)
    }

    private func token<Token>(
        at key: StorageKey, _ read: (String) throws -> Token
    ) throws(StorageError) -> Token? {
        guard let bytes = try backend.value(for: key) else { return nil }
        guard let token = try? read(String(decoding: bytes, as: UTF8.self)) else { throw .invalidValue(key) }
        return token
    }
}
