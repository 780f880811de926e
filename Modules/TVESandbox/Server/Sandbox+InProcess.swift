import FlyingFox
package import Foundation
package import HTTPTypes

extension Sandbox {
    /// Answers a request without a socket: the routes that the server has, and nothing of the server.
    ///
    /// Tests with long tables ask this way. What only a connection can do, such as ending early, needs the real one.
    ///
    /// - Parameters:
    ///   - request: method, path with query, and header fields.
    ///   - body: the bytes of the body, nil for none.
    /// - Returns: the head of the answer and its whole body.
    /// - Throws: what reading the body throws.
    package nonisolated func answer(
        _ request: HTTPTypes.HTTPRequest, body: Data?
    ) async throws -> (HTTPTypes.HTTPResponse, Data) {
        let target = (request.path ?? "/").split(separator: "?", maxSplits: 1).map(String.init)
        var headers = FlyingFox.HTTPHeaders()
        for field in request.headerFields { headers[HTTPHeader(field.name.rawName)] = field.value }
        let response = try await router.handleRequest(
            FlyingFox.HTTPRequest(
                method: HTTPMethod(request.method.rawValue), version: .http11,
                target: .init(path: target[0], query: target.count > 1 ? target[1] : ""), headers: headers,
                body: HTTPBodySequence(data: body ?? Data()), remoteAddress: .ip4("127.0.0.1", port: 0)))
        var head = HTTPTypes.HTTPResponse(status: .init(code: response.statusCode.code))
        for (header, value) in response.headers {
            guard let name = HTTPField.Name(header.rawValue) else { continue }
            head.headerFields.append(HTTPField(name: name, value: value))
        }
        return (head, try await response.bodyData)
    }
}
