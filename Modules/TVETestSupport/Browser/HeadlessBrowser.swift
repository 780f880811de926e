public import Foundation
import HTTPTypes
import TVEModels
public import TVENetworking

/// A browser without a window, which follows redirects, submits self-submitting forms, and fills in a login.
///
/// It understands just enough HTML for the pages of the sandbox. A value of this type is one browser with its cookies,
/// each of which it sends only to the hosts that the cookie is meant for.
public struct HeadlessBrowser: Sendable {
    /// The action of a viewer on a login page.
    public enum Viewer: Sendable {
        /// The viewer types a name and a password and submits the form.
        case logsIn(name: String, password: String)
        /// The viewer presses the page's cancel button.
        case cancels
    }

    /// The place at which the browser ended.
    public enum Destination: Sendable, Equatable {
        /// The browser reached the redirect, which it does not load.
        case redirect(URL)
        /// The browser reached a page without a next step.
        case page(status: Int, html: String)
        /// The login page was shown again after the viewer's answer.
        case loginRefused(html: String)
        /// There was no answer, or the browser stopped after 20 steps.
        case failed
    }

    private let transport: any HTTPTransport
    private var cookies: [Cookie] = []

    /// Creates a browser without cookies.
    ///
    /// - Parameter transport: the transport that fetches pages, which must not follow redirects itself.
    public init(transport: any HTTPTransport = URLSessionTransport()) {
        self.transport = transport
    }

    /// Opens a page, and follows redirects and forms to the end.
    ///
    /// - Parameters:
    ///   - page: the first page.
    ///   - redirect: the URL at which to stop. A custom scheme is compared alone, and any other URL without its query.
    ///   - viewer: the action on a login page.
    /// - Returns: the place at which the browser ended.
    public mutating func open(_ page: URL, endingAt redirect: URL, as viewer: Viewer) async -> Destination {
        var url = page
        var form: [(String, String)]?
        var hasAnswered = false
        for _ in 0..<20 {
            if Self.isEnd(url, redirect) { return .redirect(url) }
            guard let (response, html) = await fetch(url, form) else { return .failed }
            form = nil
            if let location = response.headerFields[.location], (300...399).contains(response.status.code) {
                guard let next = URL(string: location, relativeTo: url)?.absoluteURL else { return .failed }
                url = next
                continue
            }
            guard response.status.code == 200, var page = HTMLForm(html), page.isPost,
                let next = URL(string: page.action, relativeTo: url)?.absoluteURL
            else { return .page(status: response.status.code, html: html) }
            if page.asksForPassword {
                guard !hasAnswered else { return .loginRefused(html: html) }
                hasAnswered = true
                page.answer(as: viewer)
            }
            url = next
            form = page.fields
        }
        return .failed
    }

    private static func isEnd(_ url: URL, _ redirect: URL) -> Bool {
        let scheme = redirect.scheme?.lowercased()
        guard scheme?.hasBytePrefix("http") == true else { return url.scheme?.lowercased() == scheme }
        return url.isRedirect(redirect)
    }

    private mutating func fetch(_ url: URL, _ form: [(String, String)]?) async -> (HTTPResponse, String)? {
        // A page may lead to `:`, which is a URL without a scheme, and such a request would end the program.
        guard ["http", "https"].contains(url.scheme?.lowercased()) else { return nil }
        var request = HTTPRequest(method: form == nil ? .get : .post, url: url)
        let host = url.host()?.lowercased() ?? ""
        let known = cookies.filter { $0.isMeant(for: host) }
        if !known.isEmpty {
            request.headerFields[.cookie] = known.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "; ")
        }
        if form != nil { request.headerFields[.contentType] = "application/x-www-form-urlencoded" }
        let body = form.map { form in
            form.map { "\(Self.escaped($0))=\(Self.escaped($1))" }.joined(separator: "&")
        }
        guard let (response, bytes) = try? await transport.send(request, body: body.map { Data($0.utf8) }) else {
            return nil
        }
        for text in response.headerFields[values: .setCookie].flatMap(Cookie.separated) {
            guard let cookie = Cookie(text, from: host) else { continue }
            cookies.removeAll { $0.replaces(cookie) }
            cookies.append(cookie)
        }
        return (response, String(decoding: bytes, as: UTF8.self))
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

/// A cookie of a browser that never ends.
private struct Cookie: Sendable {
    let name: String
    let value: String
    /// The host that has set the cookie, or the domain that its attribute `Domain` names.
    private let domain: String
    /// A Boolean value that indicates whether the hosts below the domain receive the cookie too.
    private let isShared: Bool

    /// Returns the values of several header fields `Set-Cookie` that Foundation on Linux has joined with commas.
    ///
    /// A comma also occurs in a date, which has no equals sign after it.
    static func separated(_ text: String) -> [String] {
        text.parts(separatedBy: ",").reduce(into: []) { values, part in
            let name = part.divided(at: ";").before.divided(at: "=")
            let isOfDate = name.after == nil || name.before.trimmingCharacters(in: .whitespaces).utf8.contains(0x20)
            if isOfDate, let last = values.popLast() {
                values.append("\(last),\(part)")
            } else {
                values.append(part.trimmingCharacters(in: .whitespaces))
            }
        }
    }

    /// Reads the value of a header field `Set-Cookie`, or returns `nil` for one that a browser ignores (RFC 6265, 5.2
    /// and 5.3).
    init?(_ text: String, from host: String) {
        let parts = text.parts(separatedBy: ";")
        let (name, value) = parts[0].divided(at: "=")
        guard let value, !name.isEmpty else { return nil }
        self.name = String(name)
        self.value = String(value)
        let attributes = parts.dropFirst().map { $0.divided(at: "=") }
        let named = attributes.last { $0.before.trimmingCharacters(in: .whitespaces).lowercased() == "domain" }
        let wanted = (named?.after ?? "").trimmingCharacters(in: .whitespaces).lowercased()
        domain = wanted.isEmpty ? host : String(decoding: wanted.utf8.drop { $0 == UInt8(ascii: ".") }, as: UTF8.self)
        isShared = !wanted.isEmpty
        // A cookie for a domain without a dot, such as `com`, would be sent nearly everywhere.
        guard domain == host || domain.containsBytes(of: ".") && isMeant(for: host) else { return nil }
    }

    func isMeant(for host: String) -> Bool { host == domain || isShared && host.hasByteSuffix(".\(domain)") }

    /// Returns a Boolean value that indicates whether a browser has only one of two cookies.
    func replaces(_ other: Cookie) -> Bool { name == other.name && domain == other.domain }
}

extension HTMLForm {
    fileprivate mutating func answer(as viewer: HeadlessBrowser.Viewer) {
        switch viewer {
        case .cancels:
            fields.append(("action", "cancel"))
        case .logsIn(let name, let password):
            for index in fields.indices {
                if fields[index].name == "username" { fields[index].value = name }
                if fields[index].name == "password" { fields[index].value = password }
            }
            fields.append(("action", "login"))
        }
    }
}
