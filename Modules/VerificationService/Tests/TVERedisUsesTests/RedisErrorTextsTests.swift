import Foundation
import TVERedisUses
import Testing

/// Every error of Redis is a sentence about what was found and one about what to do, as those of the library are.
struct RedisErrorTextsTests {
    /// Returns the name of a case, and the next case.
    ///
    /// It has no `default`, so that it does not compile where a case is missing.
    private static func step(_ error: RedisUsesError) -> (name: String, next: RedisUsesError?) {
        switch error {
        case .unreachable: ("unreachable", .timedOut)
        case .timedOut: ("timedOut", .disconnected)
        case .disconnected: ("disconnected", .unanswered)
        case .unanswered: ("unanswered", .full)
        case .full: ("full", .refused(code: "NOPERM", words: "this user has no permissions"))
        case .refused: ("refused", .restartsUnseen("NOPERM"))
        case .restartsUnseen: ("restartsUnseen", .sentinel)
        case .sentinel: ("sentinel", .httpServer)
        case .httpServer: ("httpServer", .encryptedServer)
        case .encryptedServer: ("encryptedServer", .notReplicated(count: 1))
        case .notReplicated: ("notReplicated", .memoryLost)
        case .memoryLost: ("memoryLost", .noPrimary)
        case .noPrimary: ("noPrimary", .slotMoved)
        case .slotMoved: ("slotMoved", .severalPrimaries)
        case .severalPrimaries: ("severalPrimaries", .evicts(policy: "volatile"))
        case .evicts: ("evicts", .tooOld(version: "6.0"))
        case .tooOld: ("tooOld", .tls("the certificate has expired"))
        case .tls: ("tls", .unreadableAnswer)
        case .unreadableAnswer: ("unreadableAnswer", .overloaded)
        case .overloaded: ("overloaded", .closed)
        case .closed: ("closed", nil)
        }
    }

    private static var rows: [(name: String, text: String)] {
        var rows: [(name: String, text: String)] = []
        var error: RedisUsesError? = .unreachable("connection refused")
        while let current = error {
            let (name, next) = step(current)
            rows.append((name, "\(current)"))
            error = next
        }
        return rows
    }

    @Test func eachSaysWhatWasFound_andWhatToDo() {
        for row in Self.rows {
            #expect(row.text.hasSuffix(".") && row.text.contains(". ") && !row.text.contains(".."), "\(row)")
        }
        #expect(Set(Self.rows.map(\.text)).count == Self.rows.count)
    }

    @Test func thePage_hasEveryText() throws {
        var page = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { page.deleteLastPathComponent() }
        page.append(path: "Documentation/ErrorTexts.md")
        let marker = "<!-- The table is written by RedisErrorTextsTests with TVE_WRITE_ERROR_TEXTS=1. -->\n"
        let present = try String(contentsOf: page, encoding: .utf8)
        var lines = [
            "", "## `TVERedisUses.RedisUsesError`", "", "| case | what was found | what to do |", "|---|---|---|",
        ]
        for row in Self.rows {
            let sentences = row.text.split(separator: ". ", maxSplits: 1)
            lines.append("| `\(row.name)` | \(sentences[0]). | \(sentences[1]) |")
        }
        let wanted = present.components(separatedBy: marker)[0] + marker + lines.joined(separator: "\n") + "\n"
        let writes = ProcessInfo.processInfo.environment["TVE_WRITE_ERROR_TEXTS"] != nil
        if writes { try wanted.write(to: page, atomically: true, encoding: .utf8) }
        #expect(writes || present == wanted, "The page has other texts: run this with TVE_WRITE_ERROR_TEXTS=1.")
    }
}
