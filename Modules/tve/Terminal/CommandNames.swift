import ArgumentParser
import TVEModels

/// The names of the tool's commands, which explain a command line with an unknown command.
enum CommandNames {
    /// Returns the problem with the command that a command line names.
    ///
    /// ArgumentParser itself reports a mistyped command as an unexpected argument, and prints the help of the whole
    /// tool when it is asked for help about an unknown command.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the name of the program.
    ///   - root: the command of the whole tool.
    /// - Returns: the fault of the command line, or `nil` if every name is that of a command.
    static func problem(in arguments: [String], of root: any ParsableCommand.Type) -> ArgumentFault? {
        var names = arguments[...]
        if names.first == "help" { names = names.dropFirst() }
        var command = root
        var path = ["tve"]
        for name in names where !command.configuration.subcommands.isEmpty {
            // ArgumentParser handles the options of the tool itself.
            if name.hasBytePrefix("-") || path.count == 1 && name == "help" { return nil }
            guard let next = command.configuration.subcommands.first(where: { Self.name(of: $0) == name }) else {
                // This is a closure because Swift 6.3.1 crashes at a key path into the type of a command.
                let shown = command.configuration.subcommands.compactMap {
                    $0.configuration.shouldDisplay ? Self.name(of: $0) : nil
                }
                let nearest = NearestName.find(for: name, among: shown)
                return .unknownCommand(
                    words(path + [name]), nearest: nearest.map { words(path + [$0]) },
                    help: words(["tve", "help"] + path.dropFirst()))
            }
            command = next
            path.append(name)
        }
        return nil
    }

    /// Returns the words with which a command is called, for example `tve token verify`.
    static func path(of command: any ParsableCommand.Type, below root: any ParsableCommand.Type) -> [String]? {
        if command == root { return [] }
        for next in root.configuration.subcommands {
            guard let name = name(of: next), let rest = path(of: command, below: next) else { continue }
            return [name] + rest
        }
        return nil
    }

    private static func words(_ words: [String]) -> String { words.joined(separator: " ") }

    private static func name(of command: any ParsableCommand.Type) -> String? { command.configuration.commandName }
}
