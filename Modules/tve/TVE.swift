import ArgumentParser
import Foundation
import TVEStorage

/// The command line of the project.
@main
struct TVE: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tve",
        abstract: "TV Everywhere on the command line.",
        discussion: """
            Exits with 0 when it did what it was asked to do, 1 when the answer is no or a step failed, 2 when the answer \
            could not be found out, and 64 when the command line is wrong.
            """,
        version: "0.1.0",
        subcommands: [
            DemoCommand.self, SandboxCommand.self, DoctorCommand.self, LoginCommand.self, StatusCommand.self,
            ProvidersCommand.self, AuthorizeCommand.self, PreauthorizeCommand.self, MetadataCommand.self,
            LogoutCommand.self, StatsCommand.self,
            TokenCommand.self, StorageCommand.self, SharingApp.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Prints an error, or requested output such as help; errors often contain a service's text.
    private static func end(with error: any Error) -> Never {
        let error = (error as? StorageError).map { ToolFailure($0.sentence) } ?? error
        let code = exitCode(for: error)
        let message = Printer.clean(fullMessage(for: error), keepsLines: true)
        if !message.isEmpty {
            let file = code.isSuccess ? FileHandle.standardOutput : FileHandle.standardError
            try? file.write(contentsOf: Data("\(message)\n".utf8))
        }
        fflush(nil)
        Foundation.exit(code.rawValue)
    }
}
