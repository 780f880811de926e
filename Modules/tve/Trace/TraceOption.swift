import ArgumentParser

/// `--trace`, on every command that talks to a service.
struct TraceOption: ParsableArguments {
    @Option(
        name: .customLong("trace"),
        help: ArgumentHelp("Write a page that shows every call, callback, exchange and write.", valueName: "file"))
    var file: String?

    func makeTrace() -> Trace? { file == nil ? nil : Trace() }

    func write(_ trace: Trace?, title: String) throws {
        guard let file, let trace else { return }
        do {
            try trace.write(to: file, title: title)
        } catch {
            throw ValidationError("The trace cannot be written to \(file).")
        }
        Terminal.note("The trace is in \(file).")
    }
}
