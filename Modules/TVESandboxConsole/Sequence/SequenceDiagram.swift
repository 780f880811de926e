import Foundation
import TVEModels
import TVESandbox

/// A sequence diagram of a flow, from top to bottom, for the console and for `tve --trace`.
///
/// Each step is a line of text with an arrow below it. Positions are percentages of the width, so that the diagram fits
/// a phone as well as a large screen. A screen reader reads the diagram as a list.
package struct SequenceDiagram {
    /// A message between two parties.
    package struct Step {
        /// The index of the party that sends the message.
        package var from: Int
        /// The index of the party that receives the message.
        package var to: Int
        package var text: String
        /// Details, shown below the text when the step is expanded.
        package var details = ""
        /// The target of a link on the text.
        package var link: String?
        /// The time at which the message was sent, in milliseconds since the beginning of the diagram.
        package var began: Double
        /// The duration in milliseconds, or `nil` if it is not shown.
        package var duration: Double?
        package var isFailure = false
        /// A Boolean value that indicates whether the message is an answer, whose arrow is dashed.
        package var isAnswer = false

        /// Creates a message.
        package init(from: Int, to: Int, text: String, began: Double) {
            self.from = from
            self.to = to
            self.text = text
            self.began = began
        }
    }

    private let parties: [String]
    private let steps: [Step]

    /// Creates a diagram.
    ///
    /// - Parameters:
    ///   - parties: the names of the participants from left to right; only the first five are used.
    ///   - steps: the messages in their order.
    package init(parties: [String], steps: [Step]) {
        self.parties = Array(parties.prefix(5))
        self.steps = steps
    }

    /// The style sheet, without which the diagram is a list.
    package static let css = EmbeddedFile.text("sequence.css")

    /// The diagram as HTML, for a page that has the style sheet.
    package var html: String {
        let heads = parties.map { "<span>\($0.escapedForXML)</span>" }.joined()
        return """
            <div class="sequence of-\(parties.count)">
            <div class="parties" aria-hidden="true">\(heads)</div>
            <ol>
            \(steps.map(line).joined(separator: "\n"))
            </ol>
            </div>
            """
    }

    private func line(_ step: Step) -> String {
        let text = step.text.escapedForXML
        let linked = step.link.map { "<a href=\"\($0.escapedForXML)\">\(text)</a>" } ?? text
        let took = step.duration.map { " <span class=\"took\">\(Self.text($0)) ms</span>" } ?? ""
        let details =
            step.details.isEmpty
            ? "" : "<details><summary>more</summary><pre>\(step.details.escapedForXML)</pre></details>"
        let failed = step.isFailure ? "<span class=\"unseen\">failed: </span>" : ""
        return """
            <li\(step.isFailure ? " class=\"bad\"" : "")>
            <div class="words \(textClasses(of: step))"><span class="time">\(Self.text(step.began))</span>
            <span class="unseen">\(name(step.from)) to \(name(step.to)): </span>\(failed)<span class="what">\(linked)</span>\(took)\(details)</div>
            \(arrow(step))
            </li>
            """
    }

    /// Returns the style classes that position the text of a step.
    ///
    /// The text begins at the left end of its arrow. If that end is in the right half of the diagram, the text ends at
    /// the right end of the arrow instead.
    private func textClasses(of step: Step) -> String {
        let left = min(step.from, step.to)
        let right = max(step.from, step.to)
        return left * 2 < parties.count - 1 ? "from at-\(left)" : "until at-\(parties.count - 1 - right)"
    }

    private func name(_ party: Int) -> String { parties.indices.contains(party) ? parties[party].escapedForXML : "?" }

    private func arrow(_ step: Step) -> String {
        let from = place(step.from)
        let to = place(step.to)
        let style = step.isAnswer ? " class=\"answer\"" : ""
        guard from != to else {
            return "<svg class=\"arrow\" aria-hidden=\"true\"><circle cx=\"\(from)%\" cy=\"7\" r=\"4\"/></svg>"
        }
        let tip = to > from ? "M 0 7 l-9 -5 v10 z" : "M 0 7 l9 -5 v10 z"
        return "<svg class=\"arrow\" aria-hidden=\"true\">"
            + "<line\(style) x1=\"\(from)%\" y1=\"7\" x2=\"\(to)%\" y2=\"7\"/>"
            + "<svg x=\"\(to)%\" class=\"tip\"><path d=\"\(tip)\"/></svg></svg>"
    }

    /// Returns the middle of a party's column, as a percentage of the width.
    private func place(_ party: Int) -> Double { (Double(party) + 0.5) * 100 / Double(max(1, parties.count)) }

    /// Returns a number of milliseconds as text, with one decimal place below ten milliseconds.
    static func text(_ milliseconds: Double) -> String {
        milliseconds < 10 ? "\((milliseconds * 10).rounded() / 10)" : "\(Int(bounded: milliseconds.rounded()))"
    }
}
