import ArgumentParser
import Foundation

/// `--trace`, on every command that talks to a service.
struct TraceOption: ParsableArguments {
    @Option(
        name: .customLong("trace"),
        help: ArgumentHelp("Write a page that shows every call, callback, exchange and write.", valueName: "file"))
    var file: String?

    @Flag(name: .customLong("trace-ids"), help: "Let the page show fingerprints, resources and ids of viewers.")
    var showsIDs = false

    func makeTrace() -> Trace? { file == nil ? nil : Trace(showsIDs: showsIDs) }

    /// Writes the page; a failure to write it does not make the command fail.
    func write(_ trace: Trace?, title: String) {
        guard let file, let trace else { return }
        do {
            try trace.write(to: file, title: title)
        } catch {
            return Terminal.note("The trace cannot be written to \(file): \(error.localizedDescription)")
        }
        Terminal.note("The trace is in \(file).")
    }
}
