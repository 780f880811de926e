import AccessEnabler
import ArgumentParser
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage

/// An app of the single sign-on demo, which `tve demo-sso` runs in its own process for each step.
struct SharingApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sharing-app", abstract: "One app of the single sign-on demo.", shouldDisplay: false)

    @Option var service: String
    @Option var statement: String
    @Option var bundle: String
    @Option var team: String
    @Option var boards: String
    @Flag var systemWide = false
    @Flag var erasesForeignTokens = false
    @Flag var logsIn = false

    func run() async throws {
        let provider = try ServiceProvider(argument: service)
        let app = AppIdentity(bundleID: bundle, teamID: team)
        var environment = SessionEnvironment(
            storage: PasteboardStorage(
                name: "entitlements", generation: systemWide ? .systemWide : .team(team),
                boards: URL(fileURLWithPath: boards, isDirectory: true)),
            app: app,
            // Before iOS 7 every app saw the same device id. Since then each vendor has had its own.
            device: DeviceIdentity(seed: "demo-device", app: systemWide ? nil : app),
            redirectURL: AccessEnabler.redirectURL)
        environment.housekeeping.foreignTokens = erasesForeignTokens ? .removeEverything : .ignore
        let session = try await EntitlementSession(
            requestorID: "DEMO", softwareStatement: statement, serviceProviders: [provider], service: .classic,
            environment: environment)
        try await session.start()
        if logsIn { try await session.authenticate(using: DemoViewer(transport: URLSessionTransport())) }
        let isLoggedIn = if case .authenticated = await session.authenticationStatus() { true } else { false }
        try Printer.line(isLoggedIn ? "yes" : "no")
    }
}
