import Foundation
import HTTPTypes
import TVEModels
import TVENetworking

/// The messages for the person at the terminal, which go to standard error.
enum Terminal {
    /// A Boolean value that indicates whether output may have colours.
    ///
    /// The terminal must support them, and `NO_COLOR` must not be set (https://no-color.org).
    static var hasColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// A Boolean value that indicates whether a line can be overwritten on a terminal that supports escape sequences.
    private static var rewritesLines: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// A Boolean value that indicates whether all output goes to a terminal and none of it into a pipe or a file.
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

    /// Writes unchanged text to standard error.
    ///
    /// If the text is lost, the work continues, but the exit code reports the loss.
    static func write(_ text: String) {
        try? Output.standardError.write(Data(text.utf8))
    }

    /// Overwrites the last line with a text, which is shortened before its end if it does not fit.
    fileprivate static func rewrite(_ text: String, _ end: String = "") {
        write("\r\u{1B}[K\(fitted(text, end, columns: columns(of: STDERR_FILENO)))")
    }

    /// Returns a text and its end, shortened to one line because a longer one would wrap and could not be overwritten.
    static func fitted(_ text: String, _ end: String, columns: Int?) -> String {
        // Some terminals wrap after the last column, others before the next character.
        guard let columns, text.count + end.count >= columns else { return text + end }
        return "\(text.prefix(max(0, columns - end.count - 2)))…\(end)"
    }

    /// Returns the number of columns that may be used, or `nil` if the descriptor is not a terminal.
    ///
    /// The number is that of the terminal, or the value of `COLUMNS` if that is smaller.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        // A terminal that does not know its width reports 0.
        return [Int(size.ws_col), wanted ?? 0].filter { $0 > 0 }.min()
    }

    /// Runs an operation while a line says what the command waits for.
    ///
    /// On a terminal, the line also shows the seconds that have passed.
    static func waiting<Value: Sendable>(
        for what: String, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        guard rewritesLines else {
            note("Waiting for \(what).")
            return await operation()
        }
        return await counting(what, from: 0, operation)
    }

    /// Runs an operation that is usually short, with a line that appears on a terminal after a second.
    static func reportingWait<Value: Sendable>(
        for what: String, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        await rewritesLines ? counting(what, from: 1, operation) : operation()
    }

    /// A Boolean value that indicates whether a wait already uses the one line for waiting.
    private static let isCounting = Guarded(false)

    private static func counting<Value: Sendable>(
        _ what: String, from first: Int, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        let isFree = isCounting.withLock { isCounting in
            defer { isCounting = true }
            return !isCounting
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

    /// The progress of long work, shown only on a terminal, for example `checked 200 of 300, about 4 s left`.
    struct Progress: Sendable {
        private let what: String
        private let began = ContinuousClock.now

        init(_ what: String) { self.what = what }

        /// Shows the progress.
        ///
        /// - Parameters:
        ///   - count: the finished work, as a text for people.
        ///   - share: the finished part of the work from 0 to 1, or `nil` if it is unknown.
        func show(_ count: String, _ share: Double?) {
            guard Terminal.rewritesLines else { return }
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            var rest = ""
            // In the first second, the speed cannot be estimated.
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

/// A transport that shows what the command waits for when an exchange takes longer than a second.
struct WaitReportingTransport: HTTPTransport {
    let next: any HTTPTransport

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        try await Terminal.reportingWait(for: request.authority ?? "the service") {
            () async -> Result<(HTTPResponse, Data), TransportError> in
            do throws(TransportError) {
                return .success(try await next.send(request, body: body))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
