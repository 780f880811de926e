import TVEFlowEngine

/// Shows a code, and waits until the viewer has typed it on another device and logged in there.
@main
struct SecondScreen {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let service = try? ServiceProvider(arguments[1]),
            let redirect = URL(string: "adobepass://ios.app")
        else {
            say("usage: SecondScreen SERVICE STATEMENT PROVIDER")
            exit(64)
        }
        var environment = SessionEnvironment(
            storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.television", teamID: "EXAMPLE"),
            redirectURL: redirect)
        environment.loginStyle = .secondScreen
        do throws(TVEError) {
            let session = try await EntitlementSession(
                requestorID: "DEMO", softwareStatement: arguments[2], serviceProviders: [service],
                environment: environment)
            try await session.start()
            let profile = try await session.authenticate(using: Television(providerID: MVPDID(arguments[3])))
            say("Logged in with \(profile.mvpdID).")
        } catch {
            say("\(error.providerMessage ?? error.message ?? error.code.rawValue) \(error.recovery)")
            exit(1)
        }
    }
}

/// A television with one provider, which shows codes and no pages.
struct Television: SecondScreenPresenter {
    let providerID: MVPDID

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { providerID }

    func show(_ code: RegistrationCode) async { say("Type \(code.code) at the activation page.") }

    func hideCode() async { say("The code is no longer needed.") }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
