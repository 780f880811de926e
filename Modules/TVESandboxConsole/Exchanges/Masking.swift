import Foundation
import TVEModels

/// Hides secrets until the viewer of the page shows them: tokens, keys, passwords, ids of sessions and viewers.
struct Masking: Sendable {
    /// Whether secrets are shown.
    let shows: Bool

    /// The value of a field, or its mask.
    func value(_ value: String, of name: String) -> String {
        guard !shows, !value.isEmpty else { return value }
        let name = name.lowercasedASCII
        // Base64 like a token, and no secret: which device this is.
        if Self.plainNames.contains(name) { return value }
        return Self.names.contains(name) ? Self.hidden(value) : text(value)
    }

    /// A text with its secrets masked: tokens, and fields of URLs and of hidden inputs.
    func text(_ text: String) -> String {
        guard !shows else { return text }
        var text = text
        if text.utf8.contains(UInt8(ascii: "=")) {
            text = text.replacing(Self.field) { "\($0.1)\(Self.hidden(String($0.2)))" }
        }
        if text.utf8.starts(with: "<signatureInfo>".utf8) { return Self.hidden(text) }
        if text.utf8.count > 40, text.utf8.starts(with: "ey".utf8) || text.utf8.starts(with: "PHNpZ25hdHVyZ".utf8) {
            return Self.hidden(text)
        }
        return text
    }

    private static func hidden(_ value: String) -> String { "•••••• (hidden, \(value.utf8.count) bytes)" }

    private static var field: Regex<(Substring, Substring, Substring)> {
        /((?:(?:session_index|name_id|RelayState|SAMLRequest|SAMLResponse|access_token|client_secret|password|authentication_token|authz_token)=|name="(?:RelayState|SAMLRequest|SAMLResponse|requestID)" value="))([^&"\s<]+)/
            .matchingSemantics(.unicodeScalar)
    }

    private static let plainNames: Set<String> = ["x-device-info", "device_info"]

    private static let names: Set<String> = [
        "access_token", "client_secret", "password", "software_statement", "authentication_token", "authz_token",
        "authntoken", "authztoken", "samlresponse", "samlrequest", "relaystate", "requestid", "session_guid",
        "session_index", "sessionindex", "name_id", "serializedtoken", "signatureinfo", "pass_sfp", "authorization",
        "cookie", "set-cookie", "ap_19", "ap_23", "ad-service-token", "adobe-subject-token",
        "x-roku-reserved-roku-connect-token", "x-sandbox-token", "userid", "sessionguid", "guid", "fingerprint",
        "ap-temppass-identity", "softwarestatement", "simplesamlnameid", "simplesamlsessionindex", "usermeta",
    ]
}
