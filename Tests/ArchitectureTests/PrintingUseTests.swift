import Foundation
import Testing

/// All output of `tve` goes through one printer, which removes control characters (`tve/Terminal/Printer.swift`).
struct PrintingUseTests {
    private static let tool = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Modules/tve")

    /// Files that write to the terminal themselves, and why.
    private static let allowed: [String: String] = [
        "Terminal/Printer.swift": "is the place", "Terminal/Terminal.swift": "moves the cursor for lines that count",
        "TVE.swift": "prints help and errors, cleaned line by line",
        "Demo/Timeline.swift": "colours, around texts that are clean",
    ]

    /// Whether a source writes to the terminal itself; comments do not count.
    private static func writes(_ source: String) -> Bool {
        source.split(separator: "\n").contains { line in
            let code = line.trimmingCharacters(in: .whitespaces)
            guard !code.hasPrefix("//") else { return false }
            return code.contains(/(^|[^.\w])print\(("|String|\w+\.\w|\w+\))/)
                || code.contains("FileHandle.standard")
                    && !code.contains("standardInput")
                || code.contains("fputs(")
        }
    }

    @Test func isInOnePlace() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.tool.path).filter {
            $0.hasSuffix(".swift")
        }
        #expect(files.count > 40, "The reader of sources finds nothing.")
        for file in files where Self.allowed[file] == nil {
            let source = try String(contentsOf: Self.tool.appendingPathComponent(file), encoding: .utf8)
            #expect(!Self.writes(source), "\(file) must print with Printer")
        }
    }

    @Test(arguments: [
        ("print(\"x\")", true), ("        print(token.text)", true), ("if x { print(text) }", true),
        ("// print(\"x\")", false),
        ("Printer.line(text)", false), ("FileHandle.standardError.write(x)", true),
        ("FileHandle.standardInput.read()", false),
        ("try LoginReport(x).print(asJSON: y)", false), ("func print(asJSON: Bool) {", false),
    ])
    func findsWriters(line: String, isWriter: Bool) {
        #expect(Self.writes("import Foundation\n\(line)\n") == isWriter)
    }
}
