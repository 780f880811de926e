import FlyingFox
import Foundation
import TVEModels

/// An error of the single sign-on service (its document, error codes).
///
/// The document names no error for a link code. The sandbox answers a code that nobody has issued like an unknown
/// token, and a code that was used or has ended like a token that has ended.
struct HouseholdRefusal {
    let status: Int
    let code: String
    let message: String
    let action: String

    static let notOffered = Self(status: 403, code: "unauthorized", message: "Unauthorized access", action: "none")
    static let missingIdentity = Self(
        status: 400, code: "header_missing",
        message: "Either x-sso-id or x-sso-link header is required for POST requests", action: "check_headers")
    static let missingDevice = Self(
        status: 400, code: "header_missing", message: "AP-Device-Identifier header is required", action: "check_headers"
    )
    static let missingToken = Self(
        status: 401, code: "header_missing", message: "AD-Service-Token header is required", action: "check_headers")
    /// The renewal is the one request that the document answers with HTTP 400 here.
    static let missingTokenOfRenewal = Self(
        status: 400, code: "header_missing", message: "AD-Service-Token header is required for GET requests",
        action: "check_headers")
    static let invalidToken = Self(
        status: 401, code: "header_invalid", message: "Invalid JWT signature in AD-Service-Token",
        action: "get_new_token")
    static let endedToken = Self(
        status: 401, code: "token_expired", message: "The token has expired", action: "get_new_token")
    static let unknownCode = Self(
        status: 400, code: "token_invalid", message: "The provided token is invalid", action: "get_new_token")
    static let endedCode = endedToken
    static let noDevices = Self(
        status: 400, code: "request_invalid", message: "Devices list cannot be null or empty",
        action: "check_request_body")

    /// The error in the form in which the service sends it.
    var refusal: SandboxRefusal {
        let name =
            switch status {
            case 400: "BAD_REQUEST"
            case 401: "UNAUTHORIZED"
            default: "FORBIDDEN"
            }
        let answer: MetadataValue = [
            "status": .string(name),
            "error": [
                "status": .number(Double(status)), "code": .string(code), "message": .string(message),
                "action": .string(action), "helpUrl": "https://localhost/help/errors",
                "trace": "\(UUID().uuidString.lowercased())",
            ],
        ]
        return SandboxRefusal(.json(answer, status: status))
    }
}
