#if VerificationService
public import Hummingbird
import HTTPTypes
import NIOCore

/// Routes for the operation of the service: health, readiness, metrics and its OpenAPI description.
public struct OperationRoutes: Sendable {
    private let readiness: Readiness
    private let callers: CallerPolicy
    private let metricsPage: @Sendable () -> String

    /// Makes the routes.
    ///
    /// - Parameters:
    ///   - readiness: answers `/readyz`.
    ///   - callers: which callers may read `/metrics`; every client that can connect may read the others, which contain
    ///     no secrets.
    ///   - metricsPage: the page for Prometheus.
    public init(readiness: Readiness, callers: CallerPolicy, metricsPage: @escaping @Sendable () -> String) {
        self.readiness = readiness
        self.callers = callers
        self.metricsPage = metricsPage
    }

    /// Adds `GET healthz`, `readyz`, `metrics` and `openapi.json`.
    ///
    /// - Parameter router: a router or a group in it.
    public func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("healthz") { _, _ in Self.status([]) }
        router.get("readyz") { _, _ in Self.status(readiness.reasons) }
        router.get("metrics") { request, _ in
            try callers.admit(request)
            return Self.text(metricsPage(), "text/plain; version=0.0.4; charset=utf-8")
        }
        router.get("openapi.json") { _, _ in Self.text(Self.openAPI, "application/json") }
    }

    /// The description of the service in OpenAPI 3.1, which is stored beside this file and compiled in.
    public static let openAPI = String(decoding: PackageResources.VerifierOpenAPI_json, as: UTF8.self)

    private static func status(_ reasons: [String]) -> Response {
        var json = JSONText()
        json.begin("{")
        json.field("status", reasons.isEmpty ? "ok" : "unavailable")
        if !reasons.isEmpty { json.field("reason", reasons.joined(separator: " ")) }
        json.end("}")
        var response = text(String(decoding: json.bytes, as: UTF8.self), "application/json")
        if !reasons.isEmpty { response.status = .serviceUnavailable }
        return response
    }

    private static func text(_ text: String, _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
#endif
