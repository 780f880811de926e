import Foundation
import Testing

/// Compares the public enumerations of all modules with the table in `Documentation/PromiseToApps.md`.
struct PublicEnumerationTests {
    /// Returns the public enumerations of a source, with the types around them.
    private static func enumerations(in code: String) -> [String] {
        // A quick search comes first, because the expression tries every line of a source.
        guard code.hasText("enum ") else { return [] }
        let declaration = /^( *)((?:@[\w().]+ |[a-z]+ )*)(enum|struct|class|actor|extension|protocol) ([\w.]+)/
        let types = ["enum ", "struct ", "class ", "actor ", "extension ", "protocol "]
        var around: [String] = []
        var found: [String] = []
        for line in Repository.lines(in: code) where types.contains(where: line.hasText) {
            guard let match = line.prefixMatch(of: declaration) else { continue }
            around = around.prefix(match.1.utf8.count / 4) + [String(match.4)]
            let words = match.2.split(separator: " ")
            if match.3 == "enum", words.contains("public") { found.append(around.joined(separator: ".")) }
        }
        return found
    }

    @Test func everyOne_saysWhyItCannotGrow_orHowItGrows() throws {
        var declared: Set<String> = []
        for file in try Repository.files("Modules") {
            let folders = file.split(separator: "/")
            let module = folders[1] == "VerificationService" ? folders[2] : folders[1]
            declared.formUnion(Self.enumerations(in: try Repository.code(in: file)).map { "\(module).\($0)" })
        }
        #expect(declared.count > 50, "The reader of sources finds nothing.")
        var reasons: [String: String] = [:]
        for line in try Repository.text("Documentation/PromiseToApps.md").split(separator: "\n") {
            guard let row = line.firstMatch(of: /^\| `([\w.]+)` \| (.+) \|$/) else { continue }
            reasons[String(row.1)] = String(row.2)
        }
        #expect(declared.subtracting(reasons.keys).sorted() == [], "These need a line in the table.")
        #expect(Set(reasons.keys).subtracting(declared).sorted() == [], "These are not there any more.")
        #expect(reasons.filter { $0.value.split(separator: " ").count < 3 } == [:], "These say too little.")
    }

    @Test(arguments: [
        ("public enum A: Error {\n", ["A"]), ("enum A {\n    public enum B {", ["A.B"]),
        ("extension A.B {\n    @frozen public indirect enum C {\n    }\n    public enum D {", ["A.B.C", "A.B.D"]),
        ("package enum A {", []), ("// public enum A {", []), ("public struct A {\n    enum B {", []),
    ])
    func findsThem(source: String, names: [String]) {
        #expect(Self.enumerations(in: Repository.code(of: source)) == names)
    }
}
