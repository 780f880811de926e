import Foundation

/// Finds citations in Swift sources and in Markdown.
enum CitationReader {
    /// Rows whose ids are letters and a number; `E` is only read in the traits of tests.
    private static let letters = "CA|GA|SP|SV|HX|AS|TV|TP|PA|AZ|PR|LO|MD|Q|M|K"

    /// Citations of a Swift source: in traits of tests, in strings and comments.
    static func citations(inSwift source: String) -> Set<Citation> {
        var found: Set<Citation> = []
        for line in source.split(separator: "\n") where line.utf8.contains(where: isDigit) {
            found.formUnion(traits(in: String(line)))
            found.formUnion(rows(in: String(line)))
        }
        for comment in comments(of: source) { found.formUnion(citations(inComment: comment)) }
        return found
    }

    /// Rows that a document mentions.
    static func citations(inMarkdown text: String) -> Set<Citation> {
        var found: Set<Citation> = []
        for line in text.split(separator: "\n") where line.utf8.contains(where: isDigit) {
            found.formUnion(rows(in: String(line)))
        }
        if text.contains("B8.1") { found.insert(.chapter("B8.1", of: .reference)) }
        return found
    }

    /// The rows in the traits of a line: `.row("T-07", "CA1")`.
    static func traits(in line: String) -> Set<Citation> {
        var found: Set<Citation> = []
        for trait in matches(of: #"\.row\(([^)]*)\)"#, in: line) {
            for match in matches(of: #""([A-Z]{1,2})(-?\d{1,2})""#, in: trait[1] ?? "") {
                let id = "\(match[1] ?? "")\(match[2] ?? "")"
                found.insert(["A", "B", "C"].contains(match[1]) ? .chapter(id, of: .reference) : .row(id))
            }
        }
        return found
    }

    /// The tests of a source by name, with the rows in their traits.
    static func tests(inSwift source: String) -> [String: Set<Citation>] {
        var tests: [String: Set<Citation>] = [:]
        var rows: Set<Citation> = []
        for line in source.split(separator: "\n") {
            if line.contains("@Test") { rows = [] }
            rows.formUnion(traits(in: String(line)))
            guard let name = functionName(line) else { continue }
            tests[name] = rows
            rows = []
        }
        return tests
    }

    /// The name of the function that a line declares.
    static func functionName(_ line: Substring) -> String? {
        guard let range = line.range(of: "func ") else { return nil }
        return String(line[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    // MARK: - Rows

    private static func rows(in line: String) -> Set<Citation> {
        var found: Set<Citation> = []
        let pattern = #"\b(?:(\#(letters))|([TD])-)(\d{1,2})\b(?!\.\d)(?: to (?:\1|\2-)(\d{1,2})\b)?"#
        for match in matches(of: pattern, in: line) {
            let letters = match[1] ?? "\(match[2] ?? "")-"
            guard let first = match[3].flatMap({ Int($0) }) else { continue }
            let last = match[4].flatMap { Int($0) } ?? first
            for number in first...max(first, last) {
                // Rows of sharing and storage have two digits.
                found.insert(.row(letters == "T-" && number < 10 ? "T-0\(number)" : "\(letters)\(number)"))
            }
        }
        return found
    }

    // MARK: - Chapters and names

    /// Comments, each on one line.
    private static func comments(of source: String) -> [String] {
        var found: [String] = []
        var continues = false
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("//") else {
                continues = false
                continue
            }
            let words = text.drop { $0 == "/" || $0 == " " }
            if continues { found[found.count - 1] += " \(words)" } else { found.append(String(words)) }
            continues = true
        }
        return found
    }

    private static func citations(inComment comment: String) -> Set<Citation> {
        var found: Set<Citation> = []
        for source in Citation.Source.allCases where comment.contains(source.rawValue) {
            for match in matches(of: #"\(\#(source.rawValue), ([^);:]+)"#, in: comment) {
                found.formUnion(read(match[1] ?? "", of: source))
            }
            for match in matches(of: #"[Ss]ections? (\d+(?:\.\d+)?)(?: to (\d+\.\d+))?"#, in: comment) {
                for number in [match[1], match[2]].compactMap(\.self) { found.insert(.chapter(number, of: source)) }
            }
        }
        return found
    }

    /// The text after the comma: rows, chapters, or a name.
    private static func read(_ text: String, of source: Citation.Source) -> Set<Citation> {
        if !rows(in: text).isEmpty { return [] }
        let chapter = source == .reference ? #"\b[ABC]\d(?:\.\d)?\b"# : #"\b\d+\.\d+\b"#
        let chapters = matches(of: chapter, in: text).compactMap { $0[0] }
        if text.first.map({ $0.isNumber || source == .reference && $0.isUppercase }) == true, !chapters.isEmpty {
            return Set(chapters.map { .chapter($0, of: source) })
        }
        return [.name(text, of: source)]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Every match of a pattern: the whole match, then its groups.
    static func matches(of pattern: String, in text: String) -> [[String?]] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).map { match in
            (0..<match.numberOfRanges).map { group in
                Range(match.range(at: group), in: text).map { String(text[$0]) }
            }
        }
    }
}
