import ArgumentParser

/// `--json`, on every command that prints facts; Documentation/CommandLine.md has the shape of each.
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print one JSON object instead of text for people.")
    var isOn = false
}
