public import Foundation
public import TVEModels

/// Keeps what a viewer is entitled to: requestor → TV provider → tokens, and the provider last chosen.
///
/// Tokens are kept as the text the service signed and are parsed when they are asked for. Media tokens cannot be kept:
/// no method takes one. All methods are synchronous and may be called from any thread.
public struct EntitlementStore: Sendable {
    let backend: any StorageBackend
    let reader: StoredTokenReader

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - backend: where the bytes go.
    ///   - reader: how stored texts become tokens again.
    public init(backend: any StorageBackend, reader: StoredTokenReader) {
        self.backend = backend
        self.reader = reader
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
        try token(at: Self.login(requestorID, mvpdID).appending("authn"), reader.authentication)
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
        let key = Self.login(requestorID, mvpdID).appending("authz").appending(resource.text)
        return try token(at: key, reader.authorization)
    }

    /// Keeps a login: the token, the viewer's metadata, and the provider as the current one; in one batch.
    ///
    /// AuthZ tokens of an earlier login with the same provider go, since they may have been another viewer's.
    ///
    /// - Parameters:
    ///   - token: the AuthN token.
    ///   - metadata: what the provider told about the viewer, when it told anything.
    /// - Throws: any ``StorageError``; nothing is kept then.
    public func save(_ token: AuthenticationToken, metadata: UserMetadata?) throws(StorageError) {
        let login = Self.login(token.claims.requestorID, token.claims.providerID)
        var batch: [StorageChange] = [
            .removeAll(under: login),
            .put(login.appending("authn"), Data(token.text.rawValue.utf8)),
            .put(login.appending("canAuthenticate"), Self.yes),
            .put(Self.current(token.claims.requestorID), Data(token.claims.providerID.utf8)),
        ]
        if let metadata { batch.append(.put(login.appending("metadata"), Self.encoded(metadata))) }
        try backend.apply(batch)
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
        let login = Self.login(token.claims.requestorID, mvpdID)
        let key = login.appending("authz").appending(token.claims.resource.text)
        var batch: [StorageChange] = [.put(key, Data(token.text.rawValue.utf8))]
        if let metadata { batch.append(.put(login.appending("metadata"), Self.encoded(metadata))) }
        try backend.apply(batch)
    }

    /// What the provider told about the viewer.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the metadata, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored text is no metadata; any other about reading.
    public func userMetadata(requestorID: String, mvpdID: String) throws(StorageError) -> UserMetadata? {
        let key = Self.login(requestorID, mvpdID).appending("metadata")
        guard let bytes = try backend.value(for: key) else { return nil }
        guard let metadata = try? Self.metadata(bytes) else { throw .invalidValue(key) }
        return metadata
    }

    // MARK: - Current provider

    /// The provider a requestor's viewer chose last.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the MVPD id, or nil when none is remembered.
    /// - Throws: any ``StorageError`` about reading.
    public func currentProvider(of requestorID: String) throws(StorageError) -> String? {
        try backend.value(for: Self.current(requestorID)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Remembers the provider a viewer chose, or forgets it; tokens stay.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider, nil to forget.
    ///   - requestorID: the requestor.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func setCurrentProvider(_ mvpdID: String?, of requestorID: String) throws(StorageError) {
        let key = Self.current(requestorID)
        try backend.apply([mvpdID.map { .put(key, Data($0.utf8)) } ?? .remove(key)])
    }

    /// Whether the last login with a provider succeeded, so that the next one may skip the picker.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public func canAuthenticate(requestorID: String, mvpdID: String) throws(StorageError) -> Bool {
        try backend.value(for: Self.login(requestorID, mvpdID).appending("canAuthenticate")) == Self.yes
    }

    /// Notes that a login with a provider failed or was abandoned.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func clearCanAuthenticate(requestorID: String, mvpdID: String) throws(StorageError) {
        try backend.apply([.remove(Self.login(requestorID, mvpdID).appending("canAuthenticate"))])
    }

    // MARK: - Wiping

    /// Removes every token and provider choice of one requestor.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func removeEntitlements(of requestorID: String) throws(StorageError) {
        try backend.apply([.removeAll(under: Self.root.appending(requestorID))])
    }

    /// Removes every token and provider choice of every requestor, as logout does; registrations stay.
    ///
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func removeAllEntitlements() throws(StorageError) {
        try backend.apply([.removeAll(under: Self.root)])
    }

    /// Removes tokens that have run out: AuthN tokens with the AuthZ tokens of their login, and AuthZ tokens by themselves.
    ///
    /// The viewer's choice of provider stays. A value that is no token is left for ``check(_:progress:)``.
    ///
    /// - Parameter now: the device's present time.
    /// - Returns: how many entries were removed.
    /// - Throws: any ``StorageError``; nothing has changed then.
    @discardableResult
    public func removeExpired(at now: Date) throws(StorageError) -> Int {
        var batch: [StorageChange] = []
        for key in try backend.keys(under: Self.root) {
            let path = key.components
            guard path.count >= 5, path[2] == "mvpd", let text = try text(at: key) else { continue }
            if path[4] == "authn", (try? reader.authentication(text))?.isExpired(at: now) == true {
                batch.append(.remove(key))
                batch.append(.removeAll(under: Self.login(path[1], path[3]).appending("authz")))
            } else if path[4] == "authz", (try? reader.authorization(text))?.isExpired(at: now) == true {
                batch.append(.remove(key))
            }
        }
        if !batch.isEmpty { try backend.apply(batch) }
        return batch.count
    }

    /// The text of a value; nil when it does not open.
    private func text(at key: StorageKey) throws(StorageError) -> String? {
        do throws(StorageError) {
            return try backend.value(for: key).map { String(decoding: $0, as: UTF8.self) }
        } catch .invalidValue {
            return nil
        }
    }

    // MARK: - Installation

    /// The credentials of a registered application.
    ///
    /// - Parameter application: which application at which service.
    /// - Returns: the bytes that were kept, or nil.
    /// - Throws: any ``StorageError`` about reading.
    public func registration(of application: String) throws(StorageError) -> Data? {
        try backend.value(for: Self.registrations.appending(application))
    }

    /// Keeps the credentials of a registered application.
    ///
    /// - Parameters:
    ///   - registration: the bytes to keep.
    ///   - application: which application at which service.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func setRegistration(_ registration: Data, of application: String) throws(StorageError) {
        try backend.apply([.put(Self.registrations.appending(application), registration)])
    }

    /// The random text that stands for this device where the system offers no id; made and kept at the first call.
    ///
    /// - Parameter make: makes the text when none is kept yet.
    /// - Returns: the text.
    /// - Throws: any ``StorageError``.
    public func deviceSeed(orMake make: () -> String) throws(StorageError) -> String {
        let key = StorageKey("device", "seed")
        if let kept = try backend.value(for: key) { return String(decoding: kept, as: UTF8.self) }
        let seed = make()
        // Another process may have been faster; whoever was first has decided for all.
        try backend.apply([.putIfAbsent(key, Data(seed.utf8))])
        return try backend.value(for: key).map { String(decoding: $0, as: UTF8.self) } ?? seed
    }

    // MARK: - Layout

    static let root = StorageKey("requestor")
    static let registrations = StorageKey("registration")
    /// What a repair moved aside.
    static let quarantine = StorageKey("quarantine")
    static let yes = Data("1".utf8)

    private static func current(_ requestorID: String) -> StorageKey {
        root.appending(requestorID).appending("current")
    }

    private static func login(_ requestorID: String, _ mvpdID: String) -> StorageKey {
        root.appending(requestorID).appending("mvpd").appending(mvpdID)
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
