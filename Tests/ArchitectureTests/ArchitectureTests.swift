import Foundation
import Testing

/// Compares the sources with the table in `Documentation/Architecture.md`.
struct ArchitectureTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The platform's modules, which every module may import.
    private static let system: Set<String> = [
        "Foundation", "FoundationNetworking", "Dispatch", "UIKit", "Security", "AuthenticationServices",
        "VideoSubscriberAccount", "os",
    ]

    private static func swiftFiles(below folder: URL) -> [URL] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    private static func modules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Modules").path).sorted()
    }

    /// The allowed imports of each module, from the document.
    private static func table() throws -> [String: Set<String>] {
        Dictionary(uniqueKeysWithValues: try rows())
    }

    /// The rows of that table, in the order of the document.
    private static func rows() throws -> [(String, Set<String>)] {
        let page = try String(contentsOf: root.appendingPathComponent("Documentation/Architecture.md"), encoding: .utf8)
        var rows: [(String, Set<String>)] = []
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3 else { continue }
            // A remark may follow the name.
            let name = cells[0].split(separator: "`").first.map(String.init) ?? ""
            rows.append((name, Set(cells[2].matches(of: /`([^`]+)`/).map { String($0.1) })))
        }
        return rows
    }

    private static func imports(of file: URL) throws -> Set<String> {
        let text = try String(contentsOf: file, encoding: .utf8)
        let pattern =
            /(?m)^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|let|var|typealias)\s+)?(\w+)/
        return Set(text.matches(of: pattern).map { String($0.1) })
    }

    @Test func everyModuleStandsInTheTable() throws {
        #expect(try Set(Self.table().keys) == Set(Self.modules()))
    }

    @Test func everyImportIsAllowed() throws {
        let table = try Self.table()
        var seen = 0
        for module in try Self.modules() {
            let allowed = try #require(table[module], "\(module)").union(Self.system)
            for file in Self.swiftFiles(below: Self.root.appendingPathComponent("Modules/\(module)")) {
                let imports = try Self.imports(of: file)
                seen += imports.count
                let forbidden = imports.subtracting(allowed)
                #expect(forbidden.isEmpty, "\(module)/\(file.lastPathComponent) must not import \(forbidden.sorted())")
            }
        }
        #expect(seen > 100, "The reader of imports finds nothing.")
    }

    @Test func arrowsPointDownTheTable() throws {
        let rows = try Self.rows()
        let modules = Set(rows.map(\.0))
        var above: Set<String> = []
        for (module, allowed) in rows {
            let upward = allowed.intersection(modules).subtracting(above)
            #expect(upward.isEmpty, "\(module) stands above \(upward.sorted())")
            above.insert(module)
        }
    }

    @Test func leavesDoNotKnowEachOther() throws {
        let leaves: Set = ["TVETokenCodec", "TVEDeviceBinding", "TVEStorage", "TVETracking"]
        for (module, allowed) in try Self.table() where leaves.contains(module) {
            #expect(allowed.isDisjoint(with: leaves), "\(module)")
        }
    }

    @Test(
        arguments: [
            ("import A", ["A"]), ("public import B\n@_exported import struct C.D", ["B", "C"]),
            ("  import E\n// import F", ["E"]),
            ("let text = \"import G\"", []), ("@preconcurrency package import H", ["H"]), ("@_spi(X) import I", ["I"]),
        ] as [(String, Set<String>)])
    func findsImports(text: String, expected: Set<String>) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("imports-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        #expect(try Self.imports(of: file) == expected)
    }

    @Test func noFileNameOccursTwice() throws {
        let names = Self.swiftFiles(below: Self.root.appendingPathComponent("Modules")).map(\.lastPathComponent)
        let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty, "\(twice.sorted())")
    }

    @Test func noFileIsLong() throws {
        for file in Self.swiftFiles(below: Self.root.appendingPathComponent("Modules")) {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 400, "\(file.lastPathComponent)")
        }
    }
}
