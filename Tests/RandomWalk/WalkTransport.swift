import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox

/// The transport to the service, which fails when the walk says so.
final class WalkTransport: HTTPTransport {
    /// The fault of requests to a path that contains a text.
    struct Fault: Sendable {
        enum Kind: Sendable, CaseIterable {
            case unreachable, failure, refused, throttled, throttledForLong, garbage
            /// The request never arrives.
            case noAnswer
            /// The request takes effect, and its answer never arrives.
            case lostAnswer
            /// The request arrives after some time.
            case slow
        }

        let path: String
        let kind: Kind
    }

    private let routes: SandboxRoutes
    private let clock: SessionClock
    private let fault = Guarded<Fault?>(nil)

    init(_ routes: SandboxRoutes, _ clock: SessionClock) {
        self.routes = routes
        self.clock = clock
    }

    /// Makes requests fail from now on; nil ends that.
    func fail(_ fault: Fault?) {
        self.fault.withLock { $0 = fault }
    }

    /// Whether requests may fail.
    var isFaulty: Bool { fault.withLock { $0 != nil } }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let fault = fault.withLock(\.self)
        if let fault, request.path?.contains(fault.path) == true {
            switch fault.kind {
            case .unreachable: throw .unreachable
            case .failure: return (HTTPResponse(status: .internalServerError), Data())
            case .refused: return (HTTPResponse(status: .unauthorized), Data())
            case .throttled: return Self.throttled(for: 2)
            case .throttledForLong: return Self.throttled(for: 120)
            case .garbage: return (HTTPResponse(status: .ok), Data("<<{\"".utf8))
            case .noAnswer:
                try? await clock.sleep(.seconds(30))
                throw Task.isCancelled ? .cancelled : .timedOut
            case .lostAnswer:
                _ = await routes.answer(request, body: body)
                try? await clock.sleep(.seconds(30))
                throw Task.isCancelled ? .cancelled : .timedOut
            case .slow: try? await clock.sleep(.seconds(20))
            }
        }
        guard !Task.isCancelled else { throw .cancelled }
        let answer = await routes.answer(request, body: body)
        return answer
    }

    private static func throttled(for seconds: Int) -> (HTTPResponse, Data) {
        var response = HTTPResponse(status: .tooManyRequests)
        response.headerFields[.retryAfter] = "\(seconds)"
        return (response, Data())
    }
}
