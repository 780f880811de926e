import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Tests that a registration is found again.
///
/// A new registration would end every viewer's login.
@Suite(.timeLimit(.hanging))
struct RegistrationKeyTests {
    /// The name is the SHA-256 of the service's root and the statement, made with another implementation.
    @Test func aRegistration_isStoredUnderTheKeyThatItAlwaysHad() async throws {
        let fixture = try await FlowFixture(.restV2)
        fixture.transport.setScript { request, _ in
            switch request.path {
            case "/o/client/register": .response(status: 201, body: #"{"client_id":"id","client_secret":"secret"}"#)
            case "/o/client/token": .response(status: 200, body: #"{"access_token":"t","expires_in":3600}"#)
            default: .response(status: 404, body: "")
            }
        }
        let service = URL(string: "https://sp.example.com")
        let (session, _) = try await fixture.session(statement: "a.b.c", through: service, started: false)
        // The start with this service fails, after the registration.
        await #expect(throws: (any Error).self) {
            try await session.start()
            _ = try await session.configuration()
        }
        #expect(
            fixture.storage.keys(under: StorageKey("registration")).map(\.rawValue) == [
                "registration/201b49a2e8e57902d3be2b1d2aad3311d69ce1af9470a60b28a4110fdb21737c"
            ])
    }

    @Test func aRegistration_namesTheRedirectOfTheApp() async throws {
        let fixture = try await FlowFixture(.restV2)
        let bodies = Guarded<[Data]>([])
        fixture.transport.setScript { request, body in
            if fixture.isAt(.registration, request) { bodies.withLock { $0.append(body ?? Data()) } }
            return nil
        }
        _ = try await fixture.session { $0.registeredRedirectURL = URL(string: "own.app://login") }
        let body = try #require(bodies.withLock(\.first))
        #expect(try JSONDecoder().decode([String: String].self, from: body)["redirect_uri"] == "own.app://login")
    }

    /// If the damaged one stayed in its place, every start would register the application again.
    @Test func aRegistrationThatCannotBeRead_isReplacedOnce() async throws {
        let fixture = try await FlowFixture(.restV2)
        try await fixture.session().0.end()
        let key = try #require(fixture.storage.keys(under: StorageKey("registration")).first)
        fixture.storage.apply([.put(key, Data("{}".utf8))])
        for _ in 0..<2 { try await fixture.session().0.end() }
        #expect(fixture.count(of: .registration) == 2)
    }
}
