import ArgumentParser
import Foundation
import TVERedisUses

@main
struct VerifierCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tve-verifier",
        abstract: "Verifies media tokens over HTTP, and grants each one once across all machines.",
        discussion: """
            Four variables override fields of the configuration file: TVE_VERIFIER_LISTEN, TVE_VERIFIER_LOG_LEVEL, \
            TVE_VERIFIER_REDIS_SERVERS (separated by commas) and TVE_VERIFIER_REDIS_PASSWORD. Exits with 78 if the \
            configuration or a file that it names has a mistake, and with 69 if the service cannot listen.
            """,
        version: version)

    /// The version of the program, which is that of the client's package.
    static let version = "0.1.0"

    /// A note that `--check-config` prints for root after a valid configuration.
    static let noteForRoot =
        "This check ran as root, who may read every file. If the service runs as another user, check as that user."

    @Option(
        name: .long, help: "The configuration file, in YAML or JSON; by default the one that TVE_VERIFIER_CONFIG names."
    )
    var config: String?

    @Flag(name: .long, help: "Check the configuration and all files that it names, and exit.")
    var checkConfig = false

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let named = config ?? VerifierConfiguration.variable("TVE_VERIFIER_CONFIG", in: environment)
        guard let path = named, !path.isEmpty else {
            throw ValidationError("\(StartFailure.noConfiguration)")
        }
        let configuration: VerifierConfiguration
        do throws(ConfigurationErrors) {
            configuration = try VerifierConfiguration(file: path, environment: environment)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode(78)
        }
        guard !checkConfig else {
            let problems = configuration.requestors.flatMap(\.directoryProblems)
            for problem in configuration.notes + configuration.requestors.flatMap(\.directoryNotes) + problems {
                FileHandle.standardError.write(Data("\(problem)\n".utf8))
            }
            guard problems.isEmpty else { throw ExitCode(78) }
            print("\(path) is valid.")
            if geteuid() == 0 { print(Self.noteForRoot) }
            return
        }
        // The address is checked before anything is started that would have to be shut down again.
        if let obstacle = configuration.listen.obstacle {
            FileHandle.standardError.write(Data("\(obstacle)\n".utf8))
            throw ExitCode(69)
        }
        let output = StandardError()
        do {
            try await VerifierService(configuration, output: output).run()
        } catch let error as RedisUsesError {
            output.write { _ in Array("\(error)".utf8) }
            throw ExitCode(Self.status(after: error))
        } catch {
            // ArgumentParser would wait for a log reader that is suspended, and this output does not.
            output.write { _ in Array("Error: \(StartFailure.ended("\(error)"))".utf8) }
            throw ExitCode.failure
        }
    }

    /// Returns the status with which the service ends after an error of Redis.
    ///
    /// After 78 systemd does not start it again, because another start would find the same. A lack of file descriptors
    /// or threads may be over by then.
    static func status(after error: RedisUsesError) -> Int32 {
        if case .restartsUnseen = error { 78 } else { 1 }
    }
}
