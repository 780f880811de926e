import Foundation
import Testing

/// Compares sources, tests and documents with the pages below `Documentation/Specification`: every citation is defined
/// there, and the tests that are named there exist.
struct SpecificationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func files(_ folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") && !$0.contains("/.") }.map { "\(folder)/\($0)" }
    }

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
    }

    private static func pages() throws -> SpecificationPages {
        var pages: [String: String] = [:]
        for file in try files("Documentation/Specification", ".md") {
            pages[URL(fileURLWithPath: file).lastPathComponent] = try text(file)
        }
        return SpecificationPages(pages)
    }

    /// The functions of every file below `Tests` with the rows in their traits, by the file's name.
    private static func functions() throws -> [String: [String: Set<Citation>]] {
        var functions: [String: [String: Set<Citation>]] = [:]
        for file in try files("Tests", ".swift") {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            var tests = CitationReader.tests(inSwift: try text(file))
            // Their samples are not citations.
            if file.hasPrefix("Tests/ArchitectureTests/") { tests = tests.mapValues { _ in [] } }
            functions[name, default: [:]].merge(tests) { $0.union($1) }
        }
        return functions
    }

    private static func names() throws -> [String: Set<String>] {
        try functions().mapValues { Set($0.keys) }
    }

    @Test func everythingCited_isDefined() throws {
        let pages = try Self.pages()
        var seen = 0
        for file in try ["Modules", "Tests", "Benchmarks"].flatMap({ try Self.files($0, ".swift") })
        where !file.hasPrefix("Tests/ArchitectureTests/") {
            let citations = CitationReader.citations(inSwift: try Self.text(file))
            seen += citations.count
            for citation in citations where !pages.defines(citation) { Issue.record("\(file) cites \(citation)") }
        }
        for file in try Self.files("Documentation", ".md") + ["README.md"] {
            let citations = CitationReader.citations(inMarkdown: try Self.text(file))
            seen += citations.count
            for citation in citations where !pages.defines(citation) { Issue.record("\(file) cites \(citation)") }
        }
        #expect(seen > 600, "The reader of citations finds only \(seen).")
    }

    @Test func everyRow_isDefinedOnce_andSaysWhichTestHoldsIt() throws {
        let pages = try Self.pages()
        let functions = try Self.names()
        #expect(pages.rows.count > 300)
        for (id, rows) in Dictionary(grouping: pages.rows, by: \.id) where rows.count > 1 {
            Issue.record("\(id) is defined in \(rows.map(\.page))")
        }
        for row in pages.rows {
            let complaint = pages.complaint(about: row.test, functions: functions)
            #expect(complaint == nil, "\(row.id) (\(row.page)) \(complaint ?? "")")
        }
        for (page, cell) in pages.cells {
            let complaint = pages.complaint(about: cell, functions: functions)
            #expect(complaint == nil, "\(page): \(cell) \(complaint ?? "")")
        }
        for mention in pages.mentions {
            let parts = mention.split(separator: ".").map(String.init)
            #expect(functions[parts[0]].map { parts.count == 1 || $0.contains(parts[1]) } == true, "\(mention)")
        }
    }

    @Test func aRowSaidToHaveNoTest_hasNone() throws {
        let without = Set(try Self.pages().rows.filter { $0.test.hasPrefix("none: ") }.map { Citation.row($0.id) })
        #expect(without.count > 10)
        for (file, names) in try Self.functions() {
            for (name, rows) in names {
                let cited = rows.intersection(without)
                #expect(cited.isEmpty, "\(file).\(name) tests \(cited)")
            }
        }
    }

    // MARK: - The readers

    @Test(
        arguments: [
            ("    @Test(.row(\"T-07\", \"CA1\")) func isThere() {}", [.row("T-07"), .row("CA1")]),
            ("    @Test(.row(\"E6\", \"A7\"), arguments: [1])", [.row("E6"), .chapter("A7", of: .reference)]),
            ("    // Rows GA1 to GA3 of the API reference.", [.row("GA1"), .row("GA2"), .row("GA3")]),
            ("(\"AS5\", x), (\"T-17\", y)", [.row("AS5"), .row("T-17")]),
            ("/// Reads (wire protocol,\n/// native completion URLs).", [.name("native completion URLs", of: .wire)]),
            ("/// Sent (REST API v2, 4.2 and 9.9).", [.chapter("4.2", of: .restV2), .chapter("9.9", of: .restV2)]),
            (
                "/// Shared (API reference, C2 to C4).",
                [.chapter("C2", of: .reference), .chapter("C4", of: .reference)]
            ),
            ("// Section 16 of the wire protocol.", [.chapter("16", of: .wire)]),
            ("let sum = GA5x + T17", []),
        ] as [(String, Set<Citation>)])
    func findsCitations(source: String, expected: Set<Citation>) {
        #expect(CitationReader.citations(inSwift: source) == expected)
    }

    private static let sample = SpecificationPages([
        "A.md": """
        ## C6 Checks
        | row | when | test |
        |---|---|---|
        | GA5 | known | `SomeTests.here` |
        | GA6 | unknown | `SomeTests.gone` |
        | GA7 | never | none: nothing to see at all |
        | GA8 | as before | as GA5 |
        | GA9 | lost | as GA10 |

        | source | cited as | stands in |
        |---|---|---|
        | wire protocol | dates | A |
        """
    ])

    @Test(
        arguments: [
            (.row("GA5"), true), (.row("GA10"), false), (.row("T-05"), false), (.chapter("C6", of: .reference), true),
            (.chapter("C6", of: .wire), false), (.chapter("C7", of: .reference), false),
            (.name("dates", of: .wire), true),
            (.name("dates of tokens", of: .wire), true), (.name("datestamp", of: .wire), false),
            (.name("dates", of: .restV2), false),
        ] as [(Citation, Bool)])
    func knowsWhatIsDefined(citation: Citation, isDefined: Bool) {
        #expect(Self.sample.defines(citation) == isDefined)
    }

    @Test func complainsOfATestThatIsNotThere() {
        let complaints = Self.sample.rows.filter {
            Self.sample.complaint(about: $0.test, functions: ["SomeTests": ["here"]]) != nil
        }
        #expect(complaints.map(\.id) == ["GA6", "GA9"])
    }
}
