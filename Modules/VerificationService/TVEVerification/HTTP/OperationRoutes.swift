import HTTPTypes
public import Hummingbird
import NIOConcurrencyHelpers
import NIOCore
import TVEModels

/// The routes for the operation of the service: health, readiness, metrics and its OpenAPI description.
public struct OperationRoutes: Sendable {
    private let readiness: Readiness
    private let callers: CallerPolicy
    private let metricsPage: @Sendable () -> String

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - readiness: the state that `/readyz` reports.
    ///   - callers: the callers that may read `/metrics`. Every client that can connect may read the other pages, which
    ///     contain no secrets.
    ///   - metricsPage: a closure that returns the page for Prometheus.
    public init(readiness: Readiness, callers: CallerPolicy, metricsPage: @escaping @Sendable () -> String) {
        self.readiness = readiness
        self.callers = callers
        self.metricsPage = metricsPage
    }

    /// Adds `GET` and `HEAD` of `healthz`, `readyz`, `metrics` and `openapi.json`.
    ///
    /// - Parameter router: a router, or a group of one.
    public func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        page("healthz", to: router) { _ in Self.status() }
        page("readyz", to: router) { _ in Self.status(readiness.reasons, readiness.warnings) }
        page("metrics", to: router) { request in
            _ = try callers.admit(request)
            return Self.text(metricsPage(), "text/plain; version=0.0.4; charset=utf-8")
        }
        page("openapi.json", to: router) { _ in Self.text(Self.openAPI, "application/json") }
    }

    /// Adds a page for `GET`, and for `HEAD` the same status and fields without the body.
    private func page<Context: RequestContext>(
        _ path: RouterPath, to router: some RouterMethods<Context>,
        answer: @escaping @Sendable (Request) throws -> Response
    ) {
        router.get(path) { request, _ in try answer(request) }
        router.head(path) { request, _ in
            let whole = try answer(request)
            return whole.createHeadResponse()
        }
    }

    /// The description of the service in OpenAPI 3.1.
    ///
    /// The document is stored beside this file and compiled into the program.
    public static let openAPI = String(decoding: PackageResources.VerifierOpenAPI_json, as: UTF8.self)

    private static func status(_ reasons: [String] = [], _ warnings: [String] = []) -> Response {
        var json = JSONText()
        json.begin("{")
        json.field("status", reasons.isEmpty ? "ok" : "unavailable")
        if !reasons.isEmpty { json.field("reason", reasons.joined(separator: " ")) }
        if !warnings.isEmpty { json.field("warning", warnings.joined(separator: " ")) }
        json.end("}")
        return json.response(reasons.isEmpty ? .ok : .serviceUnavailable)
    }

    private static func text(_ text: String, _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

/// The state that determines whether a service can accept requests now.
public final class Readiness: Sendable {
    private let draining = NIOLockedValueBox(false)
    private let obstacles: @Sendable () -> [String]
    private let defects: @Sendable () -> [String]

    /// Creates the state of a service that is ready while there are no obstacles.
    ///
    /// - Parameters:
    ///   - obstacles: a closure that returns the current obstacles, each as a sentence without secrets. It is called
    ///     for every request of `/readyz`.
    ///   - warnings: a closure that returns the problems that leave the service ready, in the same form.
    public init(
        obstacles: @escaping @Sendable () -> [String] = { [] }, warnings: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.obstacles = obstacles
        defects = warnings
    }

    /// A Boolean value that indicates whether the service is shutting down.
    public var isDraining: Bool { draining.withLockedValue { $0 } }

    /// Marks the service as shutting down.
    public func drain() { draining.withLockedValue { $0 = true } }

    /// The current obstacles; empty if the service is ready.
    public var reasons: [String] { isDraining ? ["The service is shutting down."] : obstacles() }

    /// The current problems that leave the service ready.
    public var warnings: [String] { defects() }
}
