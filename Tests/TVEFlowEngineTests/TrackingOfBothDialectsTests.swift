import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETracking
import Testing

/// An app that moves to REST API v2 keeps its analytics.
@Suite(.row("B7"), .fewAtATime)
struct TrackingOfBothDialectsTests {
    @Test func eventsAreTheSame_fieldByField() async throws {
        let classic = try await day(.classic)
        let moved = try await day(.restV2)
        #expect(classic.count == moved.count && classic.count >= 6)
        for (before, after) in zip(classic, moved) {
            #expect(before.name == after.name)
            #expect(before.data.count == after.data.count, "\(before.name)")
            for (field, (old, new)) in zip(before.data, after.data).enumerated() {
                #expect(old == new, "\(before.name), field \(field)")
            }
        }
        #expect(moved.allSatisfy { $0.data.suffix(3).first == "computer" })
    }

    @Test(arguments: [
        (DeviceInformation(hardwareType: .mobilePhone, osName: .iOS), ["mobile", "ios", "iOS"]),
        (DeviceInformation(hardwareType: .tablet, osName: .iOS), ["tablet", "ios", "iOS"]),
        (DeviceInformation(hardwareType: .setTopBox, osName: .tvOS), ["unknown", "ios", "tvOS"]),
        (DeviceInformation(hardwareType: .gamesConsole, osName: .windows), ["gameconsole", "html5", "Windows"]),
        (DeviceInformation(hardwareType: .mobilePhone, osName: .android), ["mobile", "android", "Android"]),
        (DeviceInformation(osName: .linux), ["computer", "html5", "Linux"]),
        (DeviceInformation(hardwareType: .setTopBox, osName: .linux), ["unknown", "html5", "Linux"]),
        (DeviceInformation(osVendor: .apple), ["unknown", "ios", "None"]),
        (DeviceInformation(), ["unknown", "html5", "None"]),
    ])
    func describesTheClient_asTheServiceIsToldOverV2(device: DeviceInformation, tail: [String]) async throws {
        let events = Guarded<[[String]]>([])
        let (session, _) = try await FlowFixture(.restV2).session {
            $0.deviceInformation = device
            // Without them, the service registers no application.
            $0.deviceInformation.model = "M"
            $0.deviceInformation.osVersion = "1"
            $0.trackingSinks = [Sink { event, client in events.withLock { $0.append(event.data(client: client)) } }]
        }
        _ = await session.authenticationStatus()
        #expect(events.withLock(\.first)?.suffix(3) == tail[...])
    }

    /// The end of a session answers its calls, which is no news for analytics.
    @Test(arguments: ServiceDialect.allCases)
    func aClosedSession_tracksNothing(dialect: ServiceDialect) async throws {
        let events = Guarded<[String]>([])
        let (session, _) = try await FlowFixture(dialect).session {
            $0.trackingSinks = [Sink { event, _ in events.withLock { $0.append(event.name) } }]
        }
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer) }
        for await _ in viewer.isAtPage.stream { break }
        let before = events.withLock(\.self)
        await session.end()
        await #expect(throws: TVEError.self) { try await login.value }
        #expect(events.withLock(\.self) == before)
    }

    /// A failure leaves a permission stored, and the service can revoke it.
    ///
    /// Over REST API v2, a stored one decides nothing.
    @Test(
        .timeLimit(.hanging),
        arguments: [
            (ServiceDialect.classic, false, "true"), (.classic, true, "false"), (.restV2, false, "false"),
        ])
    func aPlayThatFails_saysWhetherItsPermissionIsStored(
        dialect: ServiceDialect, isRevoked: Bool, flag: String
    ) async throws {
        let flags = Guarded<[String]>([])
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session {
            $0.trackingSinks = [
                Sink { event, client in
                    if case .authorization = event { flags.withLock { $0.append(event.data(client: client)[3]) } }
                }
            ]
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        fixture.transport.setScript { request, _ in
            if isRevoked, fixture.isAt(.authorization, request) { return dialect.denial }
            guard fixture.isAt(.mediaToken, request) else { return nil }
            return isRevoked ? dialect.endedLogin : .response(status: 500, body: "")
        }
        await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        #expect(flags.withLock(\.self) == ["false", flag])
    }

    /// A start, a login, an authorization, a denial and a logout.
    private func day(_ dialect: ServiceDialect) async throws -> [(name: String, data: [String])] {
        let events = Guarded<[(name: String, data: [String])]>([])
        let (session, _) = try await FlowFixture(dialect).session {
            $0.trackingSinks = [
                Sink { event, client in
                    var data = event.data(client: client)
                    // Each login has a GUID of its own.
                    if event.number != 2, data[2] != "None" { data[2] = "tracking id of \(data[2].count) characters" }
                    events.withLock { $0.append((event.name, data)) }
                }
            ]
        }
        _ = await session.authenticationStatus()
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        _ = try? await session.authorize("DEMO-PLUS")
        _ = await session.authenticationStatus()
        try await session.logout(using: ViewerWhoLogsIn())
        return events.withLock(\.self)
    }

    private struct Sink: TrackingSink {
        let receive: @Sendable (TrackingEvent, TrackedClient) -> Void
        func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) { receive(event, client) }
    }
}
