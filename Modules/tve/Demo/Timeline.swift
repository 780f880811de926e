import Foundation
import TVEModels
import TVENetworking
import TVETestSupport

/// The timeline of a demo, which collects the entries of the running step and prints each step when it ends.
final class Timeline: Sendable {
    private struct State {
        var step: TimelineStep?
        var count = 0
        let began = ContinuousClock.now
    }

    private let json: Bool
    /// The title that is printed before the first step, if any.
    private let title: String?
    private let dialect: ServiceDialect
    private let hasColor: Bool
    private let columns: Int
    private let state = Guarded(State())
    /// The trace for the page, if one was requested.
    let trace: Trace?

    init(json: Bool, title: String? = nil, dialect: ServiceDialect, trace: Trace? = nil) {
        self.json = json
        self.title = title
        self.dialect = dialect
        self.trace = trace
        hasColor = !json && Terminal.hasColor
        columns = Terminal.columns(of: STDOUT_FILENO) ?? 96
    }

    /// Records a call with which the app responds to a callback.
    func note(call: TraceText) {
        add(.call, call.text(showsIDs: true))
        trace?.note(call, from: .app, to: .library)
    }

    func note(_ callback: ClassicCallback) {
        add(.callback, "\(callback)")
        let isFailure =
            switch callback {
            case .tokenRequestFailed: true
            case .status(_, let level, _, _): level == "error"
            default: false
            }
        trace?.note(TraceText(callback), from: .library, to: .app, isFailure: isFailure)
    }

    private func add(_ kind: TimelineStep.Entry.Kind, _ text: String, milliseconds: Double? = nil) {
        state.withLock { $0.step?.entries.append(.init(kind: kind, text: text, milliseconds: milliseconds)) }
    }

    /// Returns a transport whose exchanges become entries of the timeline.
    func observed(_ transport: any HTTPTransport, as kind: TimelineStep.Entry.Kind) -> any HTTPTransport {
        ObservedTransport(next: transport) { [self] exchange in
            add(kind, exchange.text.text(showsIDs: true), milliseconds: exchange.milliseconds)
            trace?.note(exchange, from: kind == .browser ? .browser : .library)
        }
    }

    /// Runs a step, whose last entry is the result or the error of the body.
    ///
    /// - Returns: a Boolean value that indicates whether the body succeeded.
    func step(_ call: TraceText, _ body: () async throws -> String) async throws -> Bool {
        state.withLock { state in
            state.count += 1
            state.step = TimelineStep(
                dialect: dialect == .restV2 ? "v2" : "classic", number: state.count, call: call.text(showsIDs: true))
        }
        trace?.note(call, from: .app, to: .library)
        let began = ContinuousClock.now
        var isGood = true
        do {
            add(.result, try await body())
        } catch {
            isGood = false
            add(.result, ToolFailure(error).description)
        }
        let step = state.withLock { state -> TimelineStep? in
            defer { state.step = nil }
            state.step?.milliseconds = Self.milliseconds(since: began)
            state.step?.isGood = isGood
            return state.step
        }
        if let step { try print(step) }
        return isGood
    }

    func begin() throws {
        guard let title, !json else { return }
        try Printer.styled("\n\(styled(title, "1;4"))")
    }

    func finish(isGood: Bool) throws {
        guard !json else { return }
        let (count, began) = state.withLock { ($0.count, $0.began) }
        let text = isGood ? "All \(count) steps ended as expected" : "Step \(count) did not end as expected"
        let time = Printer.time(Self.milliseconds(since: began))
        try Printer.styled("\n\(styled(text, isGood ? "32;1" : "31;1")) (\(time)).")
    }

    static func milliseconds(since began: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - began) / .milliseconds(1)
    }

    private func print(_ step: TimelineStep) throws {
        if json { return try Printer.json(step) }
        let head = "\("\(step.number)".leftPadded(to: 2))  \(Printer.clean(step.call))"
        let time = Printer.time(step.milliseconds)
        let gap = String(repeating: " ", count: max(2, min(96, columns) - head.count - time.count))
        let lines = ["\n\(styled(head, "1"))\(gap)\(styled(time, "2"))"]
        try Printer.styled((lines + step.entries.map { line($0, isGood: step.isGood) }).joined(separator: "\n"))
    }

    private func line(_ entry: TimelineStep.Entry, isGood: Bool) -> String {
        let (label, style) =
            switch entry.kind {
            case .http: ("http    →", "36")
            case .browser: ("browser →", "35")
            case .call: ("call    →", "1")
            case .callback: ("callback ←", "33")
            case .result: (isGood ? "ok" : "failed", isGood ? "32" : "31")
            }
        let gap = String(repeating: " ", count: 12 - label.count)
        let time = entry.milliseconds.map { "  \(styled(Printer.time($0), "2"))" } ?? ""
        return "    \(styled(label, style))\(gap)\(Printer.clean(entry.text))\(time)"
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// A step of the demo, with the call and its outcome.
struct TimelineStep: Codable, Sendable {
    struct Entry: Codable, Sendable {
        enum Kind: String, Codable {
            /// An exchange of the library.
            case http
            /// An exchange of the viewer's browser.
            case browser
            /// A call with which the app responds to a callback.
            case call
            case callback
            /// The end of the step.
            case result
        }

        let kind: Kind
        let text: String
        var milliseconds: Double?
    }

    let dialect: String
    let number: Int
    /// The call as an app writes it.
    let call: String
    var entries: [Entry] = []
    var milliseconds = 0.0
    var isGood = true
}
