import Foundation

/// The tests of each row, which are read from the `.row` traits in `Tests` and listed on a page.
struct TestsByRow {
    /// A test or a suite, with a row that its trait names.
    struct Entry: Equatable {
        /// The row or chapter, in the form of citations.
        let row: String
        /// The names of the file and the function, such as `SomeTests.isThere`; for a suite, the name of the file.
        let test: String
        /// The path of the file.
        let file: String
    }

    static let page = "Documentation/TestsByRow.md"

    let pages: Specification
    let entries: [Entry]

    /// The rows and the tests of this repository, which are read once for all tests.
    static let ofThisRepository = Result {
        // The samples in these files are not traits.
        let samples = ["Specification.swift", "SpecificationTests.swift", "TestsByRow.swift", "TestsByRowTests.swift"]
            .map { "Tests/ArchitectureTests/\($0)" }
        let files = try Repository.files("Tests").filter { !samples.contains($0) }
        return Self(
            pages: try Specification.ofThisRepository.get(),
            entries: try files.flatMap { Self.entries(in: try Repository.code(in: $0), file: $0) })
    }

    /// Returns the rows that the traits of a file name, each with its test.
    static func entries(in code: String, file: String) -> [Entry] {
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        // A trait belongs to the next function or type.
        let pattern = #"(?s)\.row\(([^)]*)\).*?\b(func|struct|class|actor|enum) (\w+)"#
        return Specification.matches(of: pattern, in: code).flatMap { match in
            Specification.matches(of: #""([^"]+)""#, in: match[1]).map { id in
                let isChapter = id[1].wholeMatch(of: /[ABC]\d(?:\.\d)?/) != nil
                return Entry(
                    row: isChapter ? "API reference, \(id[1])" : id[1],
                    test: match[2] == "func" ? "\(name).\(match[3])" : name, file: file)
            }
        }
    }

    /// The problems of rows and traits, as sentences.
    var complaints: [String] {
        let tests = Dictionary(grouping: entries, by: \.row)
        let defined = Dictionary(grouping: pages.rows, by: \.id)
        var found = pages.wrongIDs.map { "\($0.page): \"\($0.cell)\" is no id of a row." }
        for (id, rows) in defined where rows.count > 1 { found.append("\(id) is defined in \(rows.map(\.page)).") }
        for row in pages.rows {
            let named = tests[row.id, default: []].map(\.test)
            let needsATest = row.isChapter ? row.leadsToTests : row.reason == nil
            if named.isEmpty, needsATest {
                found.append(
                    "\(row.page): \(row.written) has no test. Name it in the trait of one, or say why there is none: "
                        + "a row ends with (no test: and the reason), a chapter has no link to its tests.")
            } else if let first = named.first, !needsATest {
                found.append(
                    "\(row.page): \(row.written) says that it has no test, but \(first) names it. "
                        + "Remove the reason, or lead from the chapter to its tests.")
            }
        }
        for entry in entries where defined[entry.row] == nil {
            found.append("\(entry.file): \(entry.test) names the row \"\(entry.row)\", which no page defines.")
        }
        return found.sorted()
    }

    /// The pages in the order of their paths, each with its rows and those of its chapters that have tests.
    var sections: [(page: String, rows: [Specification.Row])] {
        let named = Set(entries.map(\.row))
        let listed = pages.rows.filter { !$0.isChapter || named.contains($0.id) }
        return Dictionary(grouping: listed, by: \.page).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The text of the page.
    var text: String {
        let tests = Dictionary(grouping: entries, by: \.row)
        var text = """
            # Tests by row

            <!-- Written by `TestsByRowTests` with TVE_WRITE_ROWS=1: change the traits of the tests, not this page. -->

            The tests of each row and chapter, by page. A test names its rows in its trait, `.row("GA5")`.

            """
        for (page, rows) in sections {
            text += "\n## \(pages.titles[page] ?? page)\n\n"
            text += "[What these rows say](\(Self.path(to: page)))\n\n| row | tests |\n|---|---|\n"
            for row in rows {
                let links = tests[row.id, default: []].map { "[`\($0.test)`](\(Self.path(to: $0.file)))" }
                let names = Set(links).sorted()
                let cell = names.isEmpty ? row.reason.map { "none: \($0)" } ?? "" : names.joined(separator: ", ")
                text += "| \(row.written) | \(cell) |\n"
            }
        }
        return text
    }

    /// Returns the path of a file from the folder of the page.
    private static func path(to file: String) -> String {
        file.hasPrefix("Documentation/") ? String(file.dropFirst("Documentation/".count)) : "../\(file)"
    }
}
