import TVEDeviceBinding
import TVEModels
import TVEStorage
import TVETokenCodec

/// The flow that returns metadata about the viewer and this device.
final class ViewerMetadata: Flow {
    /// See ``EntitlementSession/metadata(_:)``.
    func answer(
        to key: MetadataKey, refreshedBy refresh: Refresh?, on actor: isolated any Actor
    ) async throws(TVEError) -> Metadata? {
        if key == .deviceID { return Metadata(value: .string(parts.device.deviceID)) }
        let earlier = try await logins.valid(on: actor)
        if case .user = key, earlier != nil { await refresh?.metadata(on: actor) }
        guard let login = try logins.valid() else { return nil }
        switch key {
        case .deviceID: return nil
        case .authenticationExpiry: return Metadata(value: .string(Self.text(login.claims.expires)))
        case .authorizationExpiry(let resource):
            return try logins.keptPermission(for: resource, login).map {
                Metadata(value: .string(Self.text($0.token.claims.expires)))
            }
        case .user(let name):
            // The metadata of a shared login is stored for the requestor that the login belongs to.
            let known = try metadata(login, for: parts.requestorID)
            let all = if let known { known } else { try metadata(login, for: login.claims.requestorID) }
            return all?.data[name].map { Metadata(value: $0, isEncrypted: all?.encrypted.contains(name) == true) }
        }
    }

    /// Returns a date in the format of tokens.
    ///
    /// The documents specify no other format.
    private static func text(_ date: TokenDate) -> String { TokenDateFormat.entitlement.print(date) }

    private func metadata(
        _ login: AuthenticationToken, for requestorID: RequestorID
    ) throws(TVEError) -> UserMetadata? {
        try logins.readIfReadable { try $0.userMetadata(requestorID: requestorID, mvpdID: login.claims.providerID) }
    }
}
