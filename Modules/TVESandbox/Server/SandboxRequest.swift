import FlyingFox
import Foundation

/// One request, decoded for the routes.
struct SandboxRequest: Sendable {
    let method: String
    /// Path segments, decoded; doubled slashes and the version segment of old clients are gone.
    let path: [String]
    let query: FormFields
    let form: FormFields
    let body: Data
    let headers: HTTPHeaders
    /// The client's IP address.
    let address: String

    /// Longest body that is read.
    static let maximumBody = 1 << 20

    init(_ request: HTTPRequest) async throws(SandboxRefusal) {
        method = request.method.rawValue
        headers = request.headers
        var segments = request.target.path().split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        if segments.count > 1, segments[0] == "adobe-services", segments[1] == "1.0" { segments.remove(at: 1) }
        path = segments
        query = FormFields(request.target.query())
        // Another server may speak for its clients, whose addresses count then (throttling page).
        let forwarded = request.headers[HTTPHeader("X-Forwarded-For")]?.split(separator: ",").first
        switch (forwarded, request.remoteAddress) {
        case (let forwarded?, _): address = forwarded.trimmingCharacters(in: .whitespaces)
        case (nil, .ip4(let ip, _)?), (nil, .ip6(let ip, _)?): address = ip
        default: address = "unknown"
        }
        guard let length = request.bodySequence.count else { throw SandboxRefusal(.status(411)) }
        guard length <= Self.maximumBody else { throw SandboxRefusal(.status(413)) }
        do {
            body = try await request.bodyData
        } catch {
            throw SandboxRefusal(.status(400))
        }
        form = FormFields(String(decoding: body, as: UTF8.self))
    }

    /// A header's value by its name, in whatever case.
    func header(_ name: String) -> String? { headers[HTTPHeader(name)] }

    /// A cookie's value.
    func cookie(_ name: String) -> String? {
        header("Cookie")?.split(separator: ";").lazy
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix("\(name)=") }
            .map { String($0.dropFirst(name.utf8.count + 1)) }
    }

    /// A field that must be there and not empty.
    func required(_ name: String) throws(SandboxRefusal) -> String {
        guard let value = form[name] ?? query[name], !value.isEmpty else {
            throw SandboxRefusal(.xmlError("missing", "\(name) is missing", status: 400))
        }
        return value
    }
}
