import Foundation
public import TVEModels

/// Reads stored entitlements: from the store, or inside a change of it.
///
/// All methods are synchronous and may be called from any thread.
public protocol EntitlementReading {
    /// Where the bytes are.
    var values: any StorageReading { get }
    /// How stored texts are parsed into tokens.
    var reader: StoredTokenReader { get }
    /// The fingerprint that tokens for this device carry: it selects this device's part of the store.
    var fingerprint: String { get }
}

extension EntitlementReading {
    var layout: EntitlementLayout { EntitlementLayout(fingerprint: fingerprint) }

    /// Whether a part of a key is this device's fingerprint.
    func isOwn(_ part: Substring) -> Bool { part.utf8.elementsEqual(fingerprint.utf8) }

    /// The AuthN token of a requestor with a provider, whether still valid or not.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the token, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored text is not an AuthN token; any other about reading.
    public func authenticationToken(
        requestorID: String, mvpdID: String
    ) throws(StorageError) -> AuthenticationToken? {
        try token(at: layout.login(requestorID, mvpdID).appending("authn"), reader.authentication)
    }

    /// Whether exactly this AuthN token is stored; nothing is parsed.
    ///
    /// - Parameter token: a token that was stored earlier.
    /// - Throws: any ``StorageError`` about reading.
    public func contains(_ token: AuthenticationToken) throws(StorageError) -> Bool {
        let key = layout.login(token.claims.requestorID, token.claims.providerID).appending("authn")
        return try values.value(for: key) == Data(token.text.rawValue.utf8)
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
        for resource: Resource, requestorID: String, mvpdID: String
    ) throws(StorageError) -> AuthorizationToken? {
        let key = layout.login(requestorID, mvpdID).appending("authz").appending(resource.text)
        return try token(at: key, reader.authorization)
    }

    /// AuthN tokens of other requestors with these providers: single sign-on between the apps that share the store.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor that asks; its own tokens are left out.
    ///   - mvpdIDs: the providers whose logins it may share.
    /// - Returns: the tokens, whether still valid or not, in the order of their requestors' ids; unreadable ones are
    ///   left out.
    /// - Throws: any ``StorageError`` about reading.
    public func sharedAuthenticationTokens(
        with requestorID: String, mvpdIDs: some Sequence<String>
    ) throws(StorageError) -> [AuthenticationToken] {
        let mvpdIDs = Set(mvpdIDs.map(ExactText.init))
        return try authenticationTokens { !$0.isSameBytes(as: requestorID) && mvpdIDs.contains(ExactText($1)) }
    }

    /// All AuthN tokens of this device, of any requestor, whether still valid or not.
    ///
    /// - Returns: the tokens in the order of their requestors' ids; unreadable ones are left out.
    /// - Throws: any ``StorageError`` about reading.
    public func authenticationTokens() throws(StorageError) -> [AuthenticationToken] {
        try authenticationTokens { _, _ in true }
    }

    /// The keys of this device's AuthN tokens, in the order of their requestors' ids.
    private func logins(
        of isWanted: (_ requestorID: String, _ mvpdID: String) -> Bool
    ) throws(StorageError) -> [StorageKey] {
        try values.keys(under: EntitlementLayout.root).filter { key in
            let path = key.parts
            return path.count == 6 && isOwn(path[2]) && path[5] == "authn"
                && isWanted(StorageKey.decoded(path[1]), StorageKey.decoded(path[4]))
        }.sorted()
    }

    private func authenticationTokens(
        of isWanted: (_ requestorID: String, _ mvpdID: String) -> Bool
    ) throws(StorageError) -> [AuthenticationToken] {
        var tokens: [AuthenticationToken] = []
        for key in try logins(of: isWanted) {
            guard let text = try text(at: key), let token = try? reader.authentication(text) else { continue }
            tokens.append(token)
        }
        return tokens
    }

    /// The provider's data about the viewer.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Returns: the metadata, or nil when there is none.
    /// - Throws: `StorageError.invalidValue` when the stored value is not metadata; any other about reading.
    public func userMetadata(requestorID: String, mvpdID: String) throws(StorageError) -> UserMetadata? {
        let key = layout.login(requestorID, mvpdID).appending("metadata")
        guard let bytes = try values.value(for: key) else { return nil }
        guard let metadata = try? EntitlementLayout.metadata(bytes) else { throw .invalidValue(key) }
        return metadata
    }

    /// The provider that a requestor's viewer chose last.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: the MVPD id, or nil when none is remembered.
    /// - Throws: any ``StorageError`` about reading.
    public func currentProvider(of requestorID: String) throws(StorageError) -> String? {
        try providerChoice(of: requestorID).mvpdID
    }

    /// Whether the viewer cancelled the choice of provider, so that a login of another requestor must not count.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Throws: any ``StorageError`` about reading.
    public func isProviderDeselected(for requestorID: String) throws(StorageError) -> Bool {
        try providerChoice(of: requestorID).isCancelled
    }

    /// What a requestor's viewer chose last.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Throws: any ``StorageError`` about reading.
    package func providerChoice(of requestorID: String) throws(StorageError) -> ProviderChoice {
        guard let kept = try text(at: layout.current(requestorID)) else { return .open }
        return kept.isEmpty ? .cancelled : .provider(mvpdID: kept)
    }

    /// Whether the last login with a provider succeeded, so that the next one may skip the picker.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public func canAuthenticate(requestorID: String, mvpdID: String) throws(StorageError) -> Bool {
        try text(at: layout.login(requestorID, mvpdID).appending("canAuthenticate")) == "1"
    }

    /// Whether a login came from the platform's sign-on.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError`` about reading.
    public func isFromPlatform(requestorID: String, mvpdID: String) throws(StorageError) -> Bool {
        try text(at: layout.login(requestorID, mvpdID).appending("platform")) == "1"
    }

    // MARK: - Values

    /// The text of a value; nil when it cannot be opened.
    func text(at key: StorageKey) throws(StorageError) -> String? {
        try bytes(at: key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A value; nil when it cannot be opened.
    func bytes(at key: StorageKey) throws(StorageError) -> Data? {
        do throws(StorageError) {
            return try values.value(for: key)
        } catch .invalidValue {
            return nil
        }
    }

    private func token<Token>(
        at key: StorageKey, _ read: (String) throws -> Token
    ) throws(StorageError) -> Token? {
        guard let bytes = try values.value(for: key) else { return nil }
        guard let token = try? read(String(decoding: bytes, as: UTF8.self)) else { throw .invalidValue(key) }
        return token
    }
}
