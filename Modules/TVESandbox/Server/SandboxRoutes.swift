import FlyingFox
package import Foundation
package import HTTPTypes

/// What a sandbox answers, without a server: the routes and the state behind them.
///
/// Tests with long tables ask this way. What only a connection can do, such as ending early, needs ``Sandbox``.
package struct SandboxRoutes: Sendable {
    /// The statement with which an application registers here.
    package let softwareStatement: String
    let router: SandboxRouter

    /// Makes the routes of a world.
    ///
    /// - Parameters:
    ///   - world: who and what there is.
    ///   - key: the signing key.
    ///   - now: the service's clock.
    /// - Throws: `SandboxWorldError` for a world that makes no sense, and what signing throws.
    package init(world: SandboxWorld, key: SandboxKey, now: @escaping @Sendable () -> Date) throws {
        try world.validate()
        softwareStatement = try ClientRegistration.softwareStatement(key)
        router = SandboxRouter(
            state: SandboxState(world: world, key: key, softwareStatement: softwareStatement, now: now))
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: method, path with query, and header fields.
    ///   - body: the bytes of the body, nil for none.
    /// - Returns: the head of the answer and its whole body.
    /// - Throws: what reading the body throws.
    package func answer(
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
