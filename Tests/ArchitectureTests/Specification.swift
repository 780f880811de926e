import Foundation

/// The pages below `Documentation/Specification`: what they define, and the tests that they name.
///
/// A citation is a text: the id of a row (`GA5`), or a source with a chapter or a name (`wire protocol, 6.2`).
struct Specification {
    /// A row, and its last cell, which is about its test.
    struct Row {
        let id: String
        let page: String
        let test: String
    }

    private static let sources = ["API reference", "wire protocol", "REST API v2"]

    private(set) var rows: [Row] = []
    /// Last cells of tables about tests that are not rows, by page.
    private(set) var cells: [(page: String, cell: String)] = []
    /// Tests and files of tests that the text mentions.
    private(set) var mentions: Set<String> = []
    /// Rows and chapters.
    private var definitions: Set<String> = []
    /// Names of chapters and paragraphs, with their sources.
    private var names: Set<String> = []

    init(_ pages: [String: String]) {
        for (page, text) in pages.sorted(by: { $0.key < $1.key }) { read(page, text) }
    }

    private mutating func read(_ page: String, _ text: String) {
        let source =
            switch page {
            case "RESTv2.md": "REST API v2"
            case "Tokens.md", "ClassicServices.md": "wire protocol"
            default: "API reference"
            }
        for match in Self.matches(of: #"`(\w+Tests(?:\.\w+)?)`"#, in: text) { mentions.insert(match[1]) }
        for match in Self.matches(of: #"(?m)^#+ ([ABC]\d(?:\.\d)?|\d+(?:\.\d+)?) "#, in: text) {
            definitions.insert("\(source), \(match[1])")
        }
        // A chapter is cited by a part of its title, a paragraph by the bold words at its beginning.
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
        var isAboutTests = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("|"), let first = cells.first, let last = cells.last else {
                isAboutTests = false
                continue
            }
            if last == "test" {
                isAboutTests = true
            } else if isAboutTests, first.wholeMatch(of: /[A-Z]{1,2}\d{1,2}|[TD]-\d{1,2}/) != nil {
                rows.append(Row(id: first, page: page, test: last))
                definitions.insert(first)
            } else if isAboutTests, !first.hasPrefix("---") {
                self.cells.append((page, last))
            }
        }
    }

    /// Whether the pages define a citation; more words may follow a name.
    func defines(_ citation: String) -> Bool {
        let plain = Self.plain(citation)
        return definitions.contains(citation)
            || names.contains { name in
                plain.hasPrefix(name) && plain.dropFirst(name.count).first?.isLetter != true
            }
    }

    /// A citation without capital letters and code marks.
    private static func plain(_ citation: String) -> String {
        citation.lowercased().replacingOccurrences(of: "`", with: "")
    }

    /// The error in a cell about tests as a sentence, nil for none.
    ///
    /// - Parameters:
    ///   - cell: `File.function` once or several times, `as` and a row, or `none:` and why.
    ///   - functions: the functions of each file below `Tests`.
    func complaint(about cell: String, functions: [String: Set<String>]) -> String? {
        if cell.hasPrefix("none: ") { return cell.count > 12 ? nil : "gives no reason" }
        if cell.hasPrefix("as ") { return defines(String(cell.dropFirst(3))) ? nil : "leads to no row" }
        let named = Self.matches(of: "`([^`]+)`", in: cell).map { $0[1] }
        guard !named.isEmpty else { return "names no test" }
        let missing = named.filter { name in
            let parts = name.split(separator: ".").map(String.init)
            return parts.count != 2 || functions[parts[0]]?.contains(parts[1]) != true
        }
        return missing.isEmpty ? nil : "names \(missing.joined(separator: ", ")), which is not there"
    }

    /// The functions of every file below `Tests`, by the file's name.
    static func functions() throws -> [String: Set<String>] {
        var functions: [String: Set<String>] = [:]
        for file in try Repository.files("Tests") {
            let names = matches(of: #"func (\w+)"#, in: try Repository.text(file)).map { $0[1] }
            functions[URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent, default: []]
                .formUnion(names)
        }
        return functions
    }

    // MARK: - Citations

    /// Citations in a Swift source: rows anywhere, chapters and names in brackets.
    static func citations(inSwift source: String) -> Set<String> {
        let lines = source.replacingOccurrences(of: #"\n *///? *"#, with: " ", options: .regularExpression)
        var found = rows(in: source).union(traits(in: source))
        for match in matches(of: "\\((\(sources.joined(separator: "|"))), ([^);:]+)", in: lines) {
            let (source, text) = (match[1], match[2])
            // The rows are found already.
            if !rows(in: text).isEmpty { continue }
            let isReference = source == sources[0]
            let chapters = matches(of: isReference ? #"\b[ABC]\d(?:\.\d)?\b"# : #"\b\d+(?:\.\d+)?\b"#, in: text)
            let isName = text.first.map { !$0.isNumber && !(isReference && $0.isUppercase) } ?? true
            found.formUnion(
                isName || chapters.isEmpty ? ["\(source), \(text)"] : chapters.map { "\(source), \($0[0])" })
        }
        return found
    }

    /// The rows in the traits of tests: `.row("T-07", "CA1")`.
    static func traits(in source: String) -> Set<String> {
        var found: Set<String> = []
        for trait in matches(of: #"\.row\(([^)]*)\)"#, in: source) {
            for match in matches(of: #""(([A-Z]{1,2})-?\d{1,2})""#, in: trait[1]) {
                found.insert(["A", "B", "C"].contains(match[2]) ? "\(sources[0]), \(match[1])" : match[1])
            }
        }
        return found
    }

    /// The rows that a text mentions, one by one or as `GA1 to GA9`; `E` is only read in traits.
    static func rows(in text: String) -> Set<String> {
        let letters = "CA|CL|GA|SP|SV|HX|AS|TV|TP|PA|AZ|PR|LO|MD|Q|M|K"
        var found: Set<String> = []
        let pattern = #"\b(?:(\#(letters))|([TD])-)(\d{1,2})\b(?!\.\d)(?: to (?:\1|\2-)(\d{1,2})\b)?"#
        for match in matches(of: pattern, in: text) {
            let letters = match[1].isEmpty ? "\(match[2])-" : match[1]
            guard let first = Int(match[3]) else { continue }
            for number in first...max(first, Int(match[4]) ?? first) {
                // Rows of sharing and storage have two digits.
                found.insert(letters == "T-" && number < 10 ? "T-0\(number)" : "\(letters)\(number)")
            }
        }
        return found
    }

    /// Every match of a pattern: the whole match, then its groups; an empty text for a group that does not take part.
    static func matches(of pattern: String, in text: String) -> [[String]] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).map { group in
                Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }
}
