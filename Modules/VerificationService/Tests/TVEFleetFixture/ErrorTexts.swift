/// A table of errors in `Documentation/ErrorTexts.md`.
public struct ErrorTexts: Sendable, CustomStringConvertible {
    /// An error with the name of its case and its text.
    public struct Row: Sendable, Hashable {
        /// The name of the case.
        public let name: String
        /// The text that people read.
        public let text: String
    }

    /// The heading of the table, without its number signs.
    public let title: String
    /// The errors, in the order of the page.
    public let rows: [Row]
    /// The level of the heading.
    private let level: Int

    /// Creates the table of an enumeration.
    ///
    /// - Parameters:
    ///   - title: the heading of the table.
    ///   - level: the level of the heading.
    ///   - first: the first case.
    ///   - step: a closure that returns the name of a case, and the next case. It has no `default`, so that it does not
    ///     compile where a case is missing.
    public init<Problem: CustomStringConvertible>(
        _ title: String, level: Int, from first: Problem, step: (Problem) -> (String, Problem?)
    ) {
        self.title = title
        self.level = level
        var rows: [Row] = []
        var problem: Problem? = first
        while let current = problem {
            let (name, next) = step(current)
            rows.append(Row(name: name, text: current.description))
            problem = next
        }
        self.rows = rows
    }

    /// The rows that do not say what was found and then what to do, or that could be taken for another one.
    public var faults: [Row] {
        rows.filter { row in
            !row.text.hasSuffix(".") || !row.text.contains(". ") || row.text.contains("..")
                || row.text.first?.isLowercase != false
                || rows.count(where: { $0.name == row.name || $0.text == row.text }) > 1
        }
    }

    /// The heading and the table, as the page has them.
    public var markdown: String {
        var lines = [
            String(repeating: "#", count: level) + " " + title, "", "| case | what was found | what to do |",
            "|---|---|---|",
        ]
        for row in rows {
            let sentences = row.text.split(separator: ". ", maxSplits: 1).map(Self.withCode)
            lines.append("| `\(row.name)` | \(sentences[0]). | \(sentences.dropFirst().joined()) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a sentence in which commands, fields and endings of files are code, because they are no words.
    private static func withCode(_ sentence: Substring) -> String {
        let words = sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let name = word.prefix { !",;".contains($0) }
            let code = /(?:[a-z]+(?:[.A-Z]\w+)+|(?:FILE)?\.[a-z]+|--[a-z-]+|Documentation\/[\w\/]+\.\w+)\.?/
            guard name.wholeMatch(of: code) != nil else { return String(word) }
            let core = name.last == "." ? name.dropLast() : name
            return "`\(core)`\(word.dropFirst(core.count))"
        }
        return words.joined(separator: " ")
            .replacing(/(?:openssl|keytool|ssh-keygen) [^(),]+[^(),. ]|chmod [go][-=]w?|chown/) { "`\($0.output)`" }
    }

    /// The title, which names the table in the list of tests.
    public var description: String { title }
}
