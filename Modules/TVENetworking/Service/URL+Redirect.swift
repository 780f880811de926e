package import Foundation
import TVEModels

extension URL {
    /// Returns a Boolean value that indicates whether this URL is exactly a redirect that was sent to the service, with
    /// any query.
    ///
    /// Any app can open a URL with the same scheme, and a provider can have pages below an address of the app, so a URL
    /// that differs from the redirect proves nothing.
    package func isRedirect(_ redirect: URL) -> Bool {
        place == redirect.place
    }

    /// Returns a Boolean value that indicates whether a browser that reaches another URL has reached this redirect.
    ///
    /// The documented examples have different hosts, so only the scheme is compared. An http redirect must have the
    /// same host and port as well.
    package func isReached(at url: URL) -> Bool {
        let scheme = scheme?.lowercasedASCII
        guard url.scheme?.lowercasedASCII == scheme else { return false }
        return scheme?.hasBytePrefix("http") != true
            || url.host()?.lowercasedASCII == host()?.lowercasedASCII && url.ownPort == ownPort
    }

    private var place: [String] {
        let path = path().parts(separatedBy: "/").filter { !$0.isEmpty }.joined(separator: "/")
        return [scheme?.lowercasedASCII ?? "", host()?.lowercasedASCII ?? "", ownPort.map(String.init) ?? "", path]
    }

    /// The port, or nil if it is the one that the scheme has without a port, because browsers leave it out.
    private var ownPort: Int? {
        switch (scheme?.lowercasedASCII, port) {
        case ("https", 443), ("http", 80): nil
        default: port
        }
    }

    /// The error with which the service ended a page, from the parameter `error` of its redirect, or nil if there is
    /// none (REST API v2, 9.2).
    ///
    /// Some answers place the parameter after the number sign.
    package var redirectError: String? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
        let query = components.queryItems ?? []
        components.percentEncodedQuery = components.percentEncodedFragment
        return (query + (components.queryItems ?? [])).lazy.filter { $0.name == "error" }
            .compactMap(\.value).first { !$0.isEmpty }
    }
}
