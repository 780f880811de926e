import Foundation
import Testing

/// Checks that the pages define every citation in sources, tests and documents.
struct SpecificationTests {
    /// Returns the Swift files in folders, without these tests, whose samples are not citations.
    private static func sources(_ folders: String...) throws -> [String] {
        try folders.flatMap { try Repository.files($0) }.filter { !$0.hasPrefix("Tests/ArchitectureTests/") }
    }

    @Test func everythingCited_isDefined() throws {
        let pages = try Specification.ofThisRepository.get()
        var citations: [String: Set<String>] = [:]
        for file in try Self.sources("Modules", "Tests", "Benchmarks") {
            citations[file] = Specification.citations(inSwift: try Repository.text(file))
        }
        for file in try Repository.files("Documentation", ".md") + ["README.md", "SECURITY.md"] {
            citations[file] = Specification.rows(in: try Repository.text(file))
        }
        #expect(citations.values.reduce(0) { $0 + $1.count } > 600, "The reader of citations finds too few.")
        for (file, cited) in citations {
            for citation in cited where !pages.defines(citation) { Issue.record("\(file) cites \(citation)") }
        }
    }

    // MARK: - The readers

    @Test(
        arguments: [
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
        "Documentation/Specification/A.md": """
        ## C6 Checks
        | row | when |
        |---|---|
        | GA5 | known |
        """,
        "Documentation/Specification/Tokens.md": """
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

    // MARK: - Documentation/Compatibility.md: the elements that each app in Objective-C uses

    private static func page() throws -> String { try Repository.text("Documentation/Compatibility.md") }

    /// Returns the texts in code marks.
    private static func names(_ cell: Substring) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
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
