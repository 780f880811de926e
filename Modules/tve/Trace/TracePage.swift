import Foundation
import TVEModels

/// A page of its own, with no other file behind it, that shows a trace as a sequence diagram.
struct TracePage {
    let title: String
    let entries: [Trace.Entry]

    private static let row = 24
    private static let lane = 190
    private static let left = 20
    /// Room behind the last lane, and how much of a long text is shown.
    private static let right = 130
    private static let longest = 76
    private static let head = 46

    var html: String {
        let height = Self.head + (entries.count + 1) * Self.row
        let width = Self.width
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title.escapedForXML)</title>
            <style>
            :root { color-scheme: light dark; --ink: #1d2430; --line: #c9d0db; --good: #1f6feb; --bad: #c62828; --note: #6b7686; --paper: #fff }
            @media (prefers-color-scheme: dark) { :root { --ink: #dfe5ee; --line: #3a4454; --good: #6cb0ff; --bad: #ff7b72; --note: #98a3b3; --paper: #12161d } }
            body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: var(--ink); background: var(--paper) }
            h1 { font-size: 1.3em; margin: 0 0 .2em } p { margin: 0 0 1em; color: var(--note) }
            svg { display: block; font: 12px ui-monospace, monospace } svg text { fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 3px }
            .party { font: bold 13px system-ui, sans-serif } .time { fill: var(--note) !important }
            .lane { stroke: var(--line) } .arrow { stroke: var(--good); fill: none } .bad { stroke: var(--bad) }
            .tip { fill: var(--good) } .tip.bad { fill: var(--bad); stroke: none } svg text.bad { fill: var(--bad); stroke: var(--paper) }
            .back { stroke-dasharray: 4 3 } .row:hover rect { fill: var(--line); opacity: .35 } .row rect { fill: transparent }
            .frame { overflow-x: auto }
            </style>
            </head>
            <body>
            <h1>\(title.escapedForXML)</h1>
            <p>\(summary). Times in milliseconds; what is dashed goes back to who asked. Point at a line for its fields. No secret is in this page.</p>
            <div class="frame">
            <svg width="\(width)" height="\(height)" role="img" aria-label="Sequence diagram">
            \(lanes(height: height))
            \(entries.enumerated().map { line($1, at: $0) }.joined(separator: "\n"))
            </svg>
            </div>
            </body>
            </html>

            """
    }

    private var summary: String {
        func count(_ fits: (Trace.Entry) -> Bool) -> Int { entries.count { fits($0) } }
        let exchanges = count { $0.from == .library && $0.to == .service }
        let writes = count { $0.to == .storage }
        let total = (entries.last?.began ?? 0) + (entries.last?.duration ?? 0)
        return "\(exchanges) exchanges with the service, \(writes) writes, \(Int(total.rounded())) ms"
    }

    private func x(_ party: Trace.Party) -> Int {
        let index = Trace.Party.allCases.firstIndex(of: party) ?? 0
        return Self.left + Self.lane / 2 + index * Self.lane
    }

    private func lanes(height: Int) -> String {
        Trace.Party.allCases.map { party in
            "<text class=\"party\" x=\"\(x(party))\" y=\"20\" text-anchor=\"middle\">\(party.rawValue)</text>"
                + "<line class=\"lane\" x1=\"\(x(party))\" y1=\"30\" x2=\"\(x(party))\" y2=\"\(height)\"/>"
        }.joined(separator: "\n")
    }

    private func line(_ entry: Trace.Entry, at index: Int) -> String {
        let y = Self.head + (index + 1) * Self.row
        let (from, to) = (x(entry.from), x(entry.to))
        let direction = to >= from ? 1 : -1
        let isBack = entry.from == .library && entry.to == .app
        let style = entry.isFailure ? " bad" : ""
        let took = entry.duration.map { " (\(Self.text($0)))" } ?? ""
        let tip = "\(to),\(y) \(to - 7 * direction),\(y - 4) \(to - 7 * direction),\(y + 4)"
        return """
            <g class="row"><title>\("\(entry.text)\(took)\n\(entry.details)".escapedForXML)</title>
            <rect x="0" y="\(y - 16)" width="\(Self.width)" height="\(Self.row)"/>
            <text class="time" x="8" y="\(y)">\(Self.text(entry.began))</text>
            <line class="arrow\(style)\(isBack ? " back" : "")" x1="\(from)" y1="\(y)" x2="\(to)" y2="\(y)"/>
            <polygon class="tip\(style)" points="\(tip)"/>
            <text class="\(style)" x="\(min(from, to) + 10)" y="\(y - 5)">\("\(Self.shortened(entry.text))\(took)".escapedForXML)</text></g>
            """
    }

    private static let width = left + lane * Trace.Party.allCases.count + right

    private static func shortened(_ text: String) -> String {
        text.count > longest ? "\(text.prefix(longest - 1))…" : text
    }

    private static func text(_ milliseconds: Double) -> String {
        milliseconds < 10 ? "\((milliseconds * 10).rounded() / 10)" : "\(Int(milliseconds.rounded()))"
    }
}
