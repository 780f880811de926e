import Foundation
import HTTPTypes
import TVENetworking

/// Writes down what was asked and how long the answer took, and leaves the exchange itself to another transport.
///
/// Neither queries nor header fields are written: they carry tokens and ids.
struct LoggingTransport: HTTPTransport {
    let next: any HTTPTransport
    let log: @Sendable (String) -> Void

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let path = request.path?.split(separator: "?", omittingEmptySubsequences: false).first ?? "/"
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
}
