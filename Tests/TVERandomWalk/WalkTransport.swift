import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox

/// The transport to the service, which fails as the walk decides.
final class WalkTransport: HTTPTransport {
    /// The fault of requests to a path that contains a text.
    struct Fault: Sendable {
        enum Kind: Sendable, CaseIterable {
            case unreachable, failure, refused, throttled, throttledForLong, garbage
            /// A network component between the app and the service answers in its place.
            case portalPage, redirect, proxyLogin, noContent, nothing, notModified, gone, forbiddenPage
            /// The service answers with undocumented JSON.
            case list, null, otherJSON
            /// The request takes effect, and only half of the answer arrives.
            case halfAnswer
            case unavailableForLong
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
    private let pause: WalkPause?
    private let fault = Guarded<Fault?>(nil)

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - routes: the service.
    ///   - clock: the clock for delays.
    ///   - pause: the pause before and after each answer; `nil` for immediate answers.
    init(_ routes: SandboxRoutes, clock: SessionClock, pause: WalkPause?) {
        self.routes = routes
        self.clock = clock
        self.pause = pause
    }

    /// Sets the fault of the network; `nil` for none.
    func fail(_ fault: Fault?) {
        self.fault.withLock { $0 = fault }
    }

    /// A Boolean value that indicates whether requests may fail.
    var isFaulty: Bool { fault.withLock { $0 != nil } }

    /// A Boolean value that indicates whether an answer may state that the viewer or the application is no longer
    /// known.
    ///
    /// No other fault has that meaning.
    var mayRefuse: Bool { fault.withLock { $0?.kind == .refused } }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        await pause?()
        do throws(TransportError) {
            let answer = try await answerOfNetwork(request, body: body)
            await pause?()
            return answer
        } catch {
            await pause?()
            throw error
        }
    }

    private func answerOfNetwork(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (
        HTTPResponse, Data
    ) {
        let fault = fault.withLock(\.self)
        guard let fault, request.path?.contains(fault.path) == true else {
            return try await answerOfService(request, body: body)
        }
        switch fault.kind {
        case .unreachable: throw .unreachable
        case .failure: return Self.answer(.internalServerError)
        case .refused: return Self.answer(.unauthorized)
        case .throttled: return Self.answer(.tooManyRequests, fields: [.retryAfter: "2"])
        case .throttledForLong: return Self.answer(.tooManyRequests, fields: [.retryAfter: "120"])
        case .unavailableForLong: return Self.answer(.serviceUnavailable, fields: [.retryAfter: "3600"])
        case .garbage: return Self.answer(.ok, "<<{\"")
        case .portalPage: return Self.answer(.ok, Self.page, fields: [.contentType: "text/html"])
        case .redirect: return Self.answer(.found, fields: [.location: "\(WalkWorld.serviceURL)\(request.path ?? "")"])
        case .proxyLogin: return Self.answer(.proxyAuthenticationRequired, fields: [.proxyAuthenticate: "Basic"])
        case .noContent: return Self.answer(.noContent)
        case .nothing: return Self.answer(.ok)
        case .notModified: return Self.answer(.notModified)
        case .gone: return Self.answer(.gone)
        case .forbiddenPage: return Self.answer(.forbidden, Self.page, fields: [.contentType: "text/html"])
        case .list: return Self.json("[]")
        case .null: return Self.json("null")
        case .otherJSON: return Self.json("{\"status\": \"ok\"}")
        case .halfAnswer:
            let (response, body) = await routes.answer(request, body: body)
            return (response, body.prefix(body.count / 2))
        case .noAnswer:
            try? await clock.sleep(.seconds(30))
            throw Task.isCancelled ? .cancelled : .timedOut
        case .lostAnswer:
            _ = await routes.answer(request, body: body)
            try? await clock.sleep(.seconds(30))
            throw Task.isCancelled ? .cancelled : .timedOut
        case .slow:
            try? await clock.sleep(.seconds(20))
            return try await answerOfService(request, body: body)
        }
    }

    private func answerOfService(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (
        HTTPResponse, Data
    ) {
        guard !Task.isCancelled else { throw .cancelled }
        return await routes.answer(request, body: body)
    }

    private static let page =
        "<!DOCTYPE html><html><body>Welcome to our network. <a href=\"/\">Accept</a></body></html>"

    private static func json(_ text: String) -> (HTTPResponse, Data) {
        answer(.ok, text, fields: [.contentType: "application/json"])
    }

    private static func answer(
        _ status: HTTPResponse.Status, _ body: String = "", fields: HTTPFields = [:]
    ) -> (HTTPResponse, Data) {
        (HTTPResponse(status: status, headerFields: fields), Data(body.utf8))
    }
}
