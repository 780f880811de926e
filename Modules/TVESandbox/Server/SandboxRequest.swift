import FlyingFox
package import Foundation
import TVEModels

/// One request, decoded for the routes.
package struct SandboxRequest: Sendable {
    package let method: String
    /// Path segments, decoded, without empty ones and without the version segment of old clients.
    package let path: [String]
    package let query: FormFields
    let form: FormFields
    package let body: Data
    let headers: HTTPHeaders
    /// The client's IP address.
    let address: String

    init(_ head: RequestHead, _ body: RequestBody) throws(SandboxRefusal) {
        method = head.method
        headers = head.headers
        path = Self.routed(head.path)
        query = FormFields(head.query)
        // A proxy may forward the addresses of its clients, which count then (throttling page).
        let forwarded = head.header("X-Forwarded-For")?.parts(separatedBy: ",", keepsEmpty: false).first
        address = forwarded.map { $0.trimmingCharacters(in: .whitespaces) } ?? head.peer
        switch body {
        case .bytes(let bytes): self.body = bytes
        case .tooLong: throw SandboxRefusal(.status(413))
        case .ofUnknownLength: throw SandboxRefusal(.status(411))
        }
        form = FormFields(String(decoding: self.body, as: UTF8.self))
    }

    /// The segments of a path, decoded, without empty ones.
    static func segments(_ path: String) -> [String] {
        path.parts(separatedBy: "/", keepsEmpty: false).map { $0.removingPercentEncoding ?? String($0) }
    }

    /// The segments of a path without the version segment of old clients.
    static func routed(_ path: String) -> [String] {
        var segments = segments(path)
        if segments.count > 1, segments[0] == "adobe-services", segments[1] == "1.0" { segments.remove(at: 1) }
        return segments
    }

    package func header(_ name: String) -> String? { headers[HTTPHeader(name)] }

    /// The access token in the header.
    var bearer: String? {
        header("Authorization").flatMap { Self.bearer($0) }
    }

    /// The access token in the value of an `Authorization` header.
    package static func bearer(_ header: String) -> String? {
        let (scheme, token) = header.divided(at: " ")
        return String(scheme).isSameBytesIgnoringASCIICase(as: "bearer") ? token.map { String($0) } : nil
    }

    /// The host that the client used, so that an answer is valid for any address.
    package var host: String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-.:[]"))
        guard let host = header("Host"), !host.isEmpty, host.unicodeScalars.allSatisfy(allowed.contains) else {
            return "127.0.0.1"
        }
        return host
    }

    func cookie(_ name: String) -> String? {
        header("Cookie")?.parts(separatedBy: ";").lazy
            .map { $0.trimmingCharacters(in: .whitespaces).divided(at: "=") }
            .first { String($0.before).isSameBytes(as: name) }?.after.map { String($0) }
    }

    /// A field that must exist and must not be empty.
    func required(_ name: String) throws(SandboxRefusal) -> String {
        guard let value = form[name] ?? query[name], !value.isEmpty else {
            throw SandboxRefusal(.xmlError("missing", "\(name) is missing", status: 400))
        }
        return value
    }

    /// The id of the requestor in the usual field, which must exist.
    func requiredRequestor() throws(SandboxRefusal) -> RequestorID { RequestorID(try required("requestor_id")) }
}

/// Checks the targets of redirects.
enum RedirectURL {
    /// Whether a redirect is one of those that are registered: a scheme of the application's own, or a host.
    static func isRegistered(_ redirect: String, among registered: [String]) -> Bool {
        guard let url = URL(string: redirect) else { return false }
        return registered.lazy.compactMap { URL(string: $0) }.contains { known in
            guard let scheme = known.scheme?.lowercased(), scheme == url.scheme?.lowercased() else { return false }
            guard let host = known.host()?.lowercased(), !host.isEmpty else { return true }
            return host == url.host()?.lowercased()
        }
    }

    /// The text, if it is an absolute URL, which cannot contain a line break.
    static func checked(_ text: String?) -> String? {
        guard let text, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            // Newer systems encode characters that are invalid in a URL, and then the text differs.
            let url = URL(string: text), url.absoluteString == text, let scheme = url.scheme,
            !["javascript", "data", "file"].contains(scheme.lowercased())
        else { return nil }
        return url.absoluteString
    }
}
