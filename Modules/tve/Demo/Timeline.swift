import Foundation
import TVEModels
import TVENetworking

/// Collects the entries of the running step and prints each step when it ends.
final class Timeline: Sendable {
    private struct State {
        var step: TimelineStep?
        var count = 0
        let began = ContinuousClock.now
    }

    private let json: Bool
    private let hasColor: Bool
    private let state = Guarded(State())
    /// The trace for the page, if one was requested.
    let trace: Trace?

    init(json: Bool, trace: Trace? = nil) {
        self.json = json
        self.trace = trace
        hasColor = !json && Terminal.hasColor
    }

    func note(_ kind: TimelineStep.Entry.Kind, _ text: String, milliseconds: Double? = nil) {
        state.withLock { $0.step?.entries.append(.init(kind: kind, text: text, milliseconds: milliseconds)) }
        switch kind {
        case .call: trace?.note(.app, .library, text)
        case .callback:
            // A status of level error, or a denial.
            let isFailure = text.contains(", error") || text.hasPrefix("tokenRequestFailed")
            trace?.note(.library, .app, text, isFailure: isFailure)
        case .http, .browser, .result: break
        }
    }

    /// A transport whose exchanges are entries of the timeline.
    func observed(_ transport: any HTTPTransport, as kind: TimelineStep.Entry.Kind) -> any HTTPTransport {
        ObservedTransport(next: transport) { [self] exchange in
            note(kind, exchange.text, milliseconds: exchange.milliseconds)
            trace?.note(exchange, from: kind == .browser ? .browser : .library)
        }
    }

    /// Runs a step; its last entry is the body's result or its error.
    func step(_ call: String, _ body: () async throws -> String) async -> Bool {
        state.withLock { state in
            state.count += 1
            state.step = TimelineStep(number: state.count, call: call)
        }
        trace?.note(.app, .library, call)
        let began = ContinuousClock.now
        var isGood = true
        do {
            note(.result, try await body())
        } catch {
            isGood = false
            note(.result, "\(error)")
        }
        let step = state.withLock { state -> TimelineStep? in
            defer { state.step = nil }
            state.step?.milliseconds = Self.milliseconds(since: began)
            state.step?.isGood = isGood
            return state.step
        }
        if let step { print(step) }
        return isGood
    }

    func finish(isGood: Bool) {
        guard !json else { return }
        let (count, began) = state.withLock { ($0.count, $0.began) }
        let text = isGood ? "All \(count) steps ended as expected" : "Step \(count) did not end as expected"
        Swift.print("\n\(styled(text, isGood ? "32;1" : "31;1")) (\(Printer.time(Self.milliseconds(since: began)))).")
    }

    static func milliseconds(since began: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - began) / .milliseconds(1)
    }

    private func print(_ step: TimelineStep) {
        if json {
            try? Printer.json(step)
            return
        }
        let head = "\("\(step.number)".leftPadded(to: 2))  \(Printer.clean(step.call))"
        let time = Printer.time(step.milliseconds)
        let gap = String(repeating: " ", count: max(2, 96 - head.count - time.count))
        Swift.print("\n\(styled(head, "1"))\(gap)\(styled(time, "2"))")
        for entry in step.entries { Swift.print(line(entry, isGood: step.isGood)) }
        // The reader of a pipe sees each step when it happens.
        fflush(nil)
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

/// One step of the demo: the call and its outcome.
struct TimelineStep: Codable, Sendable {
    struct Entry: Codable, Sendable {
        /// An exchange of the library or of the viewer's browser, a call in answer to a callback, a callback, or the end.
        enum Kind: String, Codable { case http, browser, call, callback, result }

        let kind: Kind
        let text: String
        var milliseconds: Double?
    }

    let number: Int
    /// The call, as an app writes it.
    let call: String
    var entries: [Entry] = []
    var milliseconds = 0.0
    var isGood = true
}
