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
    ///
    /// To the service, white space around the statement and capitals in the host make no difference.
    @Test(arguments: [
        ("a.b.c", "https://sp.example.com"), ("a.b.c\n", "https://sp.example.com"),
        ("\u{FEFF} a.b.c\r\n", "https://sp.example.com"), ("a.b.c", "HTTPS://SP.Example.com"),
    ])
    func aRegistration_isStoredUnderTheKeyThatItAlwaysHad(statement: String, service: String) async throws {
        let fixture = try await FlowFixture(.restV2)
        try await startInVain(fixture, statement: statement, at: service)
        #expect(fixture.storage.keys(under: StorageKey("registration")) == [Self.key])
    }

    /// Earlier versions made the name from the statement and the host as the app had written them.
    @Test(arguments: [
        ("a.b.c\n", "https://sp.example.com", "ec9ee16739a408b9abb2097a1b1dd46e34f46d532d699382bf247246916b6089"),
        ("a.b.c", "https://SP.Example.com", "31348fc93460a696be6e2f7d02b234dfd0163b36f84d2bca2770bab1e6d7d0ef"),
    ])
    func aRegistrationOfAnEarlierVersion_isFound(statement: String, service: String, former: String) async throws {
        let fixture = try await FlowFixture(.restV2)
        let earlier = Data(#"{"clientID":"earlier","clientSecret":"secret"}"#.utf8)
        fixture.storage.apply([.put(StorageKey("registration", former), earlier)])
        for _ in 0..<2 { try await startInVain(fixture, statement: statement, at: service) }
        #expect(fixture.count(of: .registration) == 0)
        // The second start finds the access token of the first one.
        #expect(fixture.count(of: .accessToken) == 1)
        let stored = try #require(fixture.storage.value(for: Self.key))
        #expect(String(decoding: stored, as: UTF8.self).contains(#""clientID":"earlier""#))
    }

    private static let key = StorageKey(
        "registration", "201b49a2e8e57902d3be2b1d2aad3311d69ce1af9470a60b28a4110fdb21737c")

    /// Starts a session at a service that grants a registration and an access token, and nothing else.
    private func startInVain(_ fixture: FlowFixture, statement: String, at service: String) async throws {
        fixture.transport.setScript { request, _ in
            switch request.path {
            case "/o/client/register": .response(status: 201, body: #"{"client_id":"id","client_secret":"secret"}"#)
            case "/o/client/token": .response(status: 200, body: #"{"access_token":"t","expires_in":3600}"#)
            default: .response(status: 404, body: "")
            }
        }
        let (session, _) = try await fixture.session(
            statement: statement, through: URL(string: service), started: false)
        // The start with this service fails, after the registration.
        await #expect(throws: (any Error).self) {
            try await session.start()
            _ = try await session.configuration()
        }
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
