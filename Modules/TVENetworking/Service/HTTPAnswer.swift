import Foundation
import HTTPTypes

/// A service's answer to one request, in either dialect.
struct HTTPAnswer {
    let status: Int
    let headers: HTTPFields
    let body: Data

    var isSuccess: Bool { (200...299).contains(status) }
}

extension HTTPTransport {
    func answer(to request: HTTPRequest, body: Data? = nil) async throws(ServiceError) -> HTTPAnswer {
        do throws(TransportError) {
            let (response, bytes) = try await send(request, body: body)
            return HTTPAnswer(status: response.status.code, headers: response.headerFields, body: bytes)
        } catch {
            throw .transport(error)
        }
    }
}
