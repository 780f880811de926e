import Foundation
import TVEModels
import TVESandbox

/// A page that shows two exchanges or two flows side by side, with marks on the lines that differ.
enum ComparePage {
    static func page(_ routes: SandboxRoutes, _ request: SandboxRequest) -> ConsolePage? {
        let left = number(request, "left")
        let right = number(request, "right")
        if request.query["of"] == "flows" {
            let all = routes.log.exchanges.sorted { $0.id < $1.id }
            func lines(_ flow: Int?) -> [String] { all.filter { $0.facts.flow == flow && flow != nil }.map(line) }
            guard let left, let right, !lines(left).isEmpty, !lines(right).isEmpty else { return nil }
            return page(
                titled: "Flow \(left) and flow \(right)",
                left: ("Flow \(left)", "/console/sequence?flow=\(left)"),
                right: ("Flow \(right)", "/console/sequence?flow=\(right)"),
                parts: [("Exchanges", lines(left), lines(right))])
        }
        guard let one = left.flatMap(routes.log.exchange), let other = right.flatMap(routes.log.exchange) else {
            return nil
        }
        return page(
            titled: "Exchange \(one.id) and exchange \(other.id)",
            left: ("Exchange \(one.id)", "/console/exchanges/\(one.id)"),
            right: ("Exchange \(other.id)", "/console/exchanges/\(other.id)"),
            parts: zip(parts(one), parts(other)).map { ($0.0.name, $0.0.lines, $0.1.lines) })
    }

    private static func number(_ request: SandboxRequest, _ name: String) -> Int? {
        request.query[name].flatMap { Int($0) }
    }

    private static func line(_ exchange: SandboxExchange) -> String {
        let said = ExchangeChanges.texts(exchange).map { " – \($0)" }.joined()
        return "\(exchange.facts.title): \(exchange.method) \(exchange.path) \(ExchangeRow.status(exchange))\(said)"
    }

    /// Returns the parts of an exchange as lines, with secrets masked.
    private static func parts(_ exchange: SandboxExchange) -> [(name: String, lines: [String])] {
        let masking = Masking(shows: false)
        func headers(_ message: SandboxExchange.Message) -> [String] {
            message.headers.map { "\($0.name): \(masking.value($0.value, of: $0.name))" }
        }
        func body(_ message: SandboxExchange.Message) -> [String] {
            BodyText(message, masking).text.parts(separatedBy: "\n").map { String($0) }
        }
        let said = [ExchangeRow.status(exchange)] + ExchangeChanges.texts(exchange)
        return [
            ("Request", ["\(exchange.method) \(masking.text(exchange.target))"] + headers(exchange.request)),
            ("Body of the request", body(exchange.request)),
            ("Answer", said + headers(exchange.answer)),
            ("Body of the answer", body(exchange.answer)),
        ]
    }

    private static func page(
        titled title: String, left: (name: String, link: String), right: (name: String, link: String),
        parts: [(name: String, left: [String], right: [String])]
    ) -> ConsolePage {
        let head = [left, right]
            .map { "<th scope=\"col\"><a href=\"\($0.link)\">\($0.name)</a></th>" }.joined()
        let tables = parts.map { part in
            let rows = LineComparison(part.left, part.right).rows
            let lines = rows.map { row in
                let differs = row.left != row.right
                let cells =
                    cell(row.left, element: "del", differs: differs) + cell(row.right, element: "ins", differs: differs)
                return "<tr\(differs ? " class=\"differs\"" : "")>\(cells)</tr>"
            }
            let count = rows.count { $0.left != $0.right }
            let words = count == 0 ? "the same" : count == 1 ? "1 line differs" : "\(count) lines differ"
            return """
                <section><h2>\(part.name) <small>\(words)</small></h2>
                <table class="compare"><caption class="unseen">\(part.name)</caption><thead><tr>\(head)</tr></thead><tbody>\(lines.joined(separator: "\n"))</tbody></table></section>
                """
        }
        return ConsolePage(
            view: .exchanges, title: title,
            content: "<p class=\"quiet\">Secrets are hidden on both sides.</p>\n\(tables.joined(separator: "\n"))")
    }

    private static func cell(_ line: String?, element: String, differs: Bool) -> String {
        guard let line else { return "<td></td>" }
        let text = line.escapedForXML
        return "<td>\(differs ? "<\(element)>\(text)</\(element)>" : text)</td>"
    }
}

/// Two lists of lines, aligned so that equal lines stand in the same row.
struct LineComparison {
    /// A line of each side; a side is `nil` where only the other side has a line.
    struct Row: Equatable {
        var left: String?
        var right: String?
    }

    let rows: [Row]

    /// The maximum number of lines of a side that are aligned.
    ///
    /// Longer sides are compared line by line, because the time for the alignment grows with the square of the length.
    private static let maximum = 1_000

    init(_ left: [String], _ right: [String]) {
        guard left.count <= Self.maximum, right.count <= Self.maximum else {
            rows = (0..<max(left.count, right.count)).map { place in
                Row(
                    left: left.indices.contains(place) ? left[place] : nil,
                    right: right.indices.contains(place) ? right[place] : nil)
            }
            return
        }
        let difference = right.difference(from: left) { $0.isSameBytes(as: $1) }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): inserted.insert(place)
            }
        }
        var rows: [Row] = []
        var one = 0
        var other = 0
        while one < left.count || other < right.count {
            let isRemoved = one < left.count && removed.contains(one)
            let isInserted = other < right.count && inserted.contains(other)
            let isSame = !isRemoved && !isInserted
            rows.append(
                Row(
                    left: isRemoved || isSame && one < left.count ? left[one] : nil,
                    right: isInserted || isSame && other < right.count ? right[other] : nil))
            if isRemoved || isSame { one += 1 }
            if isInserted || isSame { other += 1 }
        }
        self.rows = rows
    }
}
