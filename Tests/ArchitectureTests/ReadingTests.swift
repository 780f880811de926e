import Foundation
import Testing

/// The rules for readers that `swift format` does not hold: about long comments and strings, labels and summaries.
struct ReadingTests {
    /// The files that are read; this one contains samples that break the rules.
    private static func sources() throws -> [String] {
        try ["Modules", "Tests", "Benchmarks", "Documentation"].flatMap { try Repository.files($0) }
            .filter { !$0.hasSuffix("/ReadingTests.swift") }
    }

    // MARK: - Lines

    /// Returns the numbers of the lines with more than 120 characters, outside of multi-line strings.
    private static func longLines(in lines: [String]) -> [Int] {
        var isInString = false
        var found: [Int] = []
        for (index, line) in lines.enumerated() {
            // Counting characters takes long, and no line of fewer bytes is too long.
            if !isInString, line.utf8.count > 120, line.count > 120 { found.append(index + 1) }
            guard line.hasText("\"\"\"") else { continue }
            if !line.components(separatedBy: "\"\"\"").count.isMultiple(of: 2) { continue }
            isInString.toggle()
        }
        return found
    }

    @Test func noLineHasMoreThan120Characters() throws {
        for file in try Self.sources() {
            let lines = Self.longLines(in: try Repository.lines(of: file))
            #expect(lines == [], "\(file)")
        }
    }

    @Test func findsLongLines() {
        let long = String(repeating: "a", count: 121)
        #expect(Self.longLines(in: ["a", "// \(long)", "let a = \"\"\"", long, "\"\"\"", long]) == [2, 6])
        #expect(Self.longLines(in: [String(repeating: "ä", count: 120)]) == [])
    }

    // MARK: - Labels

    /// Returns the texts after each occurrence of a word, up to the next one.
    private static func pieces(after word: String, in lines: [String]) -> [String] {
        var pieces: [String] = []
        var lastLines: [String] = []
        func end() {
            if !lastLines.isEmpty { pieces.append(lastLines.joined(separator: "\n")) }
        }
        for line in lines {
            // Dividing a text takes long in a debug build, and few lines have the word.
            guard line.hasText(word) else {
                if !lastLines.isEmpty { lastLines.append(line) }
                continue
            }
            let parts = line.components(separatedBy: word)
            if !lastLines.isEmpty { lastLines.append(parts[0]) }
            end()
            pieces += parts.dropFirst().dropLast()
            lastLines = Array(parts.suffix(1))
        }
        end()
        return pieces
    }

    /// Returns the declarations of functions and initializers that have three or more parameters without a label.
    private static func unlabelled(in source: String) -> [String] {
        let lines = Repository.lines(in: source)
        var found: [String] = []
        for start in ["func ", "init(", "init?("] {
            for piece in pieces(after: start, in: lines) {
                var depth = start.hasSuffix("(") ? 1 : 0
                var parameter: [UInt8] = []
                var count = 0
                func end() {
                    if parameter.drop(while: { $0 == 0x20 || $0 == 0x0A }).starts(with: "_ ".utf8) { count += 1 }
                }
                for byte in piece.utf8 {
                    switch byte {
                    case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
                    case UInt8(ascii: ",") where depth == 1:
                        end()
                        parameter = []
                        continue
                    case UInt8(ascii: "{") where depth == 0: depth = -1
                    default: break
                    }
                    if depth < 0 { break }
                    if depth == 0, byte == UInt8(ascii: ")") { break }
                    if depth > 1 || depth == 1 && byte != UInt8(ascii: "(") { parameter.append(byte) }
                }
                end()
                if count > 2 { found.append(String(piece.prefix(60))) }
            }
        }
        return found
    }

    @Test func noFunctionHasThreeParametersWithoutALabel() throws {
        for file in try Self.sources() {
            let names = Self.unlabelled(in: try Repository.code(in: file))
            #expect(names == [], "\(file)")
        }
    }

    @Test(arguments: [
        ("func a(_ b: Int, _ c: (Int, Int), _ d: [Int: Int]) {", 1), ("init(_ a: A, _ b: B, _ c: C) {", 1),
        ("func a(_ b: Int, c: (_ d: Int, _ e: Int) -> Void) {", 0),
        ("func a<B>(\n    _ b: B,\n    _ c: B, _ d: B\n)", 1),
        ("func a() { b(1, 2, 3) }", 0), ("func a(_ b: Int, _ c: Int, d: Int) -> Int { 1 }", 0),
    ])
    func findsThem(source: String, count: Int) {
        #expect(Self.unlabelled(in: source).count == count)
    }

    /// Returns the types of tuples and of closures' parameters in which three or more elements have no label.
    private static func unlabelledTuples(in source: String) -> [String] {
        var found: [String] = []
        let lines = Repository.lines(in: source)
        for start in [": (", "-> (", "as (", "[(", "<(", "((", "= ("] {
            for piece in pieces(after: start, in: lines) {
                var depth = 1
                var elements: [[UInt8]] = [[]]
                for byte in piece.utf8 {
                    switch byte {
                    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
                    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">"): depth -= 1
                    default: break
                    }
                    if depth == 0 { break }
                    if depth == 1, byte == UInt8(ascii: ",") {
                        elements.append([])
                    } else {
                        elements[elements.count - 1].append(byte)
                    }
                }
                if elements.count > 2, elements.allSatisfy(isType) { found.append(String(piece.prefix(60))) }
            }
        }
        return found
    }

    /// Returns a Boolean value that indicates whether an element of a tuple is a type without a label, and no value.
    private static func isType(_ element: [UInt8]) -> Bool {
        var name = element.drop { $0 == 0x20 || $0 == 0x0A }
        if name.starts(with: "any ".utf8) { name = name.dropFirst(4) }
        guard let first = name.first(where: { $0 != UInt8(ascii: "[") }) else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
            && !name.contains(UInt8(ascii: "(")) && !name.contains(UInt8(ascii: "\""))
    }

    @Test func noTupleOfTheModulesHasThreeElementsWithoutALabel() throws {
        for file in try Repository.files("Modules") {
            let tuples = Self.unlabelledTuples(in: try Repository.code(in: file))
            #expect(tuples == [], "\(file)")
        }
    }

    @Test(arguments: [
        ("let a: (Int, String, B?) = c", 1), ("func a() -> (A,\n    [B], [C: D])", 1),
        ("case a((A, B, any C) -> D)", 1), ("let a: [(A, B<C, D>, E)] = []", 1), ("typealias A = (B, C, D)", 1),
        ("let a: (b: Int, c: Int, d: Int)", 0), ("func a() -> (A, B<C, D>)", 0), ("let a = b[(c, d, e)]", 0),
        ("let a = (B(), C(), D())", 0), ("let a = (.b, .c, nil)", 0),
    ])
    func findsTuples(source: String, count: Int) {
        #expect(Self.unlabelledTuples(in: source).count == count)
    }

    /// Returns the lines that give several names to the elements of a tuple which they create themselves.
    private static func tupleAssignments(in lines: [String]) -> [String] {
        lines.filter { line in
            guard line.hasText(") = ("), let end = line.range(of: ") = (") else { return false }
            guard line.hasText("let (") || line.hasText("var (") || line.drop(while: { $0 == " " }).hasPrefix("(")
            else { return false }
            var depth = 1
            var hasSeveral = false
            for byte in line[end.upperBound...].utf8 {
                switch byte {
                case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ",") where depth == 1: hasSeveral = true
                default: break
                }
                if depth == 0 { break }
            }
            return hasSeveral
        }
    }

    @Test func noLineOfTheModulesAssignsATupleToATuple() throws {
        for file in try Repository.files("Modules") {
            let lines = Self.tupleAssignments(in: try Repository.lines(of: file))
            #expect(lines == [], "\(file)")
        }
    }

    @Test func findsAssignments() {
        let wrong = ["let (a, b) = (c, d)", "(a, b) = (", "var (a, b): (C, D) = (e(f), [g])"]
        let right = [
            "let (a, b) = (c ?? d).e(f, g)", "let (a, b) = c(d, e)", "let a: (B, C) = (b, c)",
            "if case (a, b) = (c, d) {",
        ]
        #expect(Self.tupleAssignments(in: wrong + right) == [wrong[0], wrong[2]])
    }

    // MARK: - Summaries

    /// Words with which a summary is a riddle: a function has a verb, a property a noun.
    private static let riddles = [
        "What", "How", "Whether", "Why", "Where", "Which", "When", "Who", "Tells whether", "Tells what", "Tells how",
    ]

    @Test func noSummaryIsARiddle() throws {
        for file in try Self.sources() {
            var before = Substring()
            for line in try Repository.lines(of: file) {
                let line = line.drop { $0 == " " }
                defer { before = line }
                guard line.hasPrefix("/// "), !before.hasPrefix("///") else { continue }
                let summary = line.dropFirst(4)
                #expect(!Self.riddles.contains { summary.hasPrefix("\($0) ") }, "\(file): \(line)")
            }
        }
    }
}
