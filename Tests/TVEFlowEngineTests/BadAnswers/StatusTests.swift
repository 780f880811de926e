import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// Every status with an HTML page, at every exchange: the documented code, and no stored data lost.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct StatusTests {
    static let statuses = [
        200, 201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410,
        411,
        413, 415, 418, 421, 422, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 599,
    ]

    @Test(.row("CFG410", "SEC403"), arguments: Endpoint.all())
    func everyStatus_hasItsCode(dialect: ServiceDialect, endpoint: Endpoint) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect, isDirect: true)
        let spoiled = SpoiledSession(fixture: fixture, session: session, log: log, browsing: fixture.transport)
        // Each status at a third of the exchanges; with TVE_LONG_TESTS at all of them.
        for (number, status) in Self.statuses.enumerated() where LongTests.areOn || number % 3 == endpoint.number % 3 {
            let code = await spoiled.code(of: endpoint) { path in
                fixture.answer(path, .response(status: status, body: "<html><p>\(status)</p></html>"))
            } mend: {
                fixture.transport.setScript { _, _ in nil }
            }
            #expect(code == endpoint.code(for: status, dialect), "\(endpoint) \(status)")
        }
    }
}
