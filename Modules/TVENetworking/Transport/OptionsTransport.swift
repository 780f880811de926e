package import Foundation
package import HTTPTypes
import TVEModels

/// A transport that adds the app's options to every request of the classic services (API reference, `setOptions`).
///
/// In REST API v2 each endpoint lists its options, and registration has none.
///
/// The visitor's id is a header. The application's profile and undocumented options are part of the query, unless the
/// request's query or form already has a value with the same name.
package struct OptionsTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let options: @Sendable () -> ClientOptions

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - next: the transport that sends the requests.
    ///   - options: a closure that returns the options, which is called before every request.
    package init(next: any HTTPTransport, options: @escaping @Sendable () -> ClientOptions) {
        self.next = next
        self.options = options
    }

    /// Adds the options and sends the request; see ``HTTPTransport``.
    package func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let options = options()
        var request = request
        // An app may set the option to an empty text, and an empty header may be one visitor for everybody.
        if let visitor = options.visitorID, !visitor.isBlank, let name = Endpoint.Header.visitor.name {
            request.headerFields[name] = visitor
        }
        var fields = options.further
        fields["applicationProfile"] = options.applicationProfile
        guard !fields.isEmpty else { return try await next.send(request, body: body) }
        let known = Self.names(in: request, body)
        let missing = fields.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
        if !missing.isEmpty, let path = request.path {
            let query = FormBody.query(missing.map { ($0.key, $0.value) })
            request.path = path + (path.containsBytes(of: "?") ? "&" : "?") + query
        }
        return try await next.send(request, body: body)
    }

    /// Returns the names of the values in the query and in a form.
    private static func names(in request: HTTPRequest, _ body: Data?) -> Set<String> {
        var texts = [request.path?.divided(at: "?").after.map(String.init) ?? ""]
        if request.headerFields[.contentType] == FormBody.contentType, let body {
            texts.append(String(decoding: body, as: UTF8.self))
        }
        return Set(
            texts.flatMap { $0.parts(separatedBy: "&", keepsEmpty: false) }.compactMap { pair in
                String(pair.divided(at: "=").before).removingPercentEncoding
            })
    }
}
