import ArgumentParser
import Foundation
import TVEModels
import TVENetworking
import TVEStorage

/// The command `tve`, which contains all other commands.
@main
struct TVE: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tve",
        abstract: "TV Everywhere on the command line.",
        discussion: """
            Exits with 0 when it did what it was asked to do, 1 when the answer is no or a step failed, 2 when the answer \
            could not be determined or not be written, and 64 when the command line is wrong.
            """,
        version: "0.1.0",
        subcommands: [
            DemoCommand.self, DemoHouseholdCommand.self, DemoSSOCommand.self, SandboxCommand.self,
            ConformanceCommand.self, DoctorCommand.self,
            LoginCommand.self,
            StatusCommand.self,
            ProvidersCommand.self, AuthorizeCommand.self, PreauthorizeCommand.self, MetadataCommand.self,
            LogoutCommand.self, HouseholdCommand.self, StatsCommand.self,
            TokenCommand.self, StorageCommand.self, SharingApp.self, SimulatedViewerCommand.self,
        ])

    /// The command line of this process without the name of the program.
    static var ownArguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    static func main() async {
        Output.reserveStreams()
        // The environment is changed before there is another thread. Clients of `conformance --run` inherit it.
        ProxyVariables.exemptThisMachine()
        let failure = await Self.failure(of: ownArguments)
        end(with: failure?.error, of: failure?.command)
    }

    /// The error that ended a run, or output such as help that was requested.
    struct Failure {
        let error: any Error
        /// The command line without the name of the program.
        let arguments: [String]
        /// The command that was running, or `nil` if the command line could not be read.
        var command: (any ParsableCommand.Type)?

        /// The exit code of the run.
        var status: Int32 { TVE.code(error).rawValue }

        /// The text for the person, which is cleaned because it often contains the text of a service.
        var text: String {
            let shown: any Error = error.isOfSystem ? ToolFailure(error) : error
            let message = TVE.message(for: shown, of: command, in: arguments)
            return Printer.clean(message, keepsLines: true)
        }
    }

    /// Runs the command that a command line names.
    ///
    /// - Parameter arguments: the command line without the name of the program.
    /// - Returns: `nil` if the command succeeded.
    static func failure(of arguments: [String]) async -> Failure? {
        var places: StorePlaces?
        var running: (any ParsableCommand.Type)?
        do {
            var command = try await Self.command(in: arguments)
            running = type(of: command)
            places = Self.places(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return nil
        } catch let error as StorageError {
            return Failure(error: places.map { StoreProblem(error, at: $0).failure } ?? error, arguments: arguments)
        } catch {
            return Failure(error: error, arguments: arguments, command: running)
        }
    }

    /// Reads a command line.
    ///
    /// - Parameter arguments: the command line without the name of the program.
    /// - Returns: the command that it names, with its arguments.
    /// - Throws: `ToolFailure` if there is no such command, or an error about its arguments.
    static func command(in arguments: [String]) async throws -> any ParsableCommand {
        if let problem = CommandNames.problem(in: arguments, of: Self.self) {
            throw ToolFailure(problem, code: .validationFailure)
        }
        return try await asyncParseAsRoot(arguments)
    }

    /// Prints an error, or requested output such as help, and ends the program.
    ///
    /// - Parameters:
    ///   - error: the error, or `nil` if the command succeeded.
    ///   - command: the command that was running, or `nil` if the command line could not be read.
    static func end(with error: (any Error)?, of command: (any ParsableCommand.Type)? = nil) -> Never {
        let failure = error.map { Failure(error: $0, arguments: ownArguments, command: command) }
        var status = failure?.status ?? ExitCode.success.rawValue
        do {
            let text = failure?.text ?? ""
            let isSuccess = status == ExitCode.success.rawValue
            let stream = isSuccess ? Output.standardOutput : .standardError
            // A shell's completion script must not be wrapped.
            let isForPeople = !isSuccess || text.hasBytePrefix("OVERVIEW: ")
            let lines = isForPeople ? Printer.wrapped(text, for: stream) : text
            if !text.isEmpty { try stream.write(Data("\(lines)\n".utf8)) }
        } catch {
            // If the text is lost, the exit code still reports the failure.
        }
        if status == ExitCode.success.rawValue, let loss = Output.loss {
            status = ExitCode.unknown.rawValue
            if loss.stream == .standardOutput { Terminal.note("Error: \(loss)") }
        }
        Foundation.exit(status)
    }

    /// Returns the text of an error, which does not repeat a secret that was given in a wrong place.
    private static func message(
        for error: any Error, of command: (any ParsableCommand.Type)?, in arguments: [String]
    ) -> String {
        let text = wholeMessage(for: error, of: command)
        return GivenSecret.isRepeated(in: text, of: arguments) ? "Error: \(ArgumentFault.secretInError)" : text
    }

    /// Returns the text of an error as it is.
    ///
    /// If a command rejected its arguments while it ran, the text includes the usage of the command.
    private static func wholeMessage(for error: any Error, of command: (any ParsableCommand.Type)?) -> String {
        guard let problem = error as? ValidationError, let command,
            let path = CommandNames.path(of: command, below: Self.self)
        else { return fullMessage(for: error) }
        let name = (["tve"] + path).joined(separator: " ")
        return "Error: \(problem.message)\nUsage: \(usageString(for: command))\n"
            + "  See '\(name) --help' for more information."
    }

    private static func places(of command: any ParsableCommand) -> StorePlaces? {
        (command as? any UsesStore)?.places
    }

    private static func code(_ error: any Error) -> ExitCode {
        switch error {
        case let failure as ToolFailure: failure.code
        case is OutputFailure: .unknown
        case _ where error.isOfSystem: .unknown
        case let error as TVEError: error.isWithoutAnswer ? .unknown : .failure
        default: exitCode(for: error)
        }
    }
}
