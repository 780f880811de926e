import TVEDeviceBinding
public import TVEModels
import TVEStorage
import TVETokenCodec

extension EntitlementSession {
    /// Says what the store holds about the viewer or this device.
    ///
    /// The provider's metadata comes with a login, and an authorization may renew it; a service that keeps the logins
    /// is asked again after one (API reference, rows MD1 to MD11).
    ///
    /// - Parameter key: what to ask.
    /// - Returns: the answer; nil when the viewer is not logged in, or nothing is known.
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
            // That of a shared login is stored for the requestor that it belongs to.
            let known = try metadata(login, for: requestorID)
            let told = if let known { known } else { try metadata(login, for: login.claims.requestorID) }
            return told?.data[name].map { Metadata(value: $0, isEncrypted: told?.encrypted.contains(name) == true) }
        }
    }

    /// A date as tokens print it; the documents specify no other form.
    private static func text(_ date: TokenDate) -> String { TokenDateFormat.entitlement.print(date) }

    private func metadata(
        _ login: AuthenticationToken, for requestorID: RequestorID
    ) throws(TVEError) -> UserMetadata? {
        try readIfReadable { try $0.userMetadata(requestorID: requestorID, mvpdID: login.claims.providerID) }
    }
}
