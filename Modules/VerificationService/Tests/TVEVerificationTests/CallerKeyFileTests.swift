import Foundation
import Logging
import TVEFleetFixture
import TVEModels
import TVETestTraits
import Testing

@testable import TVEVerification
@testable import tve_verifier

/// The callers that each line of a callers' file admits, and those that stay admitted.
struct CallerKeyFileTests {
    private static let first = String(repeating: "a", count: 24)
    private static let second = String(repeating: "b", count: 24)

    private static func file(_ path: URL, _ configured: [RequestorID]) -> CallerKeyFile {
        let logger = Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() })
        return CallerKeyFile(
            path: path.path, configured: configured, logger: logger, metrics: PrometheusRegistry())
    }

    @Test(
        .row("VP13", "VP14"),
        arguments: [
            // The lines, the requestors of the two keys, and the problem.
            ("a KEY-A ONE\nb KEY-B TWO\n", ["ONE"], ["TWO"], nil),
            ("\u{FEFF}a KEY-A ONE\r\n\r\nb\tKEY-B  TWO ONE", ["ONE"], ["ONE", "TWO"], nil),
            ("# a KEY-A ONE\n  # a KEY-A ONE\nb KEY-B TWO", nil, ["TWO"], nil),
            ("a KEY-A ONE THREE\nb KEY-B TWO", nil, ["TWO"], .unknownRequestor(line: 1)),
            ("a KEY-A one\nb KEY-B TWO", nil, ["TWO"], .unknownRequestor(line: 1)),
            ("\na KEY-A\nb KEY-B TWO", nil, ["TWO"], .noRequestor(line: 2)),
            ("a KEY-A ONE\nc KEY-A TWO\nb KEY-B TWO", ["ONE"], ["TWO"], .repeatedKey(line: 2)),
            ("KEY-A\nb KEY-B TWO", nil, ["TWO"], .line(1)), ("a KEY-A, ONE\nb KEY-B TWO", nil, ["TWO"], .line(1)),
            ("# a KEY-A ONE", nil, nil, .empty),
        ] as [(String, [RequestorID]?, [RequestorID]?, CallerKeyFile.Problem?)])
    func aLine_admitsItsKey_forItsRequestorsAlone(
        lines: String, ofFirst: [RequestorID]?, ofSecond: [RequestorID]?, problem: CallerKeyFile.Problem?
    ) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("callers")
        let text = lines.replacingOccurrences(of: "KEY-A", with: Self.first)
            .replacingOccurrences(of: "KEY-B", with: Self.second)
        try writeSecret(text, to: path)
        let file = Self.file(path, ["ONE", "TWO"])
        file.load()
        #expect(file.problems == (problem.map { [$0] } ?? []))
        #expect(file.keys.requestors(of: Self.first[...]) == ofFirst.map { Set($0) })
        #expect(file.keys.requestors(of: Self.second[...]) == ofSecond.map { Set($0) })
    }

    @Test func aLineWithoutARequestor_isForTheOnlyOne() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("callers")
        try writeSecret("a \(Self.first)\nb \(Self.second) TWO\n", to: path)
        let file = Self.file(path, ["ONE"])
        file.load()
        #expect(file.problems == [.unknownRequestor(line: 2)])
        #expect(file.keys.requestors(of: Self.first[...]) == ["ONE"])
        #expect(file.keys.count == 1)
    }

    /// A file that is gone or useless admits nobody, whereas nothing is known about a file that cannot be read.
    @Test(.row("VP14")) func callers_stayAdmitted_onlyWhileTheFileCannotBeRead() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let manager = FileManager.default
        let path = folder.appendingPathComponent("callers")
        let good = "a \(Self.first) ONE\n"
        let changes: [(problem: CallerKeyFile.Problem, isKept: Bool, change: () throws -> Void)] = [
            (.missing, false, { try manager.removeItem(at: path) }),
            (.empty, false, { try writeSecret("", to: path) }),
            (.tooLong, false, { try writeSecret(good + String(repeating: "#", count: 1 << 20), to: path) }),
            (
                .unreadable, true,
                {
                    try manager.removeItem(at: path)
                    try manager.createDirectory(
                        at: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                }
            ),
            (
                .untrusted(.readableByEverybody(path: path.path)), true,
                {
                    try writeSecret("b \(Self.second) ONE\n", to: path)
                    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path.path)
                }
            ),
        ]
        let file = Self.file(path, ["ONE"])
        for (problem, isKept, change) in changes {
            try? manager.removeItem(at: path)
            try writeSecret(good, to: path)
            file.load()
            #expect(file.problems.isEmpty)
            #expect(file.keys.requestors(of: Self.first[...]) == ["ONE"], "\(problem)")
            try change()
            file.load()
            #expect(file.problems == [problem])
            #expect((file.keys.requestors(of: Self.first[...]) != nil) == isKept, "\(problem)")
            #expect(file.keys.count == (isKept ? 1 : 0), "\(problem)")
        }
    }

    @Test func aKey_has22BytesAtLeast_andIsForTheRequestorsOfAllItsUses() throws {
        #expect(CallerKey(String(repeating: "a", count: 21), requestors: ["ONE"]) == nil)
        let shortest = String(repeating: "a", count: 22)
        let first = try #require(CallerKey(shortest, requestors: ["ONE"]))
        let second = try #require(CallerKey(shortest, requestors: ["TWO"]))
        let keys = CallerKeys([first, second])
        #expect(keys.count == 1)
        #expect(keys.requestors(of: shortest[...]) == ["ONE", "TWO"])
        #expect(keys.requestors(of: shortest.dropLast()) == nil)
        keys.replace(with: [second])
        #expect(keys.requestors(of: shortest[...]) == ["TWO"])
    }
}
