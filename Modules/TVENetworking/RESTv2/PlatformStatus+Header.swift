import Foundation
import TVEModels

extension PlatformStatus {
    /// The Base64 text of the JSON object that the header carries (REST API v2, 3.6).
    ///
    /// Only a status that names a provider is sent, and the app may know that provider.
    var headerValue: String {
        struct Header: Encodable {
            struct Permission: Encodable { let accessStatus: String }
            struct Provider: Encodable {
                let id: String?
                let expirationDate: String?
            }
            let frameworkPermissionInfo: Permission
            let frameworkProviderInfo: Provider
        }
        // The platform may return any date, so the date is limited to the years 1970 to 9999.
        let seconds = expires.map { min(max(0, $0.timeIntervalSince1970), 253_402_300_799) }
        let milliseconds = seconds.map { String(Int64(bounded: $0 * 1000)) }
        let header = Header(
            frameworkPermissionInfo: .init(accessStatus: permission.rawValue),
            frameworkProviderInfo: .init(id: providerID, expirationDate: milliseconds))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The object contains only strings, so encoding it cannot fail.
        return (try? encoder.encode(header))?.base64EncodedString() ?? ""
    }
}
