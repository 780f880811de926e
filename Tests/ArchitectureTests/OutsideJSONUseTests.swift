import Foundation
import Testing

/// JSON from outside is read in one place, which checks its size and depth first (`TVEModels/UntrustedJSON/OutsideJSON.swift`).
struct OutsideJSONUseTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Modules")

    /// Files that may use Foundation's readers themselves, and why.
    private static let allowed: [String: String] = [
        "TVEModels/UntrustedJSON/OutsideJSON.swift": "is the place",
        "tve/Demo/SandboxFacts.swift": "the answer of a sandbox that the demo started",
        "tve/Session/StatisticsFile.swift": "a file that this tool wrote",
        "tve/Storage/StorageImportCommand.swift": "a file that whoever runs the tool names",
    ]

    /// Swift files below `Modules`, by their relative paths.
    private static func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
    }

    /// Whether a source reads JSON itself; comments do not count.
    private static func readsJSON(_ source: String) -> Bool {
        source.split(separator: "\n").contains { line in
            let code = line.trimmingCharacters(in: .whitespaces)
            return !code.hasPrefix("//") && (code.contains("JSONDecoder") || code.contains("JSONSerialization"))
        }
    }

    @Test func isReadInOnePlace() throws {
        let files = try Self.files()
        #expect(files.count > 100, "The reader of sources finds nothing.")
        for file in files where Self.allowed[file] == nil {
            let source = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
            #expect(!Self.readsJSON(source), "\(file) must read JSON with OutsideJSON")
        }
    }

    @Test func needsEveryRowOfTheTable() throws {
        for (file, reason) in Self.allowed {
            let source = try? String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
            #expect(source.map(Self.readsJSON) == true, "\(file): \(reason)")
        }
    }

    @Test(arguments: [
        ("try JSONDecoder().decode(X.self, from: y)", true), ("let a = JSONDecoder()", true),
        ("  JSONSerialization.jsonObject(with: x)", true), ("/// JSONDecoder is not used here", false),
        ("JSONEncoder().encode(x)", false), ("try OutsideJSON.decode(X.self, from: y)", false),
    ])
    func findsReaders(line: String, isReader: Bool) {
        #expect(Self.readsJSON("import Foundation\n\(line)\n") == isReader)
    }
}
