import Foundation
import TVEModels

/// The rows, chapters and names of paragraphs that the pages define.
///
/// A citation is the id of a row (`GA5`), or a source with a chapter or a name (`wire protocol, 6.2`).
struct Specification {
    /// A row of a table, or a chapter with a number.
    struct Row {
        let id: String
        /// The id, or the number of the chapter, as it appears on the page.
        let written: String
        /// The path of the page.
        let page: String
        /// The reason that the page states for a row without a test; `nil` for none.
        let reason: String?
        var isChapter = false
        /// A Boolean value that indicates whether the chapter links to its tests, so that it must have some.
        var leadsToTests = false
    }

    private static let sources = ["API reference", "wire protocol", "REST API v2"]

    /// The rows and chapters, in the order of the pages and of each page.
    private(set) var rows: [Row] = []
    /// The first cells in tables of rows that are not ids.
    private(set) var wrongIDs: [(page: String, cell: String)] = []
    /// The titles of the pages by their paths.
    private(set) var titles: [String: String] = [:]
    private var definitions: Set<String> = []
    /// The names of chapters and paragraphs, with their sources.
    private var names: Set<String> = []

    /// Reads pages.
    ///
    /// - Parameter pages: the texts of the pages by their paths.
    init(_ pages: [String: String]) {
        for (page, text) in pages.sorted(by: { $0.key < $1.key }) { read(page, text) }
        definitions = Set(rows.map(\.id))
    }

    /// The pages of this repository that may define something, which are read once for all tests.
    static let ofThisRepository = Result {
        let pages = try Repository.files("Documentation", ".md").filter { $0 != TestsByRow.page } + ["SECURITY.md"]
        return Self(Dictionary(uniqueKeysWithValues: try pages.map { ($0, try Repository.text($0)) }))
    }

    private mutating func read(_ page: String, _ text: String) {
        titles[page] = Self.matches(of: "(?m)^# (.+)$", in: text).first?[1]
        let name = page.split(separator: "/").last.map(String.init) ?? page
        if page.contains("Specification/") { readNames(name, text) }
        var isOfRows = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if page.contains("Specification/"),
                let chapter = Self.matches(of: #"^#+ ([ABC]\d(?:\.\d)?|\d+(?:\.\d+)?) "#, in: String(line)).first?[1]
            {
                rows.append(
                    Row(
                        id: "\(Self.source(of: name)), \(chapter)", written: chapter, page: page, reason: nil,
                        isChapter: true))
            }
            guard line.hasPrefix("|") else {
                if line.contains("TestsByRow.md#"), let last = rows.last, last.page == page, last.isChapter {
                    rows[rows.count - 1].leadsToTests = true
                }
                isOfRows = false
                continue
            }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let first = cells.first, let last = cells.last else { continue }
            if first == "row" {
                isOfRows = true
            } else if isOfRows, !first.hasPrefix("---") {
                let id = first.replacingOccurrences(of: "`", with: "")
                if id.wholeMatch(of: /[A-Z]{1,4}-?\d{1,3}(?:xx)?|[A-Z]{4,}|\d{3}/) == nil {
                    wrongIDs.append((page, first))
                }
                let reason = Self.matches(of: #"\(no test: (.+)\)$"#, in: last).first?[1]
                rows.append(Row(id: id, written: first, page: page, reason: reason))
            }
        }
    }

    /// Returns the source that a page of the specification describes.
    private static func source(of page: String) -> String {
        switch page {
        case "RESTv2.md": "REST API v2"
        case "Tokens.md", "ClassicServices.md": "wire protocol"
        default: "API reference"
        }
    }

    /// Records the names by which the chapters and paragraphs of a page can be cited.
    ///
    /// A chapter is cited by a part of its title, and a paragraph by the bold words at its beginning.
    private mutating func readNames(_ page: String, _ text: String) {
        let source = Self.source(of: page)
        for title in Self.matches(of: #"(?m)^(?:#+ (?:[ABC]?\d+(?:\.\d+)? )?(.+)|\*\*(.+?)\.\*\*.*)$"#, in: text) {
            let words = title[1] + title[2]
            let parts = words.replacingOccurrences(of: #", | and |: "#, with: "\n", options: .regularExpression)
                .split(separator: "\n").map(String.init)
            for name in parts + Self.matches(of: "`[^`]+`", in: words).map({ $0[0] }) {
                names.insert(Self.plain("\(source), \(name)"))
                // Both sources describe the same events.
                if page == "Constants.md" { names.insert(Self.plain("wire protocol, \(name)")) }
            }
        }
    }

    /// Returns a Boolean value that indicates whether the pages define a citation, in which words may follow a name.
    func defines(_ citation: String) -> Bool {
        let plain = Self.plain(citation)
        return definitions.contains(citation)
            || names.contains { name in
                plain.hasPrefix(name) && plain.dropFirst(name.count).first?.isLetter != true
            }
    }

    /// Returns a citation without capital letters and code marks.
    private static func plain(_ citation: String) -> String {
        citation.lowercased().replacingOccurrences(of: "`", with: "")
    }

    // MARK: - Citations

    /// Returns the citations in a Swift source: rows anywhere, and chapters and names in parentheses.
    static func citations(inSwift source: String) -> Set<String> {
        let lines = source.replacingOccurrences(of: #"\n *///? *"#, with: " ", options: .regularExpression)
        var found = rows(in: source)
        for match in matches(of: "\\((\(sources.joined(separator: "|"))), ([^);:]+)", in: lines) {
            let source = match[1]
            let text = match[2]
            // Rows were already found.
            if !rows(in: text).isEmpty { continue }
            let isReference = source == sources[0]
            let chapters = matches(of: isReference ? #"\b[ABC]\d(?:\.\d)?\b"# : #"\b\d+(?:\.\d+)?\b"#, in: text)
            let isName = text.first.map { !$0.isNumber && !(isReference && $0.isUppercase) } ?? true
            found.formUnion(
                isName || chapters.isEmpty ? ["\(source), \(text)"] : chapters.map { "\(source), \($0[0])" })
        }
        return found
    }

    /// Returns the rows that a text mentions, one by one or as `GA1 to GA9`.
    ///
    /// Habits (`E5`) and status codes are too short or too common in other texts, so only traits are searched for them.
    static func rows(in text: String) -> Set<String> {
        let letters = "CA|CL|GA|SP|SV|HX|AS|TV|TP|PA|AZ|PR|LO|MD|KF|CO|SE|VR|VC|VW|VP|MV|Q|M|K"
        var found: Set<String> = []
        let pattern = #"\b(?:(\#(letters))|([TD])-)(\d{1,2})\b(?!\.\d)(?: to (?:\1|\2-)(\d{1,2})\b)?"#
        for match in matches(of: pattern, in: text) {
            let letters = match[1].isEmpty ? "\(match[2])-" : match[1]
            guard let first = Int(match[3]) else { continue }
            for number in first...max(first, Int(match[4]) ?? first) {
                // The rows of sharing and storage have two digits.
                found.insert(letters == "T-" && number < 10 ? "T-0\(number)" : "\(letters)\(number)")
            }
        }
        return found
    }

    private static let expressions = Guarded<[String: NSRegularExpression]>([:])

    /// Returns the expression of a pattern, which is created once for all texts.
    private static func regularExpression(for pattern: String) -> NSRegularExpression? {
        if let known = expressions.withLock({ $0[pattern] }) { return known }
        guard let new = try? NSRegularExpression(pattern: pattern) else { return nil }
        expressions.withLock { $0[pattern] = new }
        return new
    }

    /// Returns every match of a pattern, as the whole match followed by its groups.
    ///
    /// A group that does not take part in a match is an empty text.
    static func matches(of pattern: String, in text: String) -> [[String]] {
        guard let expression = regularExpression(for: pattern) else { return [] }
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).map { group in
                Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }
}
