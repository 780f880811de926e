import Foundation
import HTTPTypes
import TVENetworking
import TVETestSupport

/// A transport that reports each exchange: method, path, names of fields and status, never a value, header or body.
struct ObservedTransport: HTTPTransport {
    let next: any HTTPTransport
    let see: @Sendable (Exchange) -> Void

    struct Exchange: Sendable {
        let method: String
        let path: String
        let fields: [String]
        /// The status, or why there was no answer.
        let outcome: Result<Int, TransportError>
        let milliseconds: Double

        var text: String {
            switch outcome {
            case .success(let status): "\(method) \(path)  \(status)"
            case .failure(let error): "\(method) \(path)  no answer: \(error)"
            }
        }

        var isFailure: Bool {
            if case .success(let status) = outcome { status >= 400 } else { true }
        }
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let began = ContinuousClock.now
        let result: Result<(HTTPResponse, Data), TransportError>
        do throws(TransportError) {
            result = .success(try await next.send(request, body: body))
        } catch {
            result = .failure(error)
        }
        let parts = (request.path ?? "/").split(separator: "?", maxSplits: 1).map(String.init)
        let path = parts[0].withoutRegistrationCode
        see(
            Exchange(
                method: request.method.rawValue, path: path,
                fields: Self.names(parts.count > 1 ? parts[1] : "") + Self.names(Self.form(request, body)),
                outcome: result.map { $0.0.status.code }, milliseconds: Timeline.milliseconds(since: began)))
        return try result.get()
    }

    private static func form(_ request: HTTPRequest, _ body: Data?) -> String {
        guard request.headerFields[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else {
            return ""
        }
        return String(decoding: body ?? Data(), as: UTF8.self)
    }

    private static func names(_ form: String) -> [String] {
        form.split(separator: "&").map { String($0.prefix { $0 != "=" }) }
    }
}
