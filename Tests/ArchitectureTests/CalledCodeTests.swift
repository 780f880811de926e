import Foundation
import Testing

/// The rule that a test calls code of this package, itself or through a helper of its target.
///
/// A test that builds its own answer and compares it shows nothing. The rule reads names: those that the modules and
/// the test's target declare. Tests of the repository itself, in this folder, read sources and call nothing.
struct CalledCodeTests {
    /// The files with tests in which the rule finds no name, with the reasons.
    private static let exceptions = [
        "Tests/AccessEnablerTests/ReadmeTests.swift": "compares a page with code above the test, which is compiled",
        "Tests/AppleSide/Tests/TrapTests.swift": "has its helper in a type inside another one",
        "Tests/SourceCompatibilityTests/RuntimeNameTests.swift": "looks names up at run time",
        "Tests/TVEFlowEngineTests/LoginRedirectsTests.swift": "calls a member of URL",
        "Tests/TVEModelsTests/ExactTextTests.swift": "calls a member of String",
        "Tests/TVEModelsTests/HTTPDateTests.swift": "calls members of Date",
        "Tests/TVEModelsTests/TextTests.swift": "calls members of String, bytes and numbers",
    ]

    @Test func everyTest_namesCodeOfThisPackage_orAHelper() throws {
        let names = try KnownNames.ofThisRepository()
        var count = 0
        var found: [String: [String]] = [:]
        for file in try Repository.files("Tests") where !file.hasPrefix("Tests/ArchitectureTests/") {
            let tests = Self.tests(in: try Repository.code(in: file))
            let strange = tests.filter { !names.occur(in: $0, ofTarget: KnownNames.target(of: file)) }
            count += tests.count
            if !strange.isEmpty { found[file] = strange }
        }
        #expect(count > 2_500, "The reader of tests finds too few.")
        for (file, tests) in found where Self.exceptions[file] == nil {
            Issue.record("\(file) has tests that call no code of this package:\n\(tests.joined(separator: "\n"))")
        }
        let unneeded = Self.exceptions.keys.filter { found[$0] == nil }
        #expect(unneeded.isEmpty, "These files need no exception any more.")
    }

    /// Returns the text of each test, from its attribute to its last brace, by the indentation of the formatter.
    private static func tests(in code: String) -> [String] {
        guard code.hasText("@Test") else { return [] }
        var tests: [String] = []
        var lines: [String] = []
        var indentation = 0
        for line in Repository.lines(in: code) {
            if lines.isEmpty {
                guard line.hasText("@Test"), line.drop(while: { $0 == " " }).hasPrefix("@Test") else { continue }
                indentation = Self.indentation(of: line)
            }
            lines.append(line)
            guard line.utf8.last == UInt8(ascii: "}"), Self.indentation(of: line) == indentation,
                line.hasText("func ") || line.drop(while: { $0 == " " }).hasPrefix("}")
            else { continue }
            tests.append(lines.joined(separator: "\n"))
            lines = []
        }
        return tests
    }

    private static func indentation(of line: String) -> Int { line.utf8.prefix { $0 == 0x20 }.count }

    @Test func findsTests() {
        let second = "    @Test(\n        arguments: [1]\n    )\n    func b() {\n        c()\n    }\n"
        let code = "struct A {\n    @Test func a() {}\n\(second)}"
        let lines = Self.tests(in: code).map { $0.split(separator: "\n").count }
        #expect(lines == [1, 6])
    }

    @Test(arguments: [
        ("@Test func a() { #expect(Token().isValid) }", true),
        ("@Test(arguments: Token.allCases) func a(b: Int) { #expect(b > 0) }", true),
        ("@Test func a() { #expect(fixture.count == 2) }", true),
        ("@Test func a() { let fixture = fixture\n    #expect(fixture.count == 2) }", true),
        ("@Test func a() { let made = Self.made() }", true), ("@Test func a() { let made = made() }", true),
        ("@Test func a() { #expect(\"\\(Token())\" == \"a\") }", true),
        ("@Test func a() { let fixture = [1]\n    #expect(fixture.count == 2) }", false),
        ("@Test func a(fixture: Int) { #expect(fixture == 2) }", false),
        ("@Test func a() { #expect([1].fixture == 2) }", false), ("@Test func a() { b(fixture: 1) }", false),
        ("@Test func a() { #expect(\"Token fixture\" == \"a\") }", false),
        ("@Test func fixture() { #expect(1 + 1 == 2) }", false),
    ])
    func findsNames(code: String, expected: Bool) {
        let names = KnownNames(product: ["Token"], helpers: ["ATests": ["fixture", "made"], "BTests": ["b"]])
        #expect(names.occur(in: code, ofTarget: "ATests") == expected)
    }
}

/// The names that modules and test targets declare.
private struct KnownNames {
    /// The names of the types, functions and values of modules, outside of other types.
    let product: Set<String>
    /// The names that test targets declare, also as members of types, by target.
    let helpers: [String: Set<String>]

    private static let modifiers =
        #"(?:@\w+(?:\([^)\n]*\))? |(?:public|package|private|fileprivate|final|open|static|nonisolated|mutating|lazy"#
        + #"|override|private\(set\)|nonisolated\(unsafe\)) )*"#
    private static let declaration =
        modifiers + #"(?:struct|class|enum|actor|protocol|typealias|func|var|let) `?(\w+)"#
    private static let strings = try? NSRegularExpression(
        pattern: ##"#"""#|#"[^\n]*?"#|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*""##)
    /// A name that stands alone, or behind `self` or `Self`, or that of a type behind another one.
    private static let name = try? NSRegularExpression(
        pattern: #"(?:(?<![\w.#@])|(?<=\bself\.)|(?<=\bSelf\.)|(?<=\bSelf\(\)\.)|(?<=\.\.\.)|(?<=\.\.<))"#
            + #"([A-Za-z_]\w*)(?![\w:])|(?<=\.)([A-Z]\w*)"#)

    static func ofThisRepository() throws -> Self {
        let product = try Repository.files("Modules").flatMap { file in
            Specification.matches(of: "(?m)^" + declaration, in: try Repository.code(in: file)).map { $0[1] }
        }
        var helpers: [String: Set<String>] = [:]
        for file in try Repository.files("Tests") {
            let names = Specification.matches(of: "(?m)^(?:    )?" + declaration, in: try Repository.code(in: file))
            // A name with an underscore is that of a test.
            helpers[target(of: file), default: []].formUnion(names.map { $0[1] }.filter { !$0.hasText("_") })
        }
        let shared = ["TVETestTraits", "TVEFleetFixture"].compactMap { helpers[$0] }
            .reduce(into: Set<String>()) { $0.formUnion($1) }
        #expect(product.count > 800 && helpers.count > 15 && !shared.isEmpty, "The reader of names finds too few.")
        return Self(product: Set(product), helpers: helpers.mapValues { $0.union(shared) })
    }

    /// Returns the name of the test target of a file.
    static func target(of file: String) -> String {
        let parts = file.split(separator: "/")
        return parts.firstIndex(of: "Tests").map { String(parts[$0 + 1]) } ?? ""
    }

    /// Returns a Boolean value that indicates whether one of the names occurs in a test.
    func occur(in test: String, ofTarget target: String) -> Bool {
        let own = Specification.matches(of: #"\bfunc `?(\w+)"#, in: test).first?[1]
        let code = Self.withoutStrings(test)
        let text = code as NSString
        lazy var local = Self.locals(in: code)
        let whole = NSRange(location: 0, length: text.length)
        for match in Self.name?.matches(in: code, range: whole) ?? [] {
            let range = match.range(at: match.range(at: 1).location == NSNotFound ? 2 : 1)
            let name = text.substring(with: range)
            guard name != own, product.contains(name) || helpers[target]?.contains(name) == true else { continue }
            if let first = name.utf8.first, (0x41...0x5A).contains(first) { return true }
            let isMember = range.location > 0 && text.character(at: range.location - 1) == 0x2E
            let end = range.location + range.length
            let isCalled = end < text.length && text.character(at: end) == 0x28
            // A value that the test declares itself has the name of a helper by chance.
            if isMember || isCalled || !local.contains(name) { return true }
        }
        return false
    }

    /// Returns a test without its strings, followed by what the strings interpolate.
    private static func withoutStrings(_ test: String) -> String {
        let whole = NSRange(test.startIndex..., in: test)
        let code = strings?.stringByReplacingMatches(in: test, range: whole, withTemplate: "\"\"") ?? test
        let interpolated = Specification.matches(of: ##"\\#?\(([^"\n]*)"##, in: test).map { $0[1] }
        return ([code] + interpolated).joined(separator: " ")
    }

    /// Returns the names of the values and parameters that a test declares, without those that repeat a helper's name.
    private static func locals(in code: String) -> Set<String> {
        let declared = Specification.matches(of: #"\b(?:let|var|for) (?:\(([^)]*)\)|(\w+)(?! = \2\b))"#, in: code)
            .flatMap { Specification.matches(of: #"\w+"#, in: $0[1] + " " + $0[2]).map { $0[0] } }
        let signature = Specification.matches(of: "func [^{]*", in: code).first?[0] ?? ""
        return Set(declared + Specification.matches(of: #"(\w+):"#, in: signature).map { $0[1] })
    }
}
