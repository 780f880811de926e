import Foundation
import Testing

/// The rule that a test that waits has a time limit, in its own traits or in those of a suite around it.
///
/// A limit is `.timeLimit`, or that of a turn such as `.fewAtATime`.
struct TimeLimitTests {
    @Test func everyTestThatWaits_hasALimit() throws {
        // The samples in this file are not tests.
        let files = try Repository.files("Tests").filter { !$0.hasSuffix("/TimeLimitTests.swift") }
        let sources = try files.map { file in TestSource(try Repository.code(in: file), file) }
        let limited = sources.reduce(into: Set<String>()) { $0.formUnion($1.limitedSuites) }
        #expect(limited.count > 100, "The reader of suites finds too few.")
        let waiting = sources.flatMap(\.unlimited)
        #expect(waiting.count > 300, "The reader of tests finds too few.")
        for test in waiting where limited.isDisjoint(with: test.suites) {
            Issue.record("\(test.file): \(test.name) has no limit. Give its suite `.timeLimit(.hanging)`.")
        }
    }

    @Test(
        arguments: [
            ("@Test func a() async throws {}", ["a"]),
            ("@Test(arguments: [1])\nfunc a(b: Int) async {}", ["a"]),
            ("@Test func a(\n    b: Int\n) async {\n}", ["a"]),
            ("@Test func sweepsAFewAtATime() async {}", ["sweepsAFewAtATime"]),
            ("struct A {\n    @Test(.timeLimit(.hanging)) func a() async {}\n    @Test func b() async {}\n}", ["b"]),
            ("@Suite(.fewAtATime)\nstruct A {\n}\nstruct B {\n    @Test func b() async {}\n}", ["b"]),
            ("@Suite(.fewAtATime) struct A {\n    struct B {\n        @Test func a() async {}\n    }\n}", []),
            ("struct A {\n    @Suite(.fewAtATime) struct B {}\n    @Test func a() async {}\n}", ["a"]),
            ("@Suite(.oneAtATime)\n@MainActor\nfinal class A {}\nextension A {\n    @Test func a() async {}\n}", []),
            ("@Test func a() {}", []), ("@Test func a() {\n    Task { func b() async {} }\n}", []),
            ("@Test(.timeLimit(.hanging)) func a() async {}", []), ("func a() async {}", []),
        ] as [(String, [String])])
    func findsTestsWithoutALimit(code: String, expected: [String]) {
        let source = TestSource(code, "ATests.swift")
        let found = source.unlimited.filter { source.limitedSuites.isDisjoint(with: $0.suites) }
        #expect(found.map(\.name) == expected)
    }
}

/// The suites and tests of a source, as far as their time limits are concerned.
private struct TestSource {
    /// A test that waits and has no limit of its own.
    struct WaitingTest {
        let file: String
        let name: String
        /// The names of the types around the test.
        let suites: Set<String>
    }

    private(set) var limitedSuites: Set<String> = []
    private(set) var unlimited: [WaitingTest] = []

    private static let limits = [".timeLimit(", ".fewAtATime", ".fourAtATime", ".eightAtATime", ".oneAtATime"]
    private static let types = ["struct ", "class ", "enum ", "actor ", "extension "]

    /// Reads a source, without its comments, by the indentation that the formatter gives it.
    init(_ code: String, _ file: String) {
        guard code.hasText("async") || code.hasText("@Suite") else { return }
        var around: [(indentation: Int, name: String)] = []
        // The lines from a `@Suite` or `@Test` up to its declaration, and those of a test's signature.
        var traits = ""
        var signature = ""
        var indentation = 0
        for line in Repository.lines(in: code) {
            if line.hasText("@"), line.hasText("@Suite") || line.hasText("@Test") {
                traits = ""
                signature = ""
                indentation = Self.indentation(of: line)
            }
            if let name = Self.type(in: line), traits.isEmpty || traits.hasText("@Suite") || line.hasText("@Suite") {
                if traits.isEmpty { indentation = Self.indentation(of: line) }
                if Self.limits.contains(where: (traits + line).hasText) { limitedSuites.insert(name) }
                around = around.filter { $0.indentation < indentation } + [(indentation, name)]
                traits = ""
            } else if !signature.isEmpty {
                signature += line
            } else if !traits.isEmpty || line.hasText("@Test") || line.hasText("@Suite") {
                let parts = line.components(separatedBy: "func ")
                traits += parts[0] + "\n"
                signature = parts.dropFirst().joined()
            }
            guard signature.hasText("{") else { continue }
            let function = signature.components(separatedBy: "{")[0]
            if function.hasText(" async"), !Self.limits.contains(where: traits.hasText) {
                let suites = Set(around.filter { $0.indentation < indentation }.map(\.name))
                let name = function.components(separatedBy: "(")[0]
                unlimited.append(WaitingTest(file: file, name: name, suites: suites))
            }
            traits = ""
            signature = ""
        }
    }

    private static func indentation(of line: String) -> Int { line.utf8.prefix { $0 == 0x20 }.count }

    /// Returns the name of the type that a line declares or extends.
    private static func type(in line: String) -> String? {
        guard line.hasText("{"), types.contains(where: line.hasText) else { return nil }
        let modifiers = #"(?:@\w+(?:\(.*\))? )*(?:(?:public|package|private|fileprivate|final) )*"#
        let pattern = "^ *\(modifiers)(?:struct|class|enum|actor|extension) (\\w+)"
        return Specification.matches(of: pattern, in: line).first?[1]
    }
}
