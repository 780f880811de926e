import TVEModels
import TVESandbox

/// The changes that a tester has made to an exchange: the faults that have changed it, and a hold of its answer.
struct ExchangeChanges {
    /// A change, with its title and its description.
    struct Change {
        let title: String
        let about: String
        /// The place in the documents that defines the simulated behaviour; empty when there is none.
        let source: String
    }

    let changes: [Change]

    init(_ exchange: SandboxExchange) {
        let faults = exchange.faults.map { kind in
            let texts = FaultDescription(kind)
            return Change(title: kind.title, about: texts.about, source: texts.source)
        }
        let hold = Change(title: "Held", about: "A tester held the answer and released it later.", source: "")
        changes = faults + (exchange.wasHeld ? [hold] : [])
    }

    /// The marks of the changes as HTML, for a list.
    var marks: String {
        changes.map {
            let title = $0.title.escapedForXML
            return " <span class=\"fault\" title=\"\(title)\">\(title)</span>"
        }.joined()
    }

    /// Returns the outcome of an exchange and the titles of its changes as texts.
    ///
    /// The outcome of a fault has no text of its own, because the title of the fault says more.
    static func texts(_ exchange: SandboxExchange) -> [String] {
        let outcome = exchange.outcome
        let said = outcome.kind == .fault ? "" : outcome.text
        return [said].filter { !$0.isEmpty } + ExchangeChanges(exchange).changes.map(\.title)
    }
}
