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
        return Self.names.contains(name) || Self.isLinkCode(value, name) ? Self.hidden(value) : text(value)
    }

    /// Whether a value is the code with which a device joins a household: the codes of errors are words.
    private static func isLinkCode(_ value: String, _ name: String) -> Bool {
        name == "code" && value.utf8.count == 6
            && value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A text with its secrets masked: tokens, and fields of URLs and of hidden inputs.
    func text(_ text: String) -> String {
        guard !shows else { return text }
        let text = Self.maskingFields(of: text)
        if text.utf8.starts(with: "<signatureInfo>".utf8) { return Self.hidden(text) }
        if text.utf8.count > 40, text.utf8.starts(with: "ey".utf8) || text.utf8.starts(with: "PHNpZ25hdHVyZ".utf8) {
            return Self.hidden(text)
        }
        return text
    }

    private static func hidden(_ value: String) -> String { "•••••• (hidden, \(value.utf8.count) bytes)" }

    /// A text with the values of `name=value` and of `name="name" value="value"` masked.
    ///
    /// By hand: a regular expression is compiled again for each text, which took most of the time of an export.
    private static func maskingFields(of text: String) -> String {
        var masked = ""
        // All before it is in the masked text already.
        var done = text.startIndex
        for sign in signs(in: text) {
            let end = text.utf8.index(text.startIndex, offsetBy: sign + 1)
            guard end > done, let start = valueStart(in: text, done: done, after: end) else { continue }
            let value = text.unicodeScalars[start...].prefix { !isEnd($0) }
            guard !value.isEmpty else { continue }
            masked += text[done..<start] + hidden(String(value))
            done = value.endIndex
        }
        return done == text.startIndex ? text : masked + text[done...]
    }

    /// The places of the signs "=" that may follow a name in the list.
    private static func signs(in text: String) -> [Int] {
        text.withUTF8Span { bytes in
            var signs: [Int] = []
            var place = 0
            while let sign = bytes.firstIndex(of: UInt8(ascii: "="), from: place) {
                if sign > 0, lastLetters.contains(bytes[sign - 1]) { signs.append(sign) }
                place = sign + 1
            }
            return signs
        }
    }

    /// The place where a value begins that has to be masked; nil when the text before does not name one.
    private static func valueStart(in text: String, done: String.Index, after sign: String.Index) -> String.Index? {
        let before = text[done..<sign]
        if fields.contains(where: { before.hasByteSuffix($0) }) { return sign }
        guard sign < text.endIndex, text.utf8[sign] == UInt8(ascii: "\""),
            inputs.contains(where: { before.hasByteSuffix($0) })
        else { return nil }
        return text.utf8.index(after: sign)
    }

    private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
        ["&", "\"", "<"].contains(scalar) || scalar.properties.isWhitespace
    }

    private static let fields = [
        "session_index", "name_id", "RelayState", "SAMLRequest", "SAMLResponse", "access_token", "client_secret",
        "password", "authentication_token", "authz_token",
    ].map { $0 + "=" }
    private static let inputs = ["RelayState", "SAMLRequest", "SAMLResponse", "requestID"]
        .map { "name=\"\($0)\" value=" }
    /// The last letters of the names, and of `value`.
    private static let lastLetters = Set((fields + inputs).compactMap { $0.utf8.dropLast().last })

    private static let plainNames: Set<String> = ["x-device-info", "device_info"]

    private static let names: Set<String> = [
        "access_token", "client_secret", "password", "software_statement", "authentication_token", "authz_token",
        "authntoken", "authztoken", "samlresponse", "samlrequest", "relaystate", "requestid", "session_guid",
        "session_index", "sessionindex", "name_id", "serializedtoken", "signatureinfo", "pass_sfp", "authorization",
        "cookie", "set-cookie", "ap_19", "ap_23", "ad-service-token", "adobe-subject-token",
        "x-roku-reserved-roku-connect-token", "x-sandbox-token", "userid", "sessionguid", "guid", "fingerprint",
        "ap-temppass-identity", "softwarestatement", "x-sso-id", "x-sso-link", "servicetoken", "jws", "link",
        "simplesamlnameid", "simplesamlsessionindex", "usermeta",
    ]
}
