#if VerificationService
import ArgumentParser
import Foundation

/// The command line of the service.
@main
struct VerifierCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tve-verifier", abstract: "Judges media tokens over HTTP, each one once across all machines.")

    @Option(name: .long, help: "A file in YAML or JSON; TVE_VERIFIER_CONFIG names it as well.")
    var config: String?

    @Flag(name: .long, help: "Read the configuration and all that it names, say whether it is good, and end.")
    var checkConfig = false

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let path = config ?? environment["TVE_VERIFIER_CONFIG"] else {
            throw ValidationError("--config FILE or TVE_VERIFIER_CONFIG is needed.")
        }
        let configuration: VerifierConfiguration
        do throws(ConfigurationError) {
            configuration = try VerifierConfiguration(file: path, environment: environment)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode(78)
        }
        guard !checkConfig else {
            print("\(path) is good.")
            return
        }
        try await VerifierService(configuration).run()
    }
}
#else
/// Without the trait `VerificationService` there is no service.
@main
enum VerifierCommand {
    static func main() {
        print("tve-verifier needs its trait: swift run --traits VerificationService tve-verifier --config FILE")
    }
}
#endif
