import Foundation

/// Messages for the person at the terminal, on standard error.
enum Terminal {
    /// Whether output may have colour: on a terminal that supports it, unless `NO_COLOR` is set (https://no-color.org).
    static var hasColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Prints a line for the person, separate from the standard output that a program may read.
    static func note(_ text: String) {
        write("\(Printer.clean(text))\n")
    }

    /// Writes unchanged text to standard error.
    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Shows the progress of long work, on a terminal only: `checked 100 of 300`.
    static func progress(_ what: String, _ done: Int, of all: Int?) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1B}[K\(what) \(done)\(all.map { " of \($0)" } ?? "")")
        if done == all { write("\n") }
    }

    /// Runs something while a line says what is awaited and for how long; on a terminal the line counts.
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
