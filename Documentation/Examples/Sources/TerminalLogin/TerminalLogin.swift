import Foundation
import TVEFlowEngine

/// Logs a viewer in, asks for a media token and logs out again.
@main
struct TerminalLogin {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let service = try? ServiceProvider(arguments[1]),
            let redirect = URL(string: "adobepass://ios.app")
        else {
            say("usage: TerminalLogin SERVICE STATEMENT RESOURCE")
            exit(64)
        }
        // A program that is run again logs in anew; an app keeps its logins in `SealedStorage`.
        let environment = SessionEnvironment(
            storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.terminal", teamID: "EXAMPLE"),
            redirectURL: redirect)
        do throws(TVEError) {
            let session = try await EntitlementSession(
                requestorID: "DEMO", softwareStatement: arguments[2], serviceProviders: [service],
                environment: environment)
            try await watch(arguments[3], session)
        } catch {
            say("\(error.providerMessage ?? error.message ?? error.code.rawValue) \(error.recovery)")
            exit(1)
        }
    }

    private static func watch(_ resource: String, _ session: EntitlementSession) async throws(TVEError) {
        let viewer = TerminalViewer()
        try await session.start()
        let profile = try await session.authenticate(using: viewer)
        say("Logged in with \(profile.mvpdID).")
        let token = try await session.authorize(Resource(resource))
        say("A media token of \(token.rawText.utf8.count) bytes for \(resource).")
        try await session.logout(using: viewer)
        say("Logged out.")
    }
}
