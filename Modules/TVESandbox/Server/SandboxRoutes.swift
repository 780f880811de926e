import FlyingFox
package import Foundation
package import HTTPTypes

/// The sandbox without a server: the routes and their state.
///
/// Tests with long tables use this. Behaviour of connections, such as an early end, needs ``Sandbox``.
package struct SandboxRoutes: Sendable {
    /// The statement with which an application registers here.
    package let softwareStatement: String
    let router: SandboxRouter

    /// Makes the routes of a world.
    ///
    /// - Parameters:
    ///   - world: the requestors, providers and viewers.
    ///   - key: the signing key.
    ///   - now: the service's clock.
    ///   - host: the address at which the sandbox listens.
    ///   - keepsExchanges: false to measure the cost of the log.
    /// - Throws: `SandboxWorldError` for an invalid world, and any error of signing.
    package init(
        world: SandboxWorld, key: SandboxKey, now: @escaping @Sendable () -> Date, host: String = "127.0.0.1",
        keepsExchanges: Bool = true
    ) throws {
        try world.validate()
        softwareStatement = try ClientRegistration.softwareStatement(key)
        router = SandboxRouter(
            beginning: SandboxState(world: world, key: key, softwareStatement: softwareStatement, now: now),
            board: WorldBoard(world), log: ExchangeLog(keeps: keepsExchanges),
            gate: ConsoleGate(token: SandboxState.randomID(), host: host))
    }

    /// The last exchanges, oldest first.
    package var exchanges: [SandboxExchange] { router.log.exchanges }

    /// Answers a request, without the delays of faults.
    ///
    /// - Parameters:
    ///   - request: method, path with query, and header fields.
    ///   - body: the bytes of the body, nil for none.
    /// - Returns: the head of the answer and its whole body.
    package func answer(
        _ request: HTTPTypes.HTTPRequest, body: Data?
    ) async -> (HTTPTypes.HTTPResponse, Data) {
        let target = (request.path ?? "/").split(separator: "?", maxSplits: 1).map(String.init)
        var headers = FlyingFox.HTTPHeaders()
        for field in request.headerFields { headers[HTTPHeader(field.name.rawName)] = field.value }
        headers[.host] = headers[.host] ?? request.authority ?? "127.0.0.1"
        let head = RequestHead(
            method: request.method.rawValue, path: target.first ?? "/", query: target.count > 1 ? target[1] : "",
            headers: headers, peer: "127.0.0.1", isFromThisMachine: true)
        let reply = await router.answer(head, .bytes(body ?? Data()))
        var answer = HTTPTypes.HTTPResponse(status: .init(code: reply.response.statusCode.code))
        for (header, value) in reply.response.headers {
            guard let name = HTTPField.Name(header.rawValue) else { continue }
            answer.headerFields.append(HTTPField(name: name, value: value))
        }
        return (answer, reply.body)
    }
}
