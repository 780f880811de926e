import Foundation
import HTTPTypes
import TVEModels
import TVENetworking

/// Messages for the person at the terminal, on standard error.
enum Terminal {
    /// Whether output may have colour: on a terminal that supports it, unless `NO_COLOR` is set (https://no-color.org).
    static var hasColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Whether a line may be written over: on a terminal that obeys escape sequences.
    private static var rewritesLines: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Whether a person reads all output: neither a pipe nor a file gets a part of it.
    static var isAll: Bool { isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Prints a line for the person, separate from the standard output that a program may read.
    static func note(_ text: String) {
        write("\(Printer.wrapped(Printer.clean(text), for: .standardError))\n")
    }

    /// Draws a picture of equally long lines, unless it is too wide.
    static func draw(_ lines: [String]) {
        guard lines.allSatisfy({ $0.count <= columns(of: STDERR_FILENO) ?? .max }) else { return }
        for line in lines { write("\(line)\n") }
    }

    /// Writes unchanged text to standard error; a text that is lost does not end the work, but the exit code tells it.
    static func write(_ text: String) {
        try? Output.standardError.write(Data(text.utf8))
    }

    /// Writes text in the place of the last line; what does not fit into one line is left out before its end.
    fileprivate static func rewrite(_ text: String, _ end: String = "") {
        write("\r\u{1B}[K\(fitted(text, end, columns: columns(of: STDERR_FILENO)))")
    }

    /// A text and its end on one line: a longer one would wrap, and could not be written over.
    static func fitted(_ text: String, _ end: String, columns: Int?) -> String {
        // Some terminals wrap after the last column, others before the next character.
        guard let columns, text.count + end.count >= columns else { return text + end }
        return "\(text.prefix(max(0, columns - end.count - 2)))…\(end)"
    }

    /// How many columns of a terminal may be used: as many as it has, or `COLUMNS` if that is less; nil for anything else.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        // A terminal that does not know its width says 0.
        return [Int(size.ws_col), wanted ?? 0].filter { $0 > 0 }.min()
    }

    /// Runs something while a line says what is awaited and for how long; on a terminal the line counts.
    static func waiting<Value: Sendable>(
        for what: String, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        guard rewritesLines else {
            note("Waiting for \(what).")
            return await operation()
        }
        return await counting(what, from: 0, operation)
    }

    /// Runs something that is usually short: the line appears after a second.
    static func patiently<Value: Sendable>(
        for what: String, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        await rewritesLines ? counting(what, from: 1, operation) : operation()
    }

    /// Whether a line counts: there is one line, and the first wait has it.
    private static let isCounting = Guarded(false)

    private static func counting<Value: Sendable>(
        _ what: String, from first: Int, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        let isFree = isCounting.withLock { counts in
            defer { counts = true }
            return !counts
        }
        guard isFree else { return await operation() }
        defer { isCounting.withLock { $0 = false } }
        let counter = Task {
            let began = ContinuousClock.now
            var isShown = false
            while !Task.isCancelled {
                let seconds = Int(bounded: (ContinuousClock.now - began) / .seconds(1))
                if seconds >= first {
                    rewrite("Waiting for \(Printer.clean(what))", ": \(seconds) s")
                    isShown = true
                }
                try? await Task.sleep(for: .seconds(1))
            }
            if isShown { rewrite("") }
        }
        let value = await operation()
        counter.cancel()
        await counter.value
        return value
    }

    /// The progress of long work, on a terminal only: `checked 200 of 300, about 4 s left`.
    struct Progress: Sendable {
        private let what: String
        private let began = ContinuousClock.now

        init(_ what: String) { self.what = what }

        /// - Parameters:
        ///   - count: what is done, for people.
        ///   - share: which part of all work that is, from 0 to 1; nil when nobody knows.
        func show(_ count: String, _ share: Double?) {
            guard Terminal.rewritesLines else { return }
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            var rest = ""
            // The first moments say nothing about the speed.
            if let share, share < 1, seconds >= 1, share > 0 {
                rest = ", about \(Int(bounded: (seconds / share * (1 - share)).rounded(.up))) s left"
            }
            Terminal.rewrite("\(what) \(count)", "\(rest)\(share == 1 ? "\n" : "")")
        }

        func show(_ done: Int, of all: Int) {
            show("\(done) of \(all)", all == 0 ? 1 : Double(done) / Double(all))
        }
    }
}

/// A transport whose exchanges say what they wait for when they take longer than a second.
struct PatientTransport: HTTPTransport {
    let next: any HTTPTransport

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        try await Terminal.patiently(for: request.authority ?? "the service") {
            () async -> Result<(HTTPResponse, Data), TransportError> in
            do throws(TransportError) {
                return .success(try await next.send(request, body: body))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
