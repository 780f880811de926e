import Tracing

/// A span for each round trip; without a tracer nothing is made or computed.
///
/// A round trip is for many calls. It is a child of the first one's span, and has a link to that of each other.
struct RedisTrace: Sendable {
    /// Nil when there is none, so that every call costs one comparison.
    private let tracer: (any Tracer)?

    init(_ tracer: any Tracer) {
        self.tracer = tracer is NoOpTracer ? nil : tracer
    }

    /// Where a call of this task belongs.
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

    /// Ends it; with the error of the whole round trip, or of one of its tokens.
    func end(_ span: (any Span)?, _ error: RedisUsesError?) {
        guard let span else { return }
        if let error {
            span.updateAttributes { $0["error.type"] = error.kind }
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }
}
