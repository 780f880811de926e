import Foundation
import Testing

/// Compares sources, tests and documents with the pages below `Documentation/Specification`: every citation is defined
/// there, and the tests that are named there exist.
struct SpecificationTests {
    private static func pages() throws -> Specification {
        var pages: [String: String] = [:]
        for file in try Repository.files("Documentation/Specification", ".md") {
            pages[URL(fileURLWithPath: file).lastPathComponent] = try Repository.text(file)
        }
        return Specification(pages)
    }

    /// Swift files; the samples of these tests are no citations.
    private static func sources(_ folders: String...) throws -> [String] {
        try folders.flatMap { try Repository.files($0) }.filter { !$0.hasPrefix("Tests/ArchitectureTests/") }
    }

    @Test func everythingCited_isDefined() throws {
        let pages = try Self.pages()
        var citations: [String: Set<String>] = [:]
        for file in try Self.sources("Modules", "Tests", "Benchmarks") {
            citations[file] = Specification.citations(inSwift: try Repository.text(file))
        }
        for file in try Repository.files("Documentation", ".md") + ["README.md"] {
            citations[file] = Specification.rows(in: try Repository.text(file))
        }
        #expect(citations.values.reduce(0) { $0 + $1.count } > 600, "The reader of citations finds too few.")
        for (file, cited) in citations {
            for citation in cited where !pages.defines(citation) { Issue.record("\(file) cites \(citation)") }
        }
    }

    @Test func everyRow_isDefinedOnce_andSaysWhichTestHoldsIt() throws {
        let pages = try Self.pages()
        let functions = try Specification.functions()
        #expect(pages.rows.count > 300)
        for (id, rows) in Dictionary(grouping: pages.rows, by: \.id) where rows.count > 1 {
            Issue.record("\(id) is defined in \(rows.map(\.page))")
        }
        for (place, cell) in pages.rows.map({ ("\($0.id) (\($0.page))", $0.test) }) + pages.cells {
            if let complaint = pages.complaint(about: cell, functions: functions) {
                Issue.record("\(place): \(cell) \(complaint)")
            }
        }
        for mention in pages.mentions {
            let parts = mention.split(separator: ".").map(String.init)
            #expect(functions[parts[0]].map { parts.count == 1 || $0.contains(parts[1]) } == true, "\(mention)")
        }
    }

    @Test func aRowSaidToHaveNoTest_hasNone() throws {
        let without = Set(try Self.pages().rows.filter { $0.test.hasPrefix("none: ") }.map(\.id))
        #expect(without.count > 10)
        for file in try Self.sources("Tests") {
            let cited = Specification.traits(in: try Repository.text(file)).intersection(without)
            #expect(cited.isEmpty, "\(file) tests \(cited)")
        }
    }

    // MARK: - The readers

    @Test(
        arguments: [
            ("    @Test(.row(\"T-07\", \"CA1\")) func isThere() {}", ["T-07", "CA1"]),
            ("    @Test(.row(\"E6\", \"A7\"), arguments: [1])", ["E6", "API reference, A7"]),
            ("    // Rows GA1 to GA3 of the API reference.", ["GA1", "GA2", "GA3"]),
            ("(\"AS5\", x), (\"T-17\", y)", ["AS5", "T-17"]),
            (
                "/// Reads (wire protocol,\n    /// native completion URLs).",
                ["wire protocol, native completion URLs"]
            ),
            ("/// Sent (REST API v2, 4.2 and 9.9).", ["REST API v2, 4.2", "REST API v2, 9.9"]),
            ("/// Shared (API reference, C2 to C4).", ["API reference, C2", "API reference, C4"]),
            ("/// Shared (API reference, row T-7).", ["T-07"]),
            ("let sum = GA5x + T17", []),
        ] as [(String, Set<String>)])
    func findsCitations(source: String, expected: Set<String>) {
        #expect(Specification.citations(inSwift: source) == expected)
    }

    private static let sample = Specification([
        "A.md": """
        ## C6 Checks
        | row | when | test |
        |---|---|---|
        | GA5 | known | `SomeTests.here` |
        | GA6 | unknown | `SomeTests.gone` |
        | GA7 | never | none: nothing to see at all |
        | GA8 | as before | as GA5 |
        | GA9 | lost | as GA10 |
        """,
        "Tokens.md": """
        ## 6.5 Days and `dates`

        **Lists.** Some.
        """,
    ])

    @Test(arguments: [
        ("GA5", true), ("GA10", false), ("GA", false), ("T-05", false), ("API reference, C6", true),
        ("wire protocol, C6", false), ("API reference, C7", false), ("wire protocol, dates", true),
        ("wire protocol, dates of tokens", true), ("wire protocol, datestamp", false), ("REST API v2, dates", false),
        ("wire protocol, lists", true), ("wire protocol, some", false),
    ])
    func knowsWhatIsDefined(citation: String, isDefined: Bool) {
        #expect(Self.sample.defines(citation) == isDefined)
    }

    @Test func complainsOfATestThatIsNotThere() {
        let complaints = Self.sample.rows.filter {
            Self.sample.complaint(about: $0.test, functions: ["SomeTests": ["here"]]) != nil
        }
        #expect(complaints.map(\.id) == ["GA6", "GA9"])
    }

    // MARK: - Pages that promise something name the tests of it

    @Test(arguments: [
        ("SECURITY.md", 10), ("Documentation/VerificationService.md", 40), ("Documentation/VerifyingMediaTokens.md", 7),
    ])
    func everyPromise_namesATestThatExists(page: String, rows: Int) throws {
        let promises = Specification([page: try Repository.text(page)])
        let functions = try Specification.functions()
        #expect(promises.cells.count >= rows, "The reader of promises finds too few: \(promises.cells.count).")
        for cell in promises.cells.map(\.cell) {
            if let complaint = promises.complaint(about: cell, functions: functions) {
                Issue.record("\(page): \(cell) \(complaint)")
            }
        }
    }

    @Test func aPromiseWithoutItsTest_isFound() {
        let promises = Specification([
            "A.md": """
            | promise | test |
            |---|---|
            | kept | `SomeTests.here` |
            | broken | `SomeTests.here`, `SomeTests.gone` |
            | empty | soon |
            """
        ])
        let complaints = promises.cells.map { promises.complaint(about: $0.cell, functions: ["SomeTests": ["here"]]) }
        #expect(complaints.map { $0 == nil } == [true, false, false])
    }

    // MARK: - Documentation/Compatibility.md: its tests, and the elements that each app in Objective-C uses

    private static func page() throws -> String { try Repository.text("Documentation/Compatibility.md") }

    /// What stands in code marks.
    private static func names(_ cell: Substring) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    @Test func everyNamedTest_isThere() throws {
        let page = Specification(["Compatibility.md": try Self.page()])
        let functions = try Specification.functions()
        let named = page.mentions.filter { $0.contains(".") }
        #expect(named.count > 5)
        for name in named {
            if let complaint = page.complaint(about: "`\(name)`", functions: functions) {
                Issue.record("\(name) \(complaint)")
            }
        }
    }

    @Test func everyApp_usesTheElementsOfItsRow() throws {
        var seen: Set<String> = []
        for row in try Self.page().split(separator: "\n").filter({ $0.hasPrefix("| `") }) {
            let cells = row.split(separator: "|")
            let app = try #require(Self.names(cells[0]).first)
            let text = try Repository.text("Tests/AppleSide/ObjectiveC/Apps/\(app)")
            let elements = Self.names(cells[1])
            for part in elements.flatMap({ $0.matches(of: /\w+:?/).map { String($0.output) } }) {
                #expect(text.contains(part), "\(app) has no \(part)")
            }
            seen.formUnion(elements)
        }
        #expect(seen.count > 90)
    }
}
