import Foundation
import Testing

/// Checks that a host runs every part of `.ci/run` on every change.
struct CheckPartsTests {
    @Test func theWorkflowOfAChange_runsEachPartOfThePage() throws {
        let page = try Repository.text(".ci/README.md")
        let table = try #require(page.components(separatedBy: "| part |").last?.components(separatedBy: "\n\n").first)
        let parts = Specification.matches(of: #"\n\| `(\w+)` \|"#, in: table).map { $0[1] }
        #expect(parts.first == "tests", "The reader of the table finds something else.")
        let workflow = try Repository.text(".github/workflows/checks.yml")
        let matrix = try #require(Specification.matches(of: #"\n +part: \[([\w, ]+)\]"#, in: workflow).first)
        #expect(matrix[1].components(separatedBy: ", ") == parts)
    }
}
