import Foundation
import Testing

/// Reading, deciding and writing happen in one step: only `update` and `change` change a store.
struct StorageWriteTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Modules")

    /// Files that write without reading in the same step, and why their changes depend on no stored value.
    private static let blindWrites: [String: String] = [
        "TVEStorage/Contract/StorageBackend.swift": "declares it; the probe's key is its own",
        "TVETestSupport/Conformance/StorageConformance.swift": "tries the calls of a backend",
        "TVETestSupport/Conformance/StorageConformance+Keys.swift": "tries keys in an empty store",
        "TVETestSupport/Conformance/StorageConformance+Updates.swift": "sets the stage",
        "tve/Storage/StorageImportCommand.swift": "stores what whoever runs the tool names",
        "tve/Storage/StoragePutCommand.swift": "stores what whoever runs the tool names",
        "tve/Storage/StorageRemoveCommand.swift": "removes what whoever runs the tool names",
    ]

    /// Functions of the flow engine that read the store before they change it, and why the change does not depend on
    /// that value, or reads it again.
    private static let readsBefore: [String: String] = [
        "EntitlementSession+KeptLogins.swift askForLogins":
            "the question it was read for is asked again inside the change",
        "EntitlementSession+Provider.swift use": "the login is looked at again inside the change",
        "EntitlementSession+PendingLogouts.swift finishOldLogouts": "notes are removed only as they were read",
        "EntitlementSession+PendingLogouts.swift tellService": "notes are removed only as they were read",
    ]

    private static func swiftFiles(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(".swift") }.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }

    private static func source(_ file: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
    }

    /// Whether a source passes a batch to a backend that was decided outside.
    private static func writesBlindly(_ source: String) -> Bool {
        source.contains(
            /[^A-Za-z](?:backend|storage|store|installation|file|log|next|open\(\)|openOrMake\(\))\.apply\(/)
            || source.contains(/\btry apply\(/)
    }

    @Test func nothingIsWrittenBlindly_butWhereNothingIsDecided() throws {
        let files = try Self.swiftFiles(below: "")
        #expect(files.count > 100, "The reader of sources finds nothing.")
        for file in files where Self.blindWrites[file] == nil {
            #expect(try !Self.writesBlindly(Self.source(file)), "\(file) must decide inside `update` or `change`")
        }
    }

    @Test func everyRowOfTheTableIsNeeded() throws {
        for (file, reason) in Self.blindWrites {
            #expect(try Self.writesBlindly(Self.source(file)), "\(file): \(reason)")
        }
    }

    /// The functions of a source with their bodies, found by the project's indentation.
    private static func functions(_ source: String) -> [(name: String, body: String)] {
        source.split(separator: /\n    (?=(?:@\w+ )?(?:(?:public|package|private|fileprivate) )?(?:mutating )?func )/)
            .dropFirst().compactMap { piece in
                piece.firstMatch(of: /func (\w+)/).map { (String($0.1), String(piece)) }
            }
    }

    /// Whether a function reads the store and changes it afterwards.
    private static func readsThenChanges(_ body: String) -> Bool {
        guard let change = body.range(of: "store.change") else { return false }
        return body[..<change.lowerBound].contains(/\bstore\.(?!change)\w+\(/)
    }

    @Test func aFlowThatReadsBeforeItChanges_isListedWithItsReason() throws {
        var found: Set<String> = []
        for file in try Self.swiftFiles(below: "TVEFlowEngine") {
            for function in Self.functions(try Self.source(file)) where Self.readsThenChanges(function.body) {
                found.insert("\(URL(fileURLWithPath: file).lastPathComponent) \(function.name)")
            }
        }
        #expect(found == Set(Self.readsBefore.keys))
    }

    @Test(arguments: [
        ("    func a() {\n        let x = try store.b(c)\n        try store.change { $0.d() }\n    }", true),
        ("    func a() {\n        try store.change { entitlements in try entitlements.b() }\n    }", false),
        ("    func a() {\n        try store.change { $0.d() }\n        let x = try store.b(c)\n    }", false),
    ])
    func findsWhatReadsBeforeItChanges(source: String, isOne: Bool) {
        #expect(Self.functions("struct S {\n\(source)\n}").contains { Self.readsThenChanges($0.body) } == isOne)
    }
}
