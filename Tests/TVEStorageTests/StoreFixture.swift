import Foundation
import TVEModels
import TVEStorage
import Testing

/// Tokens whose text is `requestor,mvpd` or `requestor,mvpd,resource`, followed by a `@` and the expiry in seconds.
///
/// The store does not depend on XML.
enum TextTokens {
    static let reader = reader(ofLogins: "f")

    /// Returns a reader of logins of a device.
    static func reader(ofLogins fingerprint: String) -> StoredTokenReader {
        StoredTokenReader(
            authentication: { text in
                let (parts, expires) = split(text)
                guard parts.count == 2 else { throw CocoaError(.coderInvalidValue) }
                let requestor = RequestorID(parts[0])
                let mvpd = MVPDID(parts[1])
                return authentication(requestor, mvpd, text: text, expires: expires, fingerprint: fingerprint)
            },
            authorization: { text in
                let (parts, expires) = split(text)
                guard parts.count >= 3 else { throw CocoaError(.coderInvalidValue) }
                let resource = Resource(parts[2])
                return authorization(
                    RequestorID(parts[0]), MVPDID(parts[1]), for: resource, text: text, expires: expires)
            },
            isRegistration: { $0 == Data("registered".utf8) })
    }

    static func authentication(
        _ requestor: RequestorID, _ mvpd: MVPDID, text: String? = nil, expires: Int64 = 0, fingerprint: String = "f"
    ) -> AuthenticationToken {
        AuthenticationToken(
            text: TokenText(text ?? "\(requestor),\(mvpd)\(expires == 0 ? "" : "@\(expires)")"),
            claims: .init(
                authenticationGUID: "g", requestorID: requestor, expires: TokenDate(secondsSince1970: expires),
                mvpdID: mvpd, fingerprint: fingerprint))
    }

    static func authorization(
        _ requestor: RequestorID, _ mvpd: MVPDID, for resource: Resource, text: String? = nil, expires: Int64 = 0
    ) -> AuthorizationToken {
        AuthorizationToken(
            text: TokenText(text ?? "\(requestor),\(mvpd),\(resource.text)\(expires == 0 ? "" : "@\(expires)")"),
            claims: .init(
                requestorID: requestor, resource: resource, expires: TokenDate(secondsSince1970: expires), mvpdID: mvpd,
                fingerprint: "f"))
    }

    private static func split(_ text: String) -> (parts: [String], expires: Int64) {
        let halves = text.split(separator: "@")
        return (
            (halves.first ?? "").split(separator: ",").map(String.init),
            halves.dropFirst().first.flatMap { Int64($0) } ?? 0
        )
    }
}

extension LoginEnd {
    /// A Boolean value that indicates whether logins of every requestor end.
    var isOfEverybody: Bool { [.logout, .sanitized, .cleared].contains(self) }
}

/// Ends the login of a requestor with a provider, by the public call for this end.
func carryOut(
    _ end: LoginEnd, in backend: any StorageBackend, requestorID: RequestorID = "P1", mvpdID: MVPDID = "A"
) throws {
    let store = EntitlementStore(backend)
    switch end {
    case .unknownToService:
        try store.change { entitlements throws(StorageError) in
            try entitlements.removeCopy(requestorID: requestorID, mvpdID: mvpdID)
        }
    case .removed:
        try store.change { entitlements throws(StorageError) in
            try entitlements.removeLogin(requestorID: requestorID, mvpdID: mvpdID)
        }
    case .removedOfRequestor: try store.removeEntitlements(of: requestorID)
    case .logout: try store.removeAllEntitlements()
    case .sanitized:
        // There must be an entitlement of another device.
        let other = EntitlementStore(backend: backend, reader: TextTokens.reader, fingerprint: "other")
        try other.save(TextTokens.authentication("P9", "Z"), metadata: nil)
        #expect(try store.sanitize(.removeEverything) > 0)
    case .cleared: #expect(store.check(.clear).outcome == .cleared)
    }
}

/// Calls that make single changes in a store with texts as tokens.
extension EntitlementStore {
    /// Creates a store of ``TextTokens`` on their device.
    init(_ backend: any StorageBackend) {
        self.init(backend: backend, reader: TextTokens.reader, fingerprint: "f")
    }

    func save(_ token: AuthenticationToken, metadata: UserMetadata?, canAuthenticate: Bool = true) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.save(token, metadata: metadata, canAuthenticate: canAuthenticate)
        }
    }

    func save(_ token: AuthorizationToken, mvpdID: MVPDID, metadata: UserMetadata?) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.save(token, mvpdID: mvpdID, metadata: metadata)
        }
    }

    func setCurrentProvider(_ mvpdID: MVPDID?, of requestorID: RequestorID) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.setCurrentProvider(mvpdID, of: requestorID)
        }
    }

    func removeAllEntitlements() throws {
        try change { entitlements throws(StorageError) in try entitlements.removeAllEntitlements() }
    }

    func removeEntitlements(of requestorID: RequestorID) throws {
        try change { entitlements throws(StorageError) in try entitlements.removeEntitlements(of: requestorID) }
    }

    func clearCanAuthenticate(requestorID: RequestorID, mvpdID: MVPDID) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
        }
    }

    func save(_ decisions: [PreauthorizationDecision], requestorID: RequestorID, mvpdID: MVPDID) throws {
        try change { entitlements throws(StorageError) in
            try entitlements.save(decisions, requestorID: requestorID, mvpdID: mvpdID)
        }
    }
}
