import Foundation
import TVESandbox
import TVETestTraits
import Testing

/// Every command that takes a file ends with the same exit code if it cannot use the file.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct UnusableFileTests {
    /// A file that a command cannot use, or may not be able to use.
    enum Content: CaseIterable { case missing, folder, wrongFormat, empty }

    /// A command in whose arguments `FILE` stands for the file, and `STORE` for a store with one entry.
    struct Row: Sendable {
        let arguments: [String]
        /// The exit code for a file in the wrong format.
        var wrongFormat: Int32 = 2
        /// The exit code for an empty file.
        var empty: Int32 = 2

        func code(_ content: Content) -> Int32 {
            switch content {
            case .missing, .folder: 2
            case .wrongFormat: wrongFormat
            case .empty: empty
            }
        }
    }

    private static let nowhere = ["--service", "http://127.0.0.1:1", "--directory", "STORE"]

    static let rows = [
        // The content of a token is what these two commands judge.
        Row(arguments: ["token", "inspect", "FILE"], wrongFormat: 1, empty: 1),
        Row(arguments: ["token", "verify", "--key", "KEY", "FILE"], wrongFormat: 1, empty: 1),
        Row(arguments: ["token", "verify", "--key", "FILE", "KEY"]),
        Row(arguments: ["conformance", "--har", "FILE"]),
        Row(arguments: ["conformance", "--expect", "FILE", "--run", "true"]),
        Row(arguments: ["sandbox", "--port", "0", "--world", "FILE"]),
        Row(arguments: ["sandbox", "--port", "0", "--key", "FILE"]),
        // An export of an empty store is an empty file.
        Row(arguments: ["storage", "import", "FILE", "--directory", "STORE"], empty: 0),
        Row(arguments: ["storage", "get", "a", "--directory", "STORE", "--key-file", "FILE"]),
        // An empty statement and one with a space are refused without a request.
        Row(arguments: ["status", "--statement", "@FILE"] + nowhere, wrongFormat: 1, empty: 1),
        Row(arguments: ["providers", "--statement", "@FILE"] + nowhere, wrongFormat: 1, empty: 1),
        Row(arguments: ["doctor", "--statement", "@FILE"] + nowhere, wrongFormat: 1, empty: 1),
    ]

    @Test(arguments: rows, Content.allCases)
    func aFileThatCannotBeUsed_endsWith2(row: Row, content: Content) async throws {
        let folder = try Folder()
        let file = folder.path("file")
        switch content {
        case .missing: break
        case .folder:
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: file), withIntermediateDirectories: false)
        case .wrongFormat: _ = try folder.file("file", "no such format")
        case .empty: _ = try folder.file("file", "")
        }
        let store = folder.path("store")
        if row.arguments.contains("--key-file") {
            #expect(try await Tool.run(["storage", "put", "a", "--directory", store], input: "x").status == 0)
        }
        let key = try folder.file("key", try SandboxKey.ofThisProcess.get().publicKeyPEM)
        let values = ["FILE": file, "@FILE": "@\(file)", "STORE": store, "KEY": key]
        let tool = try await Tool.run(row.arguments.map { values[$0] ?? $0 })
        #expect(tool.status == row.code(content), "\(row.arguments), \(content): \(tool.status), \(tool.output)")
        #expect(!tool.output.contains("Usage:"), "\(row.arguments), \(content): \(tool.output)")
    }
}
