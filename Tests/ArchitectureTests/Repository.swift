import Foundation
import TVEModels

/// The files of this repository.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder with the tests of the verification service, which is a package of its own.
    private static let nestedTests = "Modules/VerificationService/Tests"

    /// Returns the paths of all files in a folder with a given ending, without hidden folders.
    ///
    /// Paths start at the root of the repository. The tests of the verification service are listed with `Tests` and not
    /// with `Modules`.
    static func files(_ folder: String, _ ending: String = ".swift") throws -> [String] {
        let found = try paths(in: folder).filter { $0.hasSuffix(ending) }
        switch folder {
        case "Modules": return found.filter { !$0.hasPrefix(nestedTests) }
        case "Tests": return try found + files(nestedTests, ending)
        default: return found
        }
    }

    private static let listings = Guarded<[String: [String]]>([:])

    /// Returns the paths of all files in a folder, which is listed once for all rules.
    private static func paths(in folder: String) throws -> [String] {
        if let known = listings.withLock({ $0[folder] }) { return known }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { !$0.hasPrefix(".") && !$0.contains("/.") }.map { "\(folder)/\($0)" }
        listings.withLock { $0[folder] = paths }
        return paths
    }

    static func text(_ file: String) throws -> String { try sources.get()[file]?.text ?? read(file) }

    /// Returns the source of a file without the lines that are comments.
    static func code(in file: String) throws -> String { try sources.get()[file]?.code ?? code(of: read(file)) }

    /// Returns the lines of a file.
    static func lines(of file: String) throws -> [String] {
        try sources.get()[file]?.lines ?? lines(in: read(file))
    }

    /// Returns a source without the lines that are comments.
    static func code(of source: String) -> String { code(of: lines(in: source)) }

    private static func code(of lines: [String]) -> String {
        lines.filter { !$0.hasText("//") || !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }

    /// Returns the lines of a text.
    static func lines(in text: String) -> [String] {
        // The usual ways to divide a text compare characters, which takes long in a debug build.
        text.parts(separatedBy: "\n").map { String($0) }
    }

    private static func read(_ file: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
    }

    /// A source, as the rules read it.
    private struct Source {
        let text: String
        let lines: [String]
        /// The text without the lines that are comments.
        let code: String
    }

    /// The sources of modules and tests, which are read once for all rules.
    private static let sources = Result {
        let paths = try files("Modules") + files("Tests")
        return Dictionary(
            uniqueKeysWithValues: try paths.map { path -> (String, Source) in
                let text = try read(path)
                let lines = Repository.lines(in: text)
                return (path, Source(text: text, lines: lines, code: code(of: lines)))
            })
    }
}

extension String {
    /// Returns a Boolean value that indicates whether the bytes of another text occur in this one.
    ///
    /// The C library searches many bytes at a time, and a search for characters takes long in a debug build. It stops
    /// at a NUL, about which the compiler warns in a source.
    func hasText(_ part: String) -> Bool { unsafe strstr(self, part) != nil }
}
