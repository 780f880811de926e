import Foundation
import TVEFlowEngine

/// Starts a session and shows which exchanges that takes.
@main
struct OwnTransport {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let service = try? ServiceProvider(arguments[1]),
            let redirect = URL(string: "adobepass://ios.app")
        else {
            print("usage: OwnTransport SERVICE STATEMENT")
            exit(64)
        }
        let environment = SessionEnvironment(
            storage: MemoryStorage(), transport: LoggingTransport(next: URLSessionTransport()) { print($0) },
            app: AppIdentity(bundleID: "com.example.logging", teamID: "EXAMPLE"), redirectURL: redirect)
        do throws(TVEError) {
            let session = try await EntitlementSession(
                requestorID: "DEMO", softwareStatement: arguments[2], serviceProviders: [service],
                environment: environment)
            try await session.start()
            let configuration = try await session.configuration()
            print("\(configuration.requestor.providers.count) TV providers.")
        } catch {
            print("\(error.providerMessage ?? error.message ?? error.code.rawValue) \(error.recovery)")
            exit(1)
        }
    }
}
