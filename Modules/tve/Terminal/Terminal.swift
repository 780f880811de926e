import Foundation

/// Tells a person what goes on, on standard error.
enum Terminal {
    /// Whether output may have colour: on a terminal that knows them, unless `NO_COLOR` is set (https://no-color.org).
    static var hasColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Prints a line for the person, beside what a program may read from standard output.
    static func note(_ text: String) {
        write("\(Printer.clean(text))\n")
    }

    /// Writes to standard error as it stands.
    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Shows how far long work is, on a terminal alone; ends with the line's end.
    ///
    /// - Parameters:
    ///   - what: what is counted, for example `checked`.
    ///   - done: how many.
    ///   - all: of how many; nil when that is not known.
    static func progress(_ what: String, _ done: Int, of all: Int?) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1B}[K\(what) \(done)\(all.map { " of \($0)" } ?? "")")
        if done == all { write("\n") }
    }

    /// Runs something while a line says what is waited for and for how long; on a terminal the line counts.
    static func waiting<Value: Sendable>(
        for what: String, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        guard isatty(STDERR_FILENO) == 1 else {
            note("Waiting for \(what).")
            return await operation()
        }
        let counter = Task {
            let began = ContinuousClock.now
            while !Task.isCancelled {
                let seconds = Int((ContinuousClock.now - began) / .seconds(1))
                write("\r\u{1B}[KWaiting for \(Printer.clean(what)): \(seconds) s")
                try? await Task.sleep(for: .seconds(1))
            }
        }
        let value = await operation()
        counter.cancel()
        await counter.value
        write("\r\u{1B}[K")
        return value
    }
}
