import Foundation
import Testing

/// Tests that the page about the end of the classic services is complete, so that their removal stays one commit.
struct ClassicServicesPageTests {
    /// Texts that only code of the classic services contains.
    private static let words = [
        "ClassicXMLService", "OptionsTransport", "ConfigurationReader", "ServiceAnswerReader", "ConfigurationElement",
        "ConfigurationPopulation", "classicSoftwareStatement", "classicStatement", "isClassicRetired",
        "== .classic", "case .classic:", "service: .classic", "with: .classic", ", .classic]",
    ]

    /// Returns the paths of files and folders that the page names.
    private static func paths() throws -> [String] {
        let folders = ["Modules/", "Tests/", "Benchmarks/", "Documentation/", ".ci/"]
        return try Repository.text("Documentation/EndOfTheClassicServices.md").components(separatedBy: "`")
            .filter { text in folders.contains { text.hasPrefix($0) } }
    }

    /// Returns the files that none of the paths covers, although they contain one of the words.
    ///
    /// - Parameters:
    ///   - sources: the texts of the files by their paths.
    ///   - paths: the paths of files and folders that the page names.
    private static func forgotten(in sources: [String: String], by paths: [String]) -> [String] {
        sources.filter { file, text in
            !paths.contains { file == $0 || file.hasPrefix("\($0)/") } && words.contains { text.hasText($0) }
        }.keys.sorted()
    }

    @Test func namesOnlyWhatExists() throws {
        let paths = try Self.paths()
        #expect(paths.count > 20)
        for path in paths {
            #expect(
                FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path), "\(path)")
        }
    }

    @Test func namesEachSourceThatUsesTheClassicServices() throws {
        let files =
            try Repository.files("Modules") + Repository.files("Modules", ".md") + Repository.files("Benchmarks")
        let sources = Dictionary(uniqueKeysWithValues: try files.map { ($0, try Repository.text($0)) })
        #expect(Self.forgotten(in: sources, by: try Self.paths()) == [])
    }

    @Test func findsAForgottenSource() {
        let sources = [
            "Modules/A/B.swift": "let reader = ConfigurationReader()", "Modules/A/C.swift": "if dialect == .classic {",
            "Modules/AB/D.swift": "OptionsTransport()", "Modules/E.swift": "Self.classic(event)",
        ]
        #expect(Self.forgotten(in: sources, by: ["Modules/A"]) == ["Modules/AB/D.swift"])
        #expect(Self.forgotten(in: sources, by: ["Modules/A/C.swift", "Modules/AB"]) == ["Modules/A/B.swift"])
    }
}
