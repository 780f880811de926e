import FlyingFox
import Foundation
import TVEModels

/// An error of the single sign-on service (its document, error codes).
///
/// The document names no error for a link code. A code that nobody has issued is answered like an unknown token, one that
/// was used or has ended like an ended token.
struct HouseholdRefusal {
    let status: Int
    let code: String
    let message: String
    let action: String

    static let notOffered = Self(403, "unauthorized", "Unauthorized access", "none")
    static let missingIdentity = Self(
        400, "header_missing", "Either x-sso-id or x-sso-link header is required for POST requests", "check_headers")
    static let missingDevice = Self(
        400, "header_missing", "AP-Device-Identifier header is required", "check_headers")
    static let missingToken = Self(401, "header_missing", "AD-Service-Token header is required", "check_headers")
    static let invalidToken = Self(401, "header_invalid", "Invalid JWT signature in AD-Service-Token", "get_new_token")
    static let endedToken = Self(401, "token_expired", "The token has expired", "get_new_token")
    static let unknownCode = Self(400, "token_invalid", "The provided token is invalid", "get_new_token")
    static let endedCode = endedToken
    static let noDevices = Self(
        400, "request_invalid", "Devices list cannot be null or empty", "check_request_body")

    private init(_ status: Int, _ code: String, _ message: String, _ action: String) {
        self.status = status
        self.code = code
        self.message = message
        self.action = action
    }

    /// The error as it is sent.
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
