import Foundation

/// What one check of the doctor found.
struct Finding: Encodable, Sendable {
    enum State: String, Encodable {
        /// Correct.
        case good
        /// Missing, but not always needed.
        case note
        /// Something will not work.
        case bad
    }

    /// What was checked, as one word.
    let check: String
    let state: State
    /// What was found.
    let text: String
    /// What to do about it.
    var advice: String?

    /// The lines for people.
    var lines: [String] {
        let mark =
            switch state {
            case .good: "ok  "
            case .note: "note"
            case .bad: "bad "
            }
        let first = "\(mark)  \(check.padding(toLength: 10, withPad: " ", startingAt: 0))\(text)"
        return [first] + (advice.map { ["                → \($0)"] } ?? [])
    }
}
