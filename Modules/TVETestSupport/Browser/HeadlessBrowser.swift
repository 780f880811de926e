public import Foundation
import HTTPTypes
import TVEModels
public import TVENetworking

/// A browser without a window, which follows redirects, submits self-submitting forms, and fills in a login.
///
/// It understands just enough HTML for the pages of the sandbox. A value of this type is one browser with its cookies.
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
    private var cookies: [String: String] = [:]

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
    ///   - redirect: the URL at which to stop. A custom scheme is compared alone, and any other URL as a prefix.
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
        return url.absoluteString.hasBytePrefix(redirect.absoluteString)
    }

    private mutating func fetch(_ url: URL, _ form: [(String, String)]?) async -> (HTTPResponse, String)? {
        var request = HTTPRequest(method: form == nil ? .get : .post, url: url)
        if !cookies.isEmpty {
            request.headerFields[.cookie] = cookies.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
        }
        if form != nil { request.headerFields[.contentType] = "application/x-www-form-urlencoded" }
        let body = form.map { form in
            form.map { "\(Self.escaped($0))=\(Self.escaped($1))" }.joined(separator: "&")
        }
        guard let (response, bytes) = try? await transport.send(request, body: body.map { Data($0.utf8) }) else {
            return nil
        }
        for cookie in response.headerFields[values: .setCookie] {
            let (name, value) = cookie.divided(at: ";").before.divided(at: "=")
            if let value, !name.isEmpty { cookies[String(name)] = String(value) }
        }
        return (response, String(decoding: bytes, as: UTF8.self))
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
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
