import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Every request of every flow fails in every way: what the app gets, what stays, how long it takes at most.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OutagesTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Documentation/Outages.md")
    private static let writes = ProcessInfo.processInfo.environment["TVE_WRITE_OUTAGES"] != nil

    /// The seconds for which an access token lasts here.
    static let tokenLifetime: TimeInterval = 3_600

    /// A request that fails in each way, with the outcomes, and the calls for which they are the same.
    private struct Row {
        let endpoint: OutageEndpoint
        let cells: [String]
        var flows: [OutageFlow]
    }

    @Test func thePageSaysWhatHappens() async throws {
        // The dialects have nothing in common, and one after the other they would take twice as long.
        async let restV2 = tables(of: .restV2, titled: "REST API v2")
        async let classic = tables(of: .classic, titled: "The classic services")
        let text = try await restV2 + classic
        let marker = "<!-- The tables are written by OutagesTests with TVE_WRITE_OUTAGES=1. -->\n"
        let present = try String(contentsOf: Self.page, encoding: .utf8)
        let parts = present.split(separator: marker, omittingEmptySubsequences: false)
        let wanted = String(parts[0]) + marker + text
        if Self.writes { try wanted.write(to: Self.page, atomically: true, encoding: .utf8) }
        let known = Set(present.split(separator: "\n"))
        let other = wanted.split(separator: "\n").filter { !known.contains($0) }.joined(separator: "\n")
        #expect(
            Self.writes || present == wanted,
            "The page says something else: run this with TVE_WRITE_OUTAGES=1. What happened:\n\(other)")
    }

    /// Returns the part of the page about one dialect.
    private func tables(of dialect: ServiceDialect, titled title: String) async throws -> String {
        var world = SandboxWorld.demo
        world.behavior.accessTokenLifetime = Int(Self.tokenLifetime)
        let fixture = try await FlowFixture(dialect, world: world)
        var rows: [Row] = []
        var usual: [OutageFlow: String] = [:]
        for flow in OutageFlow.allCases {
            let (found, outcome) = try await self.rows(of: flow, fixture)
            usual[flow] = outcome
            for row in found {
                if let index = rows.firstIndex(where: { $0.endpoint == row.endpoint && $0.cells == row.cells }) {
                    rows[index].flows += row.flows
                } else {
                    rows.append(row)
                }
            }
        }
        let head = ["the app's call", "the request that fails"] + Outage.allCases.map(\.rawValue)
        var text = "\n## \(title)\n\n| \(head.joined(separator: " | ")) |\n|\(head.map { _ in "---|" }.joined())\n"
        for row in rows {
            let flows = row.flows.map(\.rawValue).joined(separator: "; ")
            text += "| \(flows) | `\(row.endpoint)` | \(row.cells.joined(separator: " | ")) |\n"
        }
        text += "\n| the app's call | the disk is full | another process keeps the store locked |\n|---|---|---|\n"
        for flow in OutageFlow.allCases {
            let intact = try #require(usual[flow])
            let full = try await outcome(of: flow, while: .writing, fixture, insteadOf: intact)
            let locked = try await outcome(of: flow, while: .locked, fixture, insteadOf: intact)
            text += "| \(flow.rawValue) | \(full) | \(locked) |\n"
        }
        return text
    }

    // MARK: - One flow

    /// Returns the rows of a flow, and the outcome with its time if nothing fails.
    private func rows(of flow: OutageFlow, _ fixture: FlowFixture) async throws -> ([Row], usual: String) {
        var count = 0
        var contents: [StorageChange] = []
        // A logout, like a login, changes what the service keeps for the device.
        let isShared = flow.hasLogin && flow != .logout
        func newDevice() async throws -> OutageDevice {
            let name = isShared ? "\(flow)" : "\(flow) \(count)"
            if flow.hasLogin, contents.isEmpty || !isShared {
                contents = try await OutageDevice.login(flow, fixture, named: name)
            }
            count += 1
            return try await OutageDevice(flow, fixture, named: name, with: contents)
        }
        // The first run has no failure and records the requests of the flow in their order.
        let asked = Guarded<[OutageEndpoint]>([])
        let device = try await newDevice()
        fixture.transport.setScript { request, _ in
            asked.withLock { $0.append(OutageEndpoint(request)) }
            return nil
        }
        let before = device.stored
        let began = fixture.clock.now
        let usual = await device.run()
        let usualWithTime = described(usual, of: flow, since: began, fixture)
        await settle(device, fixture)
        if flow != .logout { #expect(before.subtracting(device.stored).isEmpty, "\(flow): \(usual)") }
        await device.session.end()
        var rows: [Row] = []
        for endpoint in asked.withLock(\.self) where !rows.contains(where: { $0.endpoint == endpoint }) {
            var cells: [String] = []
            for outage in Outage.allCases {
                cells.append(try await cell(newDevice(), failing: endpoint, by: outage, usual: usual))
            }
            rows.append(Row(endpoint: endpoint, cells: cells, flows: [flow]))
        }
        return (rows, usualWithTime)
    }

    /// Makes a request fail in one way, and describes the outcome of the app's call, the data that is stored in
    /// addition, and the time that the call took.
    private func cell(
        _ device: OutageDevice, failing endpoint: OutageEndpoint, by outage: Outage, usual: String
    ) async throws -> String {
        let (flow, fixture, before) = (device.flow, device.fixture, device.stored)
        let gate = Gate()
        device.afterFirstPlay.withLock { $0 = gate }
        let isAfterAnswer = flow.sendsAfterAnswer(endpoint)
        // A viewer types a code while the outage lasts, and is logged in after it.
        let rest = Guarded(flow == .loginElsewhere ? 10 : Int.max)
        fixture.transport.setInterception { [clock = fixture.clock] request, _ in
            guard OutageEndpoint(request) == endpoint else { return nil }
            // If the app's call waited for this, it would never end.
            if isAfterAnswer { await gate.pass() }
            let lasts = rest.withLock { rest in
                rest -= 1
                return rest >= 0
            }
            return lasts ? outage.answer(clock) : nil
        }
        let began = fixture.clock.now
        let outcome = await device.run()
        // The time of a login on another screen depends on the viewer, who types the code between two polls.
        let hasTime = !isAfterAnswer && flow != .loginElsewhere
        let seconds = hasTime ? Int(fixture.clock.now.timeIntervalSince(began)) : 0
        gate.open()
        await settle(device, fixture)
        let note = Comment(rawValue: "\(flow), \(endpoint), \(outage): \(outcome)")
        let isUsual = outcome == usual
        var cell = isUsual ? "succeeds" : outcome
        if flow == .logout {
            // The logout is recorded and sent to the service later.
            if !device.storage.keys(under: StorageKey("logout")).isEmpty { cell += ", noted" }
        } else {
            let lost = before.subtracting(device.stored)
            #expect(lost.isEmpty, note)
            if flow.hasLogin {
                #expect(try await device.playsAfterRestart(), note)
            } else {
                fixture.clock.advance(by: 60)
                #expect(await device.run() == usual, note)
            }
        }
        await device.session.end()
        if fixture.dialect == .restV2 {
            switch flow {
            // The goal is that only a failure of the request itself stops a play of a viewer who is logged in.
            case .authorize, .restart, .authorizeLater:
                #expect(isUsual || endpoint.isAuthorization || endpoint.isAccessToken, note)
            case .status, .metadata, .logout: #expect(isUsual, note)
            case .start, .picker, .loginHere, .loginElsewhere, .authorizeAnew, .preauthorize: break
            }
        }
        return seconds > 0 ? "\(cell), \(seconds) s" : cell
    }

    // MARK: - A store that cannot be written

    /// Makes the writes of one flow fail, and describes the outcome of the app's call and the time that it took.
    ///
    /// - Parameter usual: the outcome and the time with an intact store.
    private func outcome(
        of flow: OutageFlow, while fault: FailingStorage.Fault, _ fixture: FlowFixture, insteadOf usual: String
    ) async throws -> String {
        let name = "\(flow), store \(fault)"
        let contents = flow.hasLogin ? try await OutageDevice.login(flow, fixture, named: name) : []
        let device = try await OutageDevice(flow, fixture, named: name, with: contents)
        let before = device.stored
        device.failing.fail(fault)
        let began = fixture.clock.now
        let outcome = await device.run()
        let outcomeWithTime = described(outcome, of: flow, since: began, fixture)
        await settle(device, fixture)
        device.failing.fail(nil)
        let note = Comment(rawValue: "\(name): \(outcome)")
        // Nobody waits long for the turn of the session in which it writes.
        #expect(device.failing.longestWait <= .milliseconds(250), note)
        #expect(before.subtracting(device.stored).isEmpty, note)
        if flow.hasLogin { #expect(try await device.playsAfterRestart(), note) }
        await device.session.end()
        switch flow {
        case .authorize, .authorizeLater, .restart, .status, .preauthorize, .metadata:
            #expect(outcomeWithTime == usual, "A play and its questions need no write: \(flow)")
        case .start, .picker, .loginHere, .loginElsewhere, .authorizeAnew, .logout: break
        }
        return outcomeWithTime == usual ? "succeeds" : outcomeWithTime
    }

    /// Returns an outcome with the time that the app's call took, if it took any.
    private func described(
        _ outcome: String, of flow: OutageFlow, since began: Date, _ fixture: FlowFixture
    ) -> String {
        // A login elsewhere takes as long as the viewer does.
        let seconds = flow == .loginElsewhere ? 0 : Int(fixture.clock.now.timeIntervalSince(began).rounded())
        return seconds > 0 ? "\(outcome), \(seconds) s" : outcome
    }

    /// Lets the requests after the app's call end, and everything work again.
    private func settle(_ device: OutageDevice, _ fixture: FlowFixture) async {
        await device.session.refreshTask?.value
        fixture.transport.setScript { _, _ in nil }
    }
}
