public import Foundation

/// Where a service provider answers.
public struct ServiceProvider: Sendable, Hashable {
    /// Scheme, host and port, without a path.
    public let root: URL

    /// Reads an endpoint as apps write it.
    ///
    /// - Parameter text: host with or without scheme and path, for example `sp.auth.adobe.com/adobe-services` or
    ///   `http://127.0.0.1:8080`; https is taken when no scheme is given (API reference, `serviceProviders`).
    public init?(_ text: String) {
        let url = text.contains("://") ? text : "https://\(text)"
        guard var components = URLComponents(string: url), let scheme = components.scheme?.lowercased(),
            scheme == "https" || scheme == "http", components.host?.isEmpty == false
        else { return nil }
        components.path = ""
        components.query = nil
        components.fragment = nil
        components.user = nil
        components.password = nil
        guard let root = components.url else { return nil }
        self.root = root
    }
}
