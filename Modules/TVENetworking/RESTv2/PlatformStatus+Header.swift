import Foundation

extension PlatformStatus {
    /// Base64 of the JSON object that the header carries (REST API v2, 3.6).
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
        let isGranted = permission == .granted
        // Whatever the platform takes for a date: up to the year 9999 it is one.
        let seconds = expires.map { min(max(0, $0.timeIntervalSince1970), 253_402_300_799) }
        let milliseconds = seconds.map { String(Int64($0 * 1000)) }
        let header = Header(
            frameworkPermissionInfo: .init(accessStatus: permission.rawValue),
            frameworkProviderInfo: .init(
                id: isGranted ? providerID : nil, expirationDate: isGranted ? milliseconds : nil))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Three texts: nothing that JSON cannot hold.
        return (try? encoder.encode(header))?.base64EncodedString() ?? ""
    }
}
