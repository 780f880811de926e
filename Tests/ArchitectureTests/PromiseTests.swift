import Foundation
import Testing

/// Pages that promise something name the tests of it, and these tests exist.
struct PromiseTests {
    @Test(arguments: [("SECURITY.md", 10), ("Documentation/VerificationService.md", 40)])
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
}
