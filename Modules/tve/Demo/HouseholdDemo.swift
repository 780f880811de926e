import AccessEnabler
import ArgumentParser
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport

struct DemoHouseholdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-household",
        abstract: "Run the story of a household: the phone logs in, and the television joins with a code.",
        discussion: """
            Starts a sandbox of its own, and gives the phone and the television a store each. Exits with 0 only if every \
            step ended as expected.
            """)

    @Flag(help: "Print one JSON object per step instead of a timeline.")
    var json = false

    @OptionGroup var tracing: TraceOption

    func run() async throws {
        let trace = tracing.file.makeTrace()
        let sandbox = try await Sandbox(world: .demo.strict, key: SandboxKey.ofThisTool())
        let timeline = Timeline(json: json, dialect: .restV2, trace: trace)
        let isGood: Bool
        do {
            isGood = try await HouseholdDemo(sandbox: sandbox, timeline: timeline).tell()
            await sandbox.stop()
        } catch {
            await sandbox.stop()
            throw error
        }
        try timeline.finish(isGood: isGood)
        tracing.file.write(trace, title: "tve demo-household", service: "a sandbox in this process")
        if !isGood { throw ExitCode.failure }
    }
}

/// The steps of the demo of a household, which stops at the first step that fails.
private final class HouseholdDemo {
    private let sandbox: Sandbox
    private let timeline: Timeline
    private let transport: any HTTPTransport
    private var code: LinkCode?

    init(sandbox: Sandbox, timeline: Timeline) throws {
        self.sandbox = sandbox
        self.timeline = timeline
        transport = WaitReportingTransport(next: ToolTransport.make(timeout: try ExchangeTimeLimit.limit()))
    }

    func tell() async throws -> Bool {
        let phone = try await session(of: "phone", model: "iPhone", system: .iOS)
        let television = try await session(of: "television", model: "AppleTV", system: .tvOS)
        guard try await begin(on: phone), try await logIn(on: phone), try await makeCode(on: phone),
            try await join(on: television), try await play(on: television), try await list(on: phone),
            try await unlink(television, on: phone), try await beLoggedOut(television)
        else { return false }
        return try await play(on: phone)
    }

    /// A device with its own store and the session on it.
    private struct Device {
        let name: String
        let session: EntitlementSession
        let household: Household
    }

    private func session(of name: String, model: String, system: DeviceInformation.SystemName) async throws -> Device {
        var environment = SessionEnvironment(
            storage: MemoryStorage(), transport: timeline.observed(transport, as: .http), app: DemoApp.identity,
            device: DeviceIdentity(seed: name, app: DemoApp.identity), redirectURL: AccessEnabler.redirectURL)
        environment.deviceInformation = DeviceInformation(model: model, version: "1", osName: system)
        let session = try await EntitlementSession(
            requestorID: "DEMO", softwareStatement: sandbox.softwareStatement,
            serviceProviders: [try ServiceProvider(sandbox.baseURL.absoluteString)], service: .restV2,
            environment: environment)
        guard let household = session.household else { throw ToolFailure(DemoFault.noHousehold) }
        return Device(name: name, session: session, household: household)
    }

    // MARK: - Steps

    private func begin(on phone: Device) async throws -> Bool {
        try await timeline.step("the phone makes a household") {
            try await phone.session.start()
            try await phone.household.create()
            return "The phone has a service token, and no login yet."
        }
    }

    private func logIn(on phone: Device) async throws -> Bool {
        try await timeline.step("the viewer logs in on the phone") { [transport, timeline] in
            let viewer = DemoViewer(transport: timeline.observed(transport, as: .browser))
            let profile = try await phone.session.authenticate(using: viewer)
            return "Logged in with \(profile.mvpdID). The login belongs to the household."
        }
    }

    private func makeCode(on phone: Device) async throws -> Bool {
        try await timeline.step("the phone shows a code") {
            let code = try await phone.household.linkCode()
            self.code = code
            return "A code of \(code.text.count) digits, good for one device."
        }
    }

    private func join(on television: Device) async throws -> Bool {
        try await timeline.step("the television joins with the code") {
            // The viewer types the code with a space in the middle.
            let shown = code.map { LinkCode(typed: "\($0.text.prefix(3)) \($0.text.dropFirst(3))") } ?? nil
            guard let typed = shown else { throw ToolFailure(DemoFault.noCode) }
            let status = try await television.session.joinHousehold(code: typed)
            guard case .authenticated(let profile) = status else {
                throw ToolFailure(DemoFault.noLogin)
            }
            guard profile.kind == .serviceToken else { throw ToolFailure(DemoFault.otherLogin) }
            return "The television is logged in with \(profile.mvpdID), without a login page."
        }
    }

    private func play(on device: Device) async throws -> Bool {
        try await timeline.step("the \(name: device.name) plays a channel") {
            _ = try await device.session.authorize("DEMO-1")
            return "A media token for DEMO-1."
        }
    }

    private func list(on phone: Device) async throws -> Bool {
        try await timeline.step("the phone lists the devices") {
            let models = try await phone.household.devices().compactMap(\.model).sorted()
            guard models == ["AppleTV", "iPhone"] else { throw ToolFailure(DemoFault.otherDevices(models)) }
            return models.joined(separator: ", ")
        }
    }

    private func unlink(_ television: Device, on phone: Device) async throws -> Bool {
        try await timeline.step("the phone unlinks the television") {
            let outcome = try await phone.household.unlink([television.household.deviceID])
            guard outcome.isComplete else { throw ToolFailure(DemoFault.notUnlinked) }
            return "The household has one device again."
        }
    }

    private func beLoggedOut(_ television: Device) async throws -> Bool {
        try await timeline.step("the television asks for a channel") {
            do {
                _ = try await television.session.authorize("DEMO-1")
                throw ToolFailure(DemoFault.stillPlays)
            } catch let error as TVEError where error.code == .notAuthenticated {
                // The step expects this error.
            }
            let membership = try television.household.membership()
            guard membership == .unlinked else { throw ToolFailure(DemoFault.stillLinked("\(membership)")) }
            return "It is logged out, and knows that it was unlinked."
        }
    }
}
