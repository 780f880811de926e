import FlyingFox
import Foundation
import TVEModels

/// A row of the table of enhanced errors (REST API v2, error model).
package struct EnhancedErrorRow: Sendable {
    let code: String
    let status: Int
    let action: String
    let message: String

    /// Returns the row of a code; `nil` for a code that is not in the table.
    static func of(_ code: String) -> EnhancedErrorRow? { all[code] }

    /// All documented codes, sorted.
    package static let codes = all.keys.sorted()

    private static let all: [String: EnhancedErrorRow] = Dictionary(
        uniqueKeysWithValues: groups.flatMap { status, action, rows in
            rows.map { ($0, EnhancedErrorRow(code: $0, status: status, action: action, message: $1)) }
        })

    private static let groups: [(status: Int, action: String, rows: [(String, String)])] = [
        (
            400, "none",
            [
                ("invalid_parameter_service_provider", "The service provider is missing or unknown."),
                ("invalid_parameter_mvpd", "The MVPD is missing or unknown."),
                ("invalid_parameter_code", "The authentication code is missing or malformed."),
                ("invalid_parameter_resources", "The resources are missing, empty or malformed."),
                ("invalid_parameter_redirect_url", "The redirect URL is missing or is not a URL."),
                ("invalid_parameter_partner", "The partner is missing or unknown."),
                ("invalid_parameter_saml_response", "The SAML response is missing or not valid."),
                ("invalid_header_device_info", "X-Device-Info is missing or not valid."),
                ("invalid_header_device_identifier", "AP-Device-Identifier is missing or not valid."),
                ("invalid_header_identity_for_temporary_access", "AP-TempPass-Identity is missing or not valid."),
                ("invalid_header_pfs_permission_access_not_present", "The partner status has no accessStatus."),
                ("invalid_header_pfs_permission_access_not_determined", "The viewer was not asked for permission."),
                ("invalid_header_pfs_permission_access_not_granted", "The viewer gave no permission."),
                ("invalid_header_pfs_provider_id_not_determined", "The partner's provider belongs to no MVPD."),
                ("invalid_header_pfs_provider_id_mismatch", "The partner's provider belongs to another MVPD."),
                ("invalid_header_pfs_provider_info_expired", "The partner's login has expired."),
                ("invalid_integration", "The service provider does not work with this MVPD."),
                ("invalid_authentication_session", "The code has no session, or its session has ended."),
            ]
        ),
        (
            403, "none",
            [
                ("preauthorization_denied_by_mvpd", "The MVPD denies the resource."),
                ("authorization_denied_by_mvpd", "The MVPD denies the resource."),
                ("authorization_denied_by_parental_controls", "Parental controls deny the resource."),
                ("authorization_denied_by_degradation_rule", "The TV provider is not available."),
            ]
        ),
        (500, "none", [("internal_server_error", "The service failed.")]),
        (403, "configuration", [("too_many_resources", "The request has too many resources.")]),
        (
            500, "configuration",
            [
                "user_metadata_certificate", "temporary_access", "platform", "platform_id", "platform_trait",
                "platform_category_trait", "platform_services", "mvpd_platform", "mvpd_platform_boarding_status",
                "mvpd_platform_profile_exchange",
            ].map { ("invalid_configuration_\($0)", "The configuration is not valid: \($0).") }
        ),
        (
            401, "application-registration",
            [
                ("invalid_access_token_service_provider", "The access token is not for this service provider."),
                ("invalid_access_token_client_application", "The access token's application is not valid."),
            ]
        ),
        (
            403, "authentication",
            [
                ("authenticated_profile_missing", "There is no profile."),
                ("authenticated_profile_expired", "The profile has expired."),
                ("authenticated_profile_invalidated", "The profile is no longer valid."),
                ("temporary_access_duration_limit_exceeded", "The time of the temporary pass is used up."),
                ("temporary_access_resources_limit_exceeded", "The resources of the temporary pass are used up."),
                ("authorization_denied_by_hba_policies", "The device is no longer in its home network."),
                ("authorization_denied_by_session_invalidated", "The MVPD has ended its session."),
                ("identity_not_recognized_by_mvpd", "The MVPD does not know the viewer."),
            ]
        ),
        (
            403, "retry",
            [
                ("network_received_error", "The answer of the MVPD could not be read."),
                ("network_connection_timeout", "The MVPD could not be reached."),
                ("maximum_execution_time_exceeded", "The request took too long."),
            ]
        ),
    ]

    /// Returns the error in the form in which the service sends it.
    func error(details: String? = nil) -> MetadataValue {
        .members([
            "action": .string(action), "status": .number(Double(status)), "code": .string(code),
            "message": .string(message), "details": details.map { .string($0) },
            "helpUrl": "https://localhost/help/errors", "trace": "\(UUID().uuidString.lowercased())",
        ])
    }
}

extension SandboxRefusal {
    /// Returns a refusal with an enhanced error.
    static func enhanced(_ code: String, details: String? = nil) -> SandboxRefusal {
        guard let row = EnhancedErrorRow.of(code) else { return SandboxRefusal(.status(500)) }
        return SandboxRefusal(.json(row.error(details: details), status: row.status))
    }
}
