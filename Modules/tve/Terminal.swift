import Foundation

/// Makes text from outside harmless for a terminal, and tells a person what goes on.
enum Terminal {
    /// The text with every control character shown as `?`, so that it can neither move the cursor nor colour anything.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }

    /// Prints a line for the person, beside what a program may read from standard output.
    static func note(_ text: String) {
        write("\(printable(text))\n")
    }

    /// Writes to standard error as it stands.
    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
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
                write("\r\u{1B}[KWaiting for \(printable(what)): \(seconds) s")
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
