import Tracing

/// The tracing of round trips to Redis.
///
/// Each round trip has a span. As it serves several calls, its span is a child of the first call's span and has a link
/// to the span of each other call. Without a tracer, no spans are created and no attributes are computed.
struct RedisTrace: Sendable {
    /// The tracer; `nil` without one, so that a call costs a single comparison.
    private let tracer: (any Tracer)?

    init(_ tracer: any Tracer) {
        self.tracer = tracer is NoOpTracer ? nil : tracer
    }

    /// The context of the current task; `nil` without a tracer.
    var context: ServiceContext? { tracer == nil ? nil : .current }

    func begin(_ calls: [RedisCall], at address: RedisAddress) -> (any Span)? {
        guard let tracer else { return nil }
        let contexts = calls.compactMap(\.context)
        let span = tracer.startSpan("tve.redis", context: contexts.first ?? .topLevel, ofKind: .client)
        for context in contexts.dropFirst() { span.addLink(SpanLink(context: context, attributes: [:])) }
        span.updateAttributes { attributes in
            attributes["db.system.name"] = "redis"
            switch address {
            case .host(let host, let port):
                attributes["server.address"] = host
                attributes["server.port"] = port
            case .socket(let path): attributes["server.address"] = path
            }
            attributes["tve.calls"] = calls.count
            attributes["tve.tokens"] = calls.reduce(0) { $0 + $1.spends.count }
        }
        return span
    }

    /// Ends a span.
    ///
    /// - Parameters:
    ///   - span: the span of a round trip.
    ///   - error: the error of the whole round trip, or of one of its tokens.
    func end(_ span: (any Span)?, _ error: RedisUsesError?) {
        guard let span else { return }
        if let error {
            span.updateAttributes { $0["error.type"] = error.kind }
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }
}
