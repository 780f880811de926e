import Foundation
import Testing

/// Checks the `.row` traits, which alone assign tests to rows.
struct TestsByRowTests {
    private static let isWriting = ProcessInfo.processInfo.environment["TVE_WRITE_ROWS"] != nil

    @Test func everyRow_hasATest_orAReason_andEveryTraitARow() throws {
        let rows = try TestsByRow.ofThisRepository.get()
        #expect(rows.pages.rows.count > 400 && rows.entries.count > 800, "The reader of rows finds too few.")
        for complaint in rows.complaints { Issue.record("\(complaint)") }
    }

    @Test func thePage_hasTheTestsOfEveryRow() throws {
        let wanted = try TestsByRow.ofThisRepository.get().text
        if Self.isWriting {
            let page = Repository.root.appendingPathComponent(TestsByRow.page)
            try wanted.write(to: page, atomically: true, encoding: .utf8)
        }
        let present = try Repository.text(TestsByRow.page).split(separator: "\n")
        let changed = present.difference(from: wanted.split(separator: "\n"))
        #expect(
            changed.isEmpty,
            "\(TestsByRow.page) does not have the tests of the traits. Run these tests with TVE_WRITE_ROWS=1.")
    }

    /// Every page with rows links to the tests of its rows.
    @Test func everyPageWithRows_leadsToItsTests() throws {
        let rows = try TestsByRow.ofThisRepository.get()
        for (page, _) in rows.sections {
            let title = try #require(rows.pages.titles[page])
            let anchor = title.lowercased().replacingOccurrences(of: " ", with: "-").filter { $0 != "'" && $0 != "." }
            #expect(try Repository.text(page).contains("TestsByRow.md#\(anchor))"), "\(page) has no link to its tests.")
        }
    }

    /// Renaming a test changes only its file and the generated page.
    @Test func noPage_namesATest() throws {
        let functions = Set(
            try Repository.files("Tests").flatMap { file in
                Specification.matches(of: #"func (\w+_\w+)"#, in: try Repository.text(file)).map { $0[1] }
            })
        #expect(functions.count > 1_000, "The reader of tests finds too few.")
        for page in try Self.pages() where page != TestsByRow.page {
            let text = try Repository.text(page)
            for name in Self.namedTests(in: text, functions) {
                Issue.record("\(page) names the test \(name). Give the statement a row, and the test its trait.")
            }
        }
        for file in try Repository.files("Modules") {
            let named = Self.namedTests(in: try Repository.text(file), functions)
            #expect(named.isEmpty, "\(file) names tests: \(named)")
        }
        for (script, text) in try Self.scripts() {
            let named = Self.namedTests(in: text, functions)
            #expect(named.isEmpty, "\(script) names tests: \(named). Let it run their suites.")
        }
    }

    private static func pages() throws -> [String] {
        try Repository.files("Documentation", ".md") + Repository.files("Modules", ".md")
            + Repository.files("Benchmarks", ".md") + ["SECURITY.md", "README.md", ".ci/README.md"]
    }

    /// Returns the texts of all checks and workflows, by their paths.
    private static func scripts() throws -> [(path: String, text: String)] {
        let scripts = try (Repository.files(".ci", "") + Repository.files(".github", ".yml")).compactMap { path in
            // A folder has no text, nor has what Python has compiled.
            (try? Repository.text(path)).map { (path: path, text: $0) }
        }
        #expect(scripts.count > 50, "The reader of scripts finds too few.")
        return scripts
    }

    private static func namedTests(in text: String, _ functions: Set<String>) -> [String] {
        let member = #"\b\w+Tests[./](?!swift\b|md\b|xctest\b|xcscheme\b)[a-z]\w*"#
        return Specification.matches(of: member + #"|\b[a-zA-Z]\w*_\w+\b"#, in: text).map { $0[0] }
            .filter { $0.hasText(".") || $0.hasText("/") || functions.contains($0) }
    }

    /// Pages mention files and folders of tests.
    @Test func everyMentionedSuite_isThere() throws {
        let names = try Self.names()
        for page in try Self.pages() {
            for mention in Specification.matches(of: #"`(\w+Tests)`"#, in: try Repository.text(page)) {
                #expect(names.contains(mention[1]), "\(page) mentions \(mention[1])")
            }
        }
    }

    /// A filter that fits no test would silently find nothing, and one with the name of a function breaks with it.
    @Test func everyFilter_isASuite_orTheBeginningOfSome() throws {
        let names = try Self.names()
        let pages = try Self.pages().map { (path: $0, text: try Repository.text($0)) }
        var count = 0
        for (path, text) in try Self.scripts() + pages {
            for filter in Self.filters(in: text) {
                count += 1
                #expect(names.contains { $0.hasPrefix(filter) }, "\(path) has a filter that fits no suite: \(filter)")
            }
        }
        #expect(count > 15, "The reader of filters finds too few.")
    }

    private static func filters(in text: String) -> [String] {
        guard text.hasText("--filter") || text.hasText("--skip") else { return [] }
        return Specification.matches(of: #"(?:--(?:filter|skip) |\bfilter=)'?(\w[\w|]*)"#, in: text)
            .flatMap { $0[1].split(separator: "|").map(String.init) }
    }

    /// Returns the names of all suites, files and folders with tests.
    private static func names() throws -> Set<String> {
        let files = try Repository.files("Tests") + Repository.files("Benchmarks") + Repository.files("Documentation")
        return Set(files.flatMap { $0.split { $0 == "/" || $0 == "." }.map(String.init) })
    }

    // MARK: - The readers

    @Test(
        arguments: [
            ("@Test(.row(\"T-07\", \"CA1\")) func isThere() {}", ["T-07 SomeTests.isThere", "CA1 SomeTests.isThere"]),
            ("@Test(\n    .row(\"E6\"),\n    arguments: [1])\nfunc isThere(a: Int) {}", ["E6 SomeTests.isThere"]),
            ("@Suite(.row(\"A7\"))\n@MainActor\nstruct SomeTests {", ["API reference, A7 SomeTests"]),
            ("@Test(.row(\"wire protocol, 6.2\")) func a() {}", ["wire protocol, 6.2 SomeTests.a"]),
            ("@Test(.row(\"B8.1\")) func a() {}\n@Test func b() {}", ["API reference, B8.1 SomeTests.a"]),
            ("@Test(.timeLimit(.hanging)) func isThere() {}", []),
        ] as [(String, [String])])
    func readsTraits(code: String, expected: [String]) {
        let entries = TestsByRow.entries(in: code, file: "Tests/SomeTests.swift")
        #expect(entries.map { "\($0.row) \($0.test)" } == expected)
    }

    private static let a7 = "API reference, A7"

    private static let sample = Specification([
        "Documentation/Specification/Calls.md": """
        # Calls

        ## A6 Class

        ## A7 Constants

        [Tests](../TestsByRow.md#calls).

        | row | when |
        |---|---|
        | GA5 | known |
        | `CFG5xx` | broken |
        | GA7 | never (no test: nothing to see) |

        | case | when |
        |---|---|
        | GA9 | this is no table of rows |
        """
    ])

    private func rows(_ named: [(String, String)]) -> TestsByRow {
        TestsByRow(
            pages: Self.sample,
            entries: named.map { TestsByRow.Entry(row: $0.0, test: $0.1, file: "Tests/SomeTests.swift") })
    }

    @Test func writesTheTestsOfRowsAndChapters_andTheReasonForNone() {
        let text = rows([
            ("GA5", "SomeTests.b"), ("GA5", "SomeTests.a"), ("CFG5xx", "SomeTests"),
            ("API reference, A7", "SomeTests.c"),
        ]).text
        let table = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map(String.init)
        let link = "(../Tests/SomeTests.swift)"
        #expect(
            table == [
                "| row | tests |", "| A7 | [`SomeTests.c`]\(link) |",
                "| GA5 | [`SomeTests.a`]\(link), [`SomeTests.b`]\(link) |", "| `CFG5xx` | [`SomeTests`]\(link) |",
                "| GA7 | none: nothing to see |",
            ])
    }

    @Test(
        arguments: [
            (["GA5", "CFG5xx", a7], nil), (["GA5", a7], "`CFG5xx` has no test."),
            (["GA5", "CFG5xx"], "A7 has no test."),
            (["GA5", "CFG5xx", a7, "GA7"], "GA7 says that it has no test, but SomeTests.a names it."),
            (["GA5", "CFG5xx", a7, "API reference, A6"], "A6 says that it has no test, but SomeTests.a names it."),
            (["GA5", "CFG5xx", a7, "GA9"], "names the row \"GA9\""),
            (["GA5", "CFG5xx", a7, "API reference, A8"], "names the row \"API reference, A8\""),
        ] as [([String], String?)])
    func complainsOfRowsWithoutTests_andOfTraitsWithoutRows(named: [String], complaint: String?) {
        let complaints = rows(named.map { ($0, "SomeTests.a") }).complaints
        #expect(complaints.count == (complaint == nil ? 0 : 1))
        #expect(complaints.first?.contains(complaint ?? "") ?? true)
    }

    @Test func complainsOfARowThatIsDefinedTwice_andOfAnIDThatIsNone() {
        let pages = Specification([
            "A.md": "| row | when |\n|---|---|\n| GA5 | known |\n| GA5 | again |\n| some thing | x |"
        ])
        let entries = ["GA5", "some thing"].map { TestsByRow.Entry(row: $0, test: "SomeTests.a", file: "a") }
        let complaints = TestsByRow(pages: pages, entries: entries).complaints
        #expect(complaints.count == 2 && complaints.contains { $0.hasPrefix("GA5 is defined in") })
    }

    @Test(arguments: [
        ("(`SomeTests.isThere`)", ["SomeTests.isThere"]), ("see isThere_whenAsked", ["isThere_whenAsked"]),
        ("--filter SomeTests/isThere", ["SomeTests/isThere"]),
        ("`SomeTests`, SomeTests.swift, SomeTests.xctest, Tests/SomeTests/SomeTests.swift and snake_case", []),
    ])
    func findsNamedTests(text: String, expected: [String]) {
        #expect(Self.namedTests(in: text, ["isThere_whenAsked"]) == expected)
    }

    @Test func findsFilters() {
        let script = "swift test --skip 'ATests|b_c' --filter DTests\nfilter='ETests|F'\ncheck --filter \"$test\""
        #expect(Self.filters(in: script) == ["ATests", "b_c", "DTests", "ETests", "F"])
        #expect(Self.filters(in: "kept = filter(None, all)") == [])
    }
}
