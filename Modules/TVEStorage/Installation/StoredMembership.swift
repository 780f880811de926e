package import Foundation
package import TVEModels

/// A device's membership in a household as the device stores it.
///
/// All its values are secrets.
package struct StoredMembership: Encodable, Sendable, Equatable, Redacting {
    /// The state of the membership.
    package enum State: String, Encodable, Sendable {
        case member
        /// The token expired too long ago to be renewed.
        case ended
        /// The service has answered that the device was unlinked.
        case unlinked
        /// The device has left its household.
        ///
        /// The record has no token; it says that a login that came from the household is over.
        case left
    }

    package var state = State.member
    /// The service token.
    @BytewiseEqual package var token: String
    /// The time at which the token expires, in seconds since 1970, by the device's clock.
    package var expires: Double
    /// The id of the viewer's account with which the device joined, or nil if it joined with a code.
    @BytewiseEqual package var account: String?
    /// A Boolean value that indicates whether this device made the household itself, with a random id as its account;
    /// nil in memberships of earlier versions, which did not record it.
    package var isMadeHere: Bool?
    /// The time at which the device received the token, in seconds since 1970, by the device's clock.
    ///
    /// It is nil in memberships of earlier versions, which did not record it.
    package var received: Double?

    package init(token: String, expires: Date, account: String?) {
        self.token = token
        self.expires = expires.timeIntervalSince1970
        self.account = account
    }

    /// The record of a device that has left its household.
    package static var left: StoredMembership {
        var left = StoredMembership(token: "", expires: Date(timeIntervalSince1970: 0), account: nil)
        left.state = .left
        return left
    }

    /// The state without the token.
    package var redactedDescription: String { "StoredMembership(\(state.rawValue))" }
}

extension StoredMembership: JSONReadable {
    private enum Field: String, CaseIterable { case state, token, expires, account, isMadeHere, received }

    private static let names = JSONNames<Field>()

    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var state: State?
        var token: String?
        var expires: Double?
        var account: String?
        var isMadeHere: Bool?
        var received: Double?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .state: state = try json.string().flatMap(State.init)
            case .token: token = try json.string()
            case .expires: expires = try json.decimal()
            case .account: account = try json.string()
            case .isMadeHere: isMadeHere = try json.flag()
            case .received: received = try json.decimal()
            }
        }
        guard let state, let token, let expires else { return nil }
        self.init(token: token, expires: Date(timeIntervalSince1970: expires), account: account)
        self.state = state
        self.isMadeHere = isMadeHere
        self.received = received
    }
}

extension InstallationStore {
    /// Returns the membership of a device in a household of a requestor.
    ///
    /// - Returns: the membership, or nil if there is none or it is unreadable.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    package func membership(
        requestorID: RequestorID, fingerprint: String
    ) throws(StorageError) -> StoredMembership? {
        try backend.readableValue(for: Self.key(requestorID, fingerprint)).flatMap { StoredEntry.decoded($0) }
    }

    /// Stores a membership.
    ///
    /// - Parameters:
    ///   - membership: the membership.
    ///   - isRenewal: a Boolean value that indicates whether the membership has a new token of the same household.
    ///   - mayReplace: decides whether to replace the stored membership, which is nil if there is none or it is
    ///     unreadable. Another process may have joined another household. The function may run again, and must not use
    ///     the store.
    /// - Returns: a Boolean value that indicates whether the change was made.
    /// - Throws: any ``StorageError``. Then nothing has changed.
    @discardableResult
    package func setMembership(
        _ membership: StoredMembership, requestorID: RequestorID, fingerprint: String, isRenewal: Bool = false,
        if mayReplace: @escaping @Sendable (StoredMembership?) -> Bool = { _ in true }
    ) throws(StorageError) -> Bool {
        let key = Self.key(requestorID, fingerprint)
        let bytes = StoredEntry.encoded(membership, else: "")
        return try backend.updating { present throws(StorageError) in
            let kept: StoredMembership? = try present.readableValue(for: key).flatMap { StoredEntry.decoded($0) }
            guard mayReplace(kept) else { return ([], false) }
            // The service token of a household that the device is no longer in may be valid for long, so it is erased.
            let isSameHousehold = isRenewal && membership.state == .member
            let replaced: [StorageKey] = try isSameHousehold ? [] : present.keys(under: key)
            let erasure: [StorageChange] = replaced.isEmpty ? [] : [.removeAll(under: key)]
            return (erasure + [.put(key, bytes)], true)
        }
    }

    private static func key(_ requestorID: RequestorID, _ fingerprint: String) -> StorageKey {
        StoredEntry.household(StoredEntry.Owner(requestorID: requestorID, fingerprint: fingerprint)).key
    }
}
