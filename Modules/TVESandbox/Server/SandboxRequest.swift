import FlyingFox
package import Foundation
import TVEModels

/// A request, decoded for the routes.
package struct SandboxRequest: Sendable {
    package let method: String
    /// The decoded segments of the path, without empty ones and without the version segment that old clients send.
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
        // A proxy forwards the address of its client, which then replaces the proxy's own address (throttling page).
        let forwarded = head.header("X-Forwarded-For")?.parts(separatedBy: ",", keepsEmpty: false).first
        address = forwarded.map { $0.trimmingCharacters(in: .whitespaces) } ?? head.peer
        switch body {
        case .bytes(let bytes): self.body = bytes
        case .tooLong: throw SandboxRefusal(.status(413))
        case .ofUnknownLength: throw SandboxRefusal(.status(411))
        }
        form = FormFields(String(decoding: self.body, as: UTF8.self))
    }

    /// Returns the decoded segments of a path, without empty ones.
    static func segments(_ path: String) -> [String] {
        path.parts(separatedBy: "/", keepsEmpty: false).map { String($0).decodingPercents ?? String($0) }
    }

    /// Returns the decoded segments of a path, without empty ones and without the version segment that old clients
    /// send.
    static func routed(_ path: String) -> [String] {
        var segments = segments(path)
        if segments.count > 1, segments[0] == "adobe-services", segments[1] == "1.0" { segments.remove(at: 1) }
        return segments
    }

    package func header(_ name: String) -> String? { headers[HTTPHeader(name)] }

    /// The access token in the `Authorization` header; `nil` when there is none.
    var bearer: String? {
        header("Authorization").flatMap { Self.bearer($0) }
    }

    /// Returns the access token in the value of an `Authorization` header; `nil` for another scheme.
    package static func bearer(_ header: String) -> String? {
        let (scheme, token) = header.divided(at: " ")
        return String(scheme).isSameBytesIgnoringASCIICase(as: "bearer") ? token.map { String($0) } : nil
    }

    /// The host by which the client has reached the sandbox, so that the URLs of an answer work for this client.
    package var host: String { Self.wellFormed(header("Host") ?? "") ?? "127.0.0.1" }

    /// The scheme and the host by which the client has reached the sandbox.
    ///
    /// A proxy in front of the sandbox says whether the client's connection is encrypted. It may have replaced the host
    /// by a name of this machine, where the sandbox does not encrypt.
    var base: String {
        guard first(in: "X-Forwarded-Proto").isSameBytesIgnoringASCIICase(as: "https") else { return "http://\(host)" }
        guard LoopbackName.isName(host) else { return "https://\(host)" }
        return Self.wellFormed(first(in: "X-Forwarded-Host")).map { "https://\($0)" } ?? "http://\(host)"
    }

    /// Returns the first element of a header that is a list; an empty text if there is none.
    private func first(in name: String) -> String {
        (header(name) ?? "").divided(at: ",").before.trimmingCharacters(in: .whitespaces)
    }

    /// Returns a host whose characters a URL may contain; `nil` for any other text.
    private static func wellFormed(_ host: String) -> String? {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-.:[]"))
        return host.isEmpty || !host.unicodeScalars.allSatisfy(allowed.contains) ? nil : host
    }

    func cookie(_ name: String) -> String? {
        header("Cookie")?.parts(separatedBy: ";").lazy
            .map { $0.trimmingCharacters(in: .whitespaces).divided(at: "=") }
            .first { String($0.before).isSameBytes(as: name) }?.after.map { String($0) }
    }

    /// Returns the value of a field of the form or the query, and refuses the request when it is missing or empty.
    func required(_ name: String) throws(SandboxRefusal) -> String {
        guard let value = form[name] ?? query[name], !value.isEmpty else {
            throw SandboxRefusal(.xmlError("missing", "\(name) is missing", status: 400))
        }
        return value
    }

    /// Returns the requestor that the request names, and refuses the request when it names none.
    func requiredRequestor() throws(SandboxRefusal) -> RequestorID { RequestorID(try required("requestor_id")) }
}

/// The rules for the targets of redirects.
enum RedirectURL {
    /// Returns a Boolean value that indicates whether a redirect matches a registered one by its scheme, and by its
    /// host if the registered one has a host.
    static func isRegistered(_ redirect: String, among registered: [String]) -> Bool {
        guard let url = URL(string: redirect) else { return false }
        return registered.lazy.compactMap { URL(string: $0) }.contains { known in
            guard let scheme = known.scheme?.lowercased(), scheme == url.scheme?.lowercased() else { return false }
            guard let host = known.host()?.lowercased(), !host.isEmpty else { return true }
            return host == url.host()?.lowercased()
        }
    }

    /// Returns the text if it is an absolute URL, which cannot contain a line break; `nil` otherwise.
    static func checked(_ text: String?) -> String? {
        guard let text, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            // Newer versions of Foundation percent-encode invalid characters, and then the text differs.
            let url = URL(string: text), url.absoluteString == text, let scheme = url.scheme,
            !["javascript", "data", "file"].contains(scheme.lowercased())
        else { return nil }
        return url.absoluteString
    }
}
