import Foundation
import HTTPTypes
import TVEModels
import TVENetworking

/// The exchanges of a run that brought no answer of the service.
///
/// A session throws no error for many of them, because it can go on with what the device has stored. A command whose
/// answer would then be a guess reads the reason here.
final class ServiceOutages: Sendable {
    private let state = Guarded(State())

    private struct State {
        /// The reasons for which the last exchange of a path brought no answer, with the newest one last.
        var current: [(path: String, reason: String)] = []
        var latest: String?
    }

    /// A sentence about the last request without an answer of the service, or `nil` if each request has been answered.
    ///
    /// A request that failed first and was answered later is not included.
    var current: String? { state.withLock { $0.current.last?.reason } }

    /// A sentence about the last exchange that brought no answer of the service, or `nil` if each one brought one.
    var latest: String? { state.withLock(\.latest) }

    /// Returns a transport whose exchanges are watched for outages.
    func watched(_ transport: any HTTPTransport) -> any HTTPTransport {
        WatchedTransport(next: transport) { [state] request, reason in
            let path = "\(request.method) \(request.path?.divided(at: "?").before ?? "")"
            state.withLock {
                $0.current.removeAll { $0.path.isSameBytes(as: path) }
                guard let reason else { return }
                $0.current.append((path, reason))
                $0.latest = reason
            }
        }
    }
}

private struct WatchedTransport: HTTPTransport {
    let next: any HTTPTransport
    /// Receives the reason for which an exchange brought no answer of the service, or `nil` if it brought one.
    let note: @Sendable (HTTPRequest, String?) -> Void

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let base = "\(request.scheme ?? "http")://\(request.authority ?? "")"
        let result: (HTTPResponse, Data)
        do throws(TransportError) {
            result = try await next.send(request, body: body)
        } catch {
            note(request, error.finding(at: base))
            throw error
        }
        note(request, Self.outage(result.0, result.1, to: request, at: base).map { "\(base) \($0)." })
        return result
    }

    /// Returns the reason for which an answer is not one of the service, as the end of a sentence that begins with the
    /// address.
    private static func outage(
        _ answer: HTTPResponse, _ body: Data, to request: HTTPRequest, at base: String
    ) -> String? {
        if let url = URL(string: base), let strange = StrangeAnswer(answer, body, to: url) { return strange.finding }
        let status = answer.status.code
        // A session goes on without an answer that does not say who is logged in, as if there were none.
        if Endpoint.leavesLoginsUnknown(status: status, body, at: request.path ?? "") {
            let isSuccess = (200...299).contains(status)
            return isSuccess ? "answers with profiles that cannot be read" : "answers with HTTP \(status)"
        }
        return status == 429 || status >= 500 ? "answers with HTTP \(status)" : nil
    }
}

extension TVEError {
    /// A Boolean value that indicates whether the call that failed has no answer of the service, so that its result is
    /// unknown.
    ///
    /// The service was not reached, something else answered in its place, the service failed, or the store could not be
    /// used. A refusal and a denial are answers.
    var isWithoutAnswer: Bool {
        switch underlying {
        case let error as TVEError: error.isWithoutAnswer
        case let error as ServiceError: error.isWithoutAnswer
        default:
            switch code {
            case .serviceUnreachable, .connectionNotTrusted, .serviceFailed, .throttled, .storageFailed: true
            // The service has decided about none of the resources.
            case .tooManyResources: true
            default: false
            }
        }
    }
}

extension ServiceError {
    fileprivate var isWithoutAnswer: Bool {
        switch self {
        case .transport, .webPage, .unreadable, .unreadableJSON, .loginNotProven, .cannotKeepRegistration: true
        // These statuses are refusals even without a reason. A firewall or a proxy sends others, and 401 with a
        // challenge of its own.
        case .status(let status), .registrationCodeRefused(let status): ![400, 410].contains(status)
        case .refused(let refusal): refusal.isFailureOfService
        // The service could not reach the TV provider.
        case .denied(let denial): denial.reason == .network
        case .unusableStatement, .registrationRefused, .accessTokenRefused, .loginParametersMissing, .notLoggedIn,
            .pendingLogout, .viewerIdentityMissing:
            false
        }
    }
}
