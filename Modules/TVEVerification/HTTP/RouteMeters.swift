#if VerificationService
import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// Counts and times the requests of one route, and turns their errors into answers.
struct RouteMeters: Sendable {
    private let route: String
    private let succeeded: Counter
    private let duration: Metrics.Timer
    private let factory: any MetricsFactory

    init(route: String, _ factory: any MetricsFactory) {
        self.route = route
        self.factory = factory
        succeeded = Self.counter(route, 200, factory)
        duration = Metrics.Timer(label: "tve_request_seconds", dimensions: [("route", route)], factory: factory)
    }

    private static func counter(_ route: String, _ status: Int, _ factory: any MetricsFactory) -> Counter {
        Counter(
            label: "tve_requests_total", dimensions: [("route", route), ("status", String(status))], factory: factory)
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: the request; its `traceparent` is logged.
    ///   - logger: the request's logger.
    ///   - body: answers it, or throws a ``Problem``.
    func measure(_ request: Request, _ logger: Logger, _ body: () async throws -> Response) async -> Response {
        let start = ContinuousClock.now
        let response: Response
        do {
            response = try await body()
        } catch {
            response = answer(error, request, logger)
        }
        let status = response.status.code
        let counter = status == 200 ? succeeded : Self.counter(route, status, factory)
        counter.increment()
        let taken = start.duration(to: .now)
        duration.recordNanoseconds(taken.nanoseconds)
        if logger.logLevel <= .debug {
            var metadata = TraceParent.metadata(request.headers)
            metadata["route"] = .string(route)
            metadata["status"] = .stringConvertible(status)
            metadata["seconds"] = .stringConvertible(Double(taken.nanoseconds) / 1e9)
            logger.debug("A request was answered.", metadata: metadata)
        }
        return response
    }

    private func answer(_ error: any Error, _ request: Request, _ logger: Logger) -> Response {
        if let problem = error as? Problem { return problem.response }
        var metadata = TraceParent.metadata(request.headers)
        metadata["error"] = .string("\(type(of: error))")
        logger.error("A request failed.", metadata: metadata)
        return Problem.internalError.response
    }
}

extension Duration {
    /// Whole nanoseconds, which last for 292 years.
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
#endif
