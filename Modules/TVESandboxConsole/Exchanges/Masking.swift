import Foundation
import TVEModels

/// A rule that hides tokens, keys, passwords, and the ids of sessions and viewers until the user of a page shows them.
struct Masking: Sendable {
    /// A Boolean value that indicates whether secrets are shown.
    let shows: Bool

    /// Returns the value of a field, masked if it is secret.
    func value(_ value: String, of name: String) -> String {
        guard !shows, !value.isEmpty else { return value }
        let name = name.lowercasedASCII
        // The description of the device is Base64 as a token is, but it is not secret.
        if Self.plainNames.contains(name) { return value }
        return Self.names.contains(name) || Self.isLinkCode(value, name) ? Self.hidden(value) : text(value)
    }

    /// Returns a Boolean value that indicates whether a value is the code with which a device joins a household.
    ///
    /// Such a code has six digits, whereas the codes of errors, in fields of the same name, are words.
    private static func isLinkCode(_ value: String, _ name: String) -> Bool {
        name == "code" && value.utf8.count == 6
            && value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Returns a text with its secrets masked: tokens, and secret fields of URLs and of hidden inputs.
    func text(_ text: String) -> String {
        guard !shows else { return text }
        let text = Self.maskingFields(of: text)
        if text.utf8.starts(with: "<signatureInfo>".utf8) { return Self.hidden(text) }
        if text.utf8.count > 40, text.utf8.starts(with: "ey".utf8) || text.utf8.starts(with: "PHNpZ25hdHVyZ".utf8) {
            return Self.hidden(text)
        }
        return text
    }

    /// Returns a text whose format could not be read, hidden as a whole.
    ///
    /// Its secrets cannot be told from the rest, be it cut off or not in the format that it should have.
    func unread(_ text: String) -> String { shows || text.isEmpty ? text : Self.hidden(text) }

    private static func hidden(_ value: String) -> String { "•••••• (hidden, \(value.utf8.count) bytes)" }

    /// Returns a text with the secret values of `name=value` and of `name="name" value="value"` masked.
    ///
    /// The text is searched by hand, because a regular expression is compiled again for each text, and that took most
    /// of the time of an export.
    private static func maskingFields(of text: String) -> String {
        var masked = ""
        // The masked text already contains everything before this index.
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

    /// Returns the UTF-8 offsets of the equals signs that can follow a name in the lists.
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

    /// Returns the index at which a secret value begins, or `nil` if the text before the sign does not name one.
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
    /// The last letters of the names in the lists, and of `value`.
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
