import Foundation
import HTTPTypes
import TVENetworking

/// Writes down what was asked and how long the answer took, and leaves the exchange itself to another transport.
///
/// Neither queries nor header fields are written: they carry tokens and ids. A registration code leads to a login, so
/// the log has an ellipsis in its place.
struct LoggingTransport: HTTPTransport {
    let next: any HTTPTransport
    let log: @Sendable (String) -> Void

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let path = Self.path(of: request)
        let start = ContinuousClock.now
        do throws(TransportError) {
            let (response, body) = try await next.send(request, body: body)
            let duration = ContinuousClock.now - start
            log("\(request.method) \(path) \(response.status.code), \(body.count) bytes after \(duration)")
            return (response, body)
        } catch {
            log("\(request.method) \(path) failed: \(error)")
            throw error
        }
    }

    private static func path(of request: HTTPRequest) -> String {
        let path = request.path?.split(separator: "?", omittingEmptySubsequences: false).first ?? "/"
        var shown: [Substring] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            let isAfterName = shown.last == "code" || shown.last == "sessions" || shown.last == "regcode"
            // The sessions of the platform's sign-on have no code in their path.
            shown.append(isAfterName && segment != "sso" ? "…" : segment)
        }
        return shown.joined(separator: "/")
    }
}
