import TVEDeviceBinding
public import TVEModels
import TVEStorage
import TVETokenCodec

extension EntitlementSession {
    /// Says what is known about the viewer or this device, from storage.
    ///
    /// What the provider tells comes with a login and may be renewed by an authorization; a service that keeps the logins is asked again
    /// after one (API reference, rows MD1 to MD11).
    ///
    /// - Parameter key: what to ask.
    /// - Returns: the answer; nil when nobody is logged in, or nothing is known.
    /// - Throws: `TVEError`: `requestorNotConfigured`, `storageFailed`.
    public func metadata(_ key: MetadataKey) async throws(TVEError) -> Metadata? {
        if key == .deviceID { return Metadata(value: .string(device.deviceID)) }
        if case .user = key, try validLogin() != nil { await refreshMetadata() }
        guard let login = try validLogin() else { return nil }
        switch key {
        case .deviceID: return nil
        case .authenticationExpiry: return Metadata(value: .string(Self.text(login.claims.expires)))
        case .authorizationExpiry(let resource):
            return try keptAuthorization(for: resource, login).map {
                Metadata(value: .string(Self.text($0.claims.expires)))
            }
        case .user(let name):
            let known = try readable { () throws(StorageError) in
                try store.userMetadata(requestorID: requestorID, mvpdID: login.claims.providerID)
            }
            let told = if let known { known } else { try sharedMetadata(login) }
            return told?.data[name].map { Metadata(value: $0, isEncrypted: told?.encrypted.contains(name) == true) }
        }
    }

    /// A date as tokens print it; the documents name no other form.
    private static func text(_ date: TokenDate) -> String { TokenDateFormat.entitlement.print(date) }

    /// What the provider told when the viewer logged in for the requestor whose login this one shares.
    private func sharedMetadata(_ login: AuthenticationToken) throws(TVEError) -> UserMetadata? {
        try readable { () throws(StorageError) in
            try store.userMetadata(requestorID: login.claims.requestorID, mvpdID: login.claims.providerID)
        }
    }
}
