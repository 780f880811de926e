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
    ///   - host: the address that the sandbox was told to listen at.
    ///   - keepsExchanges: false to measure what it costs to keep them.
    /// - Throws: `SandboxWorldError` for a world that makes no sense, and what signing throws.
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

    /// Answers a request; the delays of faults are left out.
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
