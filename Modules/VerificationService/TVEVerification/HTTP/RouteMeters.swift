import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// The metrics of one route, which also turn the errors of its requests into answers.
struct RouteMeters: Sendable {
    private let route: String
    private let succeeded: Counter
    private let duration: Metrics.Timer
    private let factory: any MetricsFactory

    init(route: String, _ factory: any MetricsFactory) {
        self.route = route
        self.factory = factory
        succeeded = Self.counter(of: route, status: 200, in: factory)
        duration = Metrics.Timer(label: "tve_request_seconds", dimensions: [("route", route)], factory: factory)
    }

    private static func counter(of route: String, status: Int, in factory: any MetricsFactory) -> Counter {
        Counter(
            label: "tve_requests_total", dimensions: [("route", route), ("status", String(status))], factory: factory)
    }

    /// Counts and times a request, and returns its answer.
    ///
    /// - Parameters:
    ///   - request: the request, whose `traceparent` is logged.
    ///   - logger: the logger of the request.
    ///   - body: a closure that answers the request. If it throws a ``Problem``, that is the answer; any other error is
    ///     logged and answered with the status 500.
    func measure(
        _ request: Request, logger: Logger, body: () async throws -> Response
    ) async -> Response {
        let start = ContinuousClock.now
        let response: Response
        do {
            response = try await body()
        } catch {
            response = answer(to: request, failedWith: error, logger: logger)
        }
        let status = response.status.code
        let counter = status == 200 ? succeeded : Self.counter(of: route, status: status, in: factory)
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

    private func answer(to request: Request, failedWith error: any Error, logger: Logger) -> Response {
        if let problem = error as? Problem { return problem.response }
        var metadata = TraceParent.metadata(request.headers)
        metadata["error"] = .string("\(type(of: error))")
        logger.error("A request failed.", metadata: metadata)
        return Problem.internalError.response
    }
}

extension Duration {
    /// The duration in whole nanoseconds, which suffice for 292 years.
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}

/// The ids of a distributed trace (W3C Trace Context, `traceparent`).
struct TraceParent: Sendable, Hashable {
    let traceID: String
    let parentID: String

    /// Parses a header of version 00, or the common part of a later version; returns `nil` for any other text.
    init?(_ header: String) {
        let parts = header.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard header.utf8.count <= 256, parts.count >= 4, Self.isHex(parts[0], 2), parts[0] != "ff",
            parts[0] != "00" || parts.count == 4,
            Self.isHex(parts[1], 32), Self.isHex(parts[2], 16), Self.isHex(parts[3], 2),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceID = String(parts[1])
        parentID = String(parts[2])
    }

    private static func isHex(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    static func metadata(_ headers: HTTPFields) -> Logger.Metadata {
        guard let name = HTTPField.Name("traceparent"), let trace = headers[name].flatMap({ TraceParent($0) }) else {
            return [:]
        }
        return ["trace_id": .string(trace.traceID), "span_id": .string(trace.parentID)]
    }
}
