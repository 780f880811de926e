import Foundation
import HTTPTypes
public import Hummingbird
public import Metrics
import NIOCore
import TVEModels

/// The routes that verify and spend tokens, for any Hummingbird application.
///
/// ```swift
/// let routes = VerificationRoutes(judge: judge, callers: .bearerKeys(CallerKeys(keys)))
/// routes.add(to: router.group("playback"))
/// ```
public struct VerificationRoutes: Sendable {
    private let judge: MediaTokenJudge
    private let callers: CallerPolicy
    private let limits: VerificationLimits
    private let single: RouteMeters
    private let batch: RouteMeters

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - judge: the judge that verifies and spends tokens.
    ///   - callers: the callers that may use the routes.
    ///   - limits: the limits of a request.
    ///   - metrics: the factory of the metrics that count and time requests.
    public init(
        judge: MediaTokenJudge, callers: CallerPolicy, limits: VerificationLimits = VerificationLimits(),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.judge = judge
        self.callers = callers
        self.limits = limits
        single = RouteMeters(route: "/v1/verify", metrics)
        batch = RouteMeters(route: "/v1/verify/batch", metrics)
    }

    /// Adds `POST v1/verify` and `POST v1/verify/batch`.
    ///
    /// - Parameter router: a router, or a group of one.
    public func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("v1/verify") { request, context in
            await single.measure(request, logger: context.logger) { try await one(request) }
        }
        router.post("v1/verify/batch") { request, context in
            await batch.measure(request, logger: context.logger) { try await many(request) }
        }
    }

    private func one(_ request: Request) async throws -> Response {
        let allowed = try callers.admit(request)
        let verification = try await reader.read(
            VerificationRequest.self, from: request, limit: limits.bodyBytes, scan: VerificationRequestScanner.request)
        var text = JSONText()
        for answer in try await answers([verification], allowed) { answer.append(to: &text) }
        return text.response()
    }

    private func many(_ request: Request) async throws -> Response {
        let allowed = try callers.admit(request)
        let batch = try await reader.read(VerificationBatch.self, from: request, limit: limits.batchBytes).tokens
        guard (1...max(1, limits.batchTokens)).contains(batch.count) else {
            throw Problem.badRequest("A batch must have 1 to \(limits.batchTokens) tokens.")
        }
        var text = JSONText()
        text.begin("{")
        text.name("results")
        text.begin("[")
        for answer in try await answers(batch, allowed) { answer.append(to: &text) }
        text.end("]")
        text.end("}")
        return text.response()
    }

    private var reader: BodyReader { BodyReader(seconds: limits.bodySeconds) }

    private func answers(
        _ requests: [VerificationRequest], _ allowed: Set<RequestorID>?
    ) async throws(Problem) -> [VerificationAnswer] {
        do throws(MediaTokenJudge.Refusal) {
            return try await judge.judge(requests, for: allowed)
        } catch {
            switch error {
            case .requestorMissing: throw .requestorMissing
            case .requestorUnknown: throw .unknownRequestor
            case .requestorForbidden: throw .forbiddenRequestor
            }
        }
    }
}

/// The limits of one request.
public struct VerificationLimits: Sendable, Hashable {
    /// The maximum length of a body with one token, in bytes.
    public var bodyBytes = 128 << 10
    /// The maximum length of a body with a batch, in bytes.
    public var batchBytes = 2 << 20
    /// The maximum number of tokens in a batch.
    public var batchTokens = 100
    /// The number of seconds within which a body must arrive completely.
    public var bodySeconds = 10

    /// Creates the default limits.
    public init() {}
}
