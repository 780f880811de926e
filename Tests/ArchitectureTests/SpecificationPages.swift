import Foundation

/// The pages below `Documentation/Specification`: their definitions, and the tests that they name.
struct SpecificationPages {
    /// A row, and the content of its last cell about its test.
    struct Row: Hashable {
        let id: String
        let page: String
        let test: String
    }

    private(set) var rows: [Row] = []
    /// Numbers of chapters, by page.
    private(set) var chapters: [String: Set<String>] = [:]
    /// Names of the index, by source.
    private(set) var names: [Citation.Source: [String]] = [:]
    /// Last cells of tables about tests that are not rows, by page.
    private(set) var cells: [(page: String, cell: String)] = []
    /// Tests and files of tests that the text mentions.
    private(set) var mentions: Set<String> = []

    /// The pages that define the chapters of a source.
    private static func isPage(_ page: String, of source: Citation.Source) -> Bool {
        switch source {
        case .reference: !["Tokens.md", "ClassicServices.md", "RESTv2.md"].contains(page)
        case .wire: ["Tokens.md", "ClassicServices.md"].contains(page)
        case .restV2: page == "RESTv2.md"
        }
    }

    init(_ pages: [String: String]) {
        for (page, text) in pages.sorted(by: { $0.key < $1.key }) { read(page, text) }
    }

    private mutating func read(_ page: String, _ text: String) {
        var hasTests = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            for match in CitationReader.matches(of: #"`(\w+Tests(?:\.\w+)?)`"#, in: String(line)) {
                if let mention = match[1] { mentions.insert(mention) }
            }
            if line.hasPrefix("#") {
                let title = line.drop { $0 == "#" || $0 == " " }
                if let number = title.prefixMatch(of: /(?:[ABC]\d(?:\.\d)?|\d+(?:\.\d+)?)(?= )/) {
                    chapters[page, default: []].insert(String(number.0))
                }
            }
            guard line.hasPrefix("|") else {
                hasTests = false
                continue
            }
            let row = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let first = row.first, let last = row.last else { continue }
            if last == "test" {
                hasTests = true
            } else if hasTests, !first.hasPrefix("---") {
                let isRow = first.wholeMatch(of: /[A-Z]{1,2}\d{1,2}|[TD]-\d{1,2}/) != nil
                if isRow { rows.append(Row(id: first, page: page, test: last)) } else { cells.append((page, last)) }
            } else if row.count == 3, let source = Citation.Source(rawValue: first) {
                names[source, default: []].append(row[1])
            }
        }
    }

    /// Whether the pages define a citation.
    func defines(_ citation: Citation) -> Bool {
        switch citation {
        case .row(let id): rows.contains { $0.id == id }
        case .chapter(let number, let source):
            chapters.contains { Self.isPage($0.key, of: source) && $0.value.contains(number) }
        case .name(let name, let source):
            names[source, default: []].contains { known in
                guard name.hasPrefix(known) else { return false }
                return name.dropFirst(known.count).first.map { !$0.isLetter } ?? true
            }
        }
    }

    /// The error in a cell about tests as a sentence, nil for none.
    ///
    /// - Parameters:
    ///   - cell: `File.function` once or several times, `as` and a row, or `none:` and why.
    ///   - functions: the functions of each file below `Tests`.
    func complaint(about cell: String, functions: [String: Set<String>]) -> String? {
        if cell.hasPrefix("none: ") { return cell.count > 12 ? nil : "gives no reason" }
        if cell.hasPrefix("as ") { return defines(.row(String(cell.dropFirst(3)))) ? nil : "leads to no row" }
        let named = CitationReader.matches(of: "`([^`]+)`", in: cell).compactMap { $0[1] }
        guard !named.isEmpty else { return "names no test" }
        let missing = named.filter { name in
            let parts = name.split(separator: ".").map(String.init)
            return parts.count != 2 || functions[parts[0]]?.contains(parts[1]) != true
        }
        return missing.isEmpty ? nil : "names \(missing.joined(separator: ", ")), which is not there"
    }
}
