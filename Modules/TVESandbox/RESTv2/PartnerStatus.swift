import Foundation
import TVEModels

/// The content of `AP-Partner-Framework-Status` (REST API v2, 3.6).
struct PartnerStatus: Sendable {
    /// The platform's id of the viewer's provider.
    let providerID: String?
    /// Why the header is invalid, as an error code; nil when it is valid.
    let problem: @Sendable (Date) -> String?

    init(_ header: String) {
        let content = Data(base64Encoded: header).flatMap { try? OutsideJSON.decode(Content.self, from: $0, .small) }
        let provider = content?.frameworkProviderInfo
        providerID = provider?.id
        // The date is a string in the documents.
        let expires = provider?.expirationDate?.seconds
        problem = { now in
            switch content?.frameworkPermissionInfo?.accessStatus {
            case nil: "invalid_header_pfs_permission_access_not_present"
            case "notDetermined"?: "invalid_header_pfs_permission_access_not_determined"
            case "granted"?:
                if provider?.id == nil {
                    "invalid_header_pfs_provider_id_not_determined"
                } else if let expires, expires <= now.timeIntervalSince1970 {
                    "invalid_header_pfs_provider_info_expired"
                } else {
                    nil
                }
            default: "invalid_header_pfs_permission_access_not_granted"
            }
        }
    }

    private struct Content: Decodable {
        struct Permission: Decodable { let accessStatus: String? }
        struct Provider: Decodable {
            let id: String?
            let expirationDate: Instant?
        }
        /// Milliseconds as a string, as in the documents, or as a number.
        struct Instant: Decodable {
            let seconds: Double?

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                let text = (try? value.decode(String.self)).flatMap(Double.init)
                seconds = (text ?? (try? value.decode(Double.self))).map { $0 / 1000 }
            }
        }
        let frameworkPermissionInfo: Permission?
        let frameworkProviderInfo: Provider?
    }
}
