import Foundation
import Testing

/// Compares the sources with the table in `Documentation/Architecture.md`.
struct ArchitectureTests {
    /// The platform's modules, which every module may import.
    private static let system: Set<String> = [
        "Foundation", "FoundationNetworking", "Dispatch", "UIKit", "Security", "AuthenticationServices",
        "VideoSubscriberAccount", "Network", "os",
    ]

    /// Returns the folder of each module of both packages.
    private static func modules() throws -> [String: String] {
        let nested = "Modules/VerificationService"
        var folders: [String: String] = [:]
        for parent in ["Modules", nested] {
            let path = Repository.root.appendingPathComponent(parent).path
            for name in try FileManager.default.contentsOfDirectory(atPath: path)
            where !name.hasPrefix(".")
                && !["VerificationService", "Tests", "Package.swift", "Package.resolved"].contains(name)
            {
                folders[name] = "\(parent)/\(name)"
            }
        }
        return folders
    }

    /// Returns the allowed imports of each module, from the document.
    private static func table() throws -> [String: Set<String>] {
        Dictionary(uniqueKeysWithValues: try rows())
    }

    /// Returns the rows of the table, in the order of the document.
    private static func rows() throws -> [(String, Set<String>)] {
        let page = try Repository.text("Documentation/Architecture.md")
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

    /// A reader of imports, whose expression takes longer to create than to use.
    private struct ImportReader {
        private let pattern =
            #/
            (?m)^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?
            import\s+(?:(?:struct|class|enum|protocol|func|let|var|typealias)\s+)?(\w+)
            /#

        func imports(in lines: [String]) -> Set<String> {
            // A quick search comes first, because the expression tries every line of a source.
            let lines = lines.filter { $0.hasText("import") }
            return Set(lines.joined(separator: "\n").matches(of: pattern).map { String($0.1) })
        }
    }

    @Test func everyModuleStandsInTheTable() throws {
        #expect(try Set(Self.table().keys) == Set(Self.modules().keys))
    }

    @Test func everyImportIsAllowed() throws {
        let table = try Self.table()
        let reader = ImportReader()
        var seen = 0
        for (module, folder) in try Self.modules() {
            let allowed = try #require(table[module], "\(module)").union(Self.system)
            for file in try Repository.files(folder) {
                let imports = reader.imports(in: try Repository.lines(of: file))
                seen += imports.count
                let forbidden = imports.subtracting(allowed)
                #expect(forbidden.isEmpty, "\(file) must not import \(forbidden.sorted())")
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
    func findsImports(source: String, expected: Set<String>) {
        #expect(ImportReader().imports(in: Repository.lines(in: source)) == expected)
    }

    @Test func noFileNameOccursTwice() throws {
        let names = try Repository.files("Modules").map { URL(fileURLWithPath: $0).lastPathComponent }
        let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty, "\(twice.sorted())")
    }

    @Test func noFileIsLong() throws {
        for file in try Repository.files("Modules") {
            let lines = try Repository.lines(of: file)
            // A machine, its states, events and effects are one file.
            #expect(lines.count <= (file.hasSuffix("Machine.swift") ? 650 : 400), "\(file)")
        }
    }
}
