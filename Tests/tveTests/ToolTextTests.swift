import Foundation
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

@testable import tve

/// Texts and limits of the tool at their ends, in the process of the tests.
@Suite(.timeLimit(.hanging))
struct ToolTextTests {
    // MARK: - Logins

    @Test(arguments: [(1, ""), (50, ""), (51, " and 1 more; \"tve providers\" lists all")])
    func namesFiftyProvidersAtMost(count: Int, rest: String) {
        let providers = (1...count).map { TVProvider(id: MVPDID("p\($0)"), displayName: "P", logoURL: "") }
        let ids = (1...min(count, 50)).map { "p\($0)" }.joined(separator: ", ")
        #expect(TerminalPresenter.known(providers) == "The requestor works with: \(ids)\(rest).")
    }

    @Test(
        arguments: [
            (.page(status: 404, html: ""), false), (.page(status: 428, html: ""), false),
            (.page(status: 429, html: ""), true), (.page(status: 430, html: ""), false),
            (.page(status: 499, html: ""), false), (.page(status: 500, html: ""), true), (.failed, true),
            (.loginRefused(html: ""), false),
        ] as [(HeadlessBrowser.Destination, Bool)])
    func aLoginPageThatDoesNotCome_isAnOutage(end: HeadlessBrowser.Destination, isOutage: Bool) {
        #expect(end.isOutage == isOutage && end.fault != nil)
    }

    // MARK: - Arguments

    @Test(arguments: [(0, false), (1, true), (3_600, true), (3_601, false)])
    func takesATimeLimit_upToAnHour(seconds: Int, isTaken: Bool) {
        #expect((try? ExchangeTimeLimit.limit(seconds)) == (isTaken ? .seconds(seconds) : nil))
    }

    @Test(
        arguments: [
            (["a=b"], ["a": "b"]), (["a=b=c"], ["a": "b=c"]), (["a="], ["a": ""]),
            (["a=1", "b=2"], ["a": "1", "b": "2"]), (["a=1", "a=2"], ["a": "2"]), ([], [:]),
        ] as [([String], [String: MetadataValue])])
    func dividesDataAtTheFirstEqualsSign(pairs: [String], values: [String: MetadataValue]) async throws {
        let command = try await TVE.command(in: ["authorize", "R"] + pairs.flatMap { ["--data", $0] })
        let data = try #require(command as? AuthorizeCommand).data
        #expect(try data.values == values)
    }

    @Test(
        arguments: [
            ("https://127.0.0.1:8080", "http://127.0.0.1:8080"), ("https://localhost", "http://localhost"),
            ("https://sp.example.com", nil), ("http://127.0.0.1:8080", nil),
        ] as [(String, String?)])
    func onlyThisMachine_hasAPlainAddress(address: String, plain: String?) throws {
        #expect(try ServiceProvider(address).plainAddress == plain)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "http"), ("localhost:8080", "http"), ("0.0.0.0:8080", "http"), ("[::1]:8080", "http"),
        ("sp.example.com", "https"), ("http://sp.example.com", "http"), ("https://127.0.0.1:8080", "https"),
    ])
    func anAddressWithoutAScheme_isPlainOnThisMachine(argument: String, scheme: String) throws {
        #expect(try ServiceProvider(argument: argument).root.scheme == scheme)
    }

    /// A name is taken for a secret from twenty bytes on, and a part of a path from 256 on.
    @Test(arguments: [
        ("eyJ" + String(repeating: "a", count: 17), true), ("eyJ" + String(repeating: "a", count: 16), false),
        ("\"'eyJ" + String(repeating: "a", count: 17), true), ("\"'eyJ" + String(repeating: "a", count: 16), false),
        ("NAME=eyJ" + String(repeating: "a", count: 17), true), ("a/-----BEGIN KEY", true), ("token.eyJ", true),
        (String(repeating: "a", count: 255), false), (String(repeating: "a", count: 256), true),
        ("/x/" + String(repeating: "a", count: 255) + "/y", false), ("/x/" + String(repeating: "a", count: 256), true),
    ])
    func tellsASecretFromAName(text: String, isSecret: Bool) {
        #expect(GivenSecret.isGiven(asName: text) == isSecret)
    }

    @Test(arguments: [(20, true), (19, false)]) func findsTwentyBytesOfASecret(count: Int, isRepeated: Bool) {
        let secret = "eyJabcdefghijklmnopqrstuvwxyz0123456789"
        for part in [String(secret.prefix(count)), String(secret.suffix(count))] {
            #expect(GivenSecret.isRepeated(in: "Error: <\(part)>", of: ["tve", secret]) == isRepeated)
        }
        #expect(!GivenSecret.isRepeated(in: "Error: <\(secret)>", of: ["tve", String(secret.dropFirst(3))]))
    }

    // MARK: - Lines

    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\n", ["", ""]), ("a\r\n", ["a\r"]),
            ("a\0b\nc", ["a\0b", "c"]),
        ] as [(String, [String])])
    func readsLines_withAndWithoutAnEnd(text: String, lines: [String]) throws {
        let folder = try Folder()
        // The folder is removed with its last use.
        defer { withExtendedLifetime(folder) {} }
        let reader = try #require(LineReader(try folder.file("lines", text)))
        var found: [Data] = []
        while let line = reader.next() { found.append(line) }
        #expect(found == lines.map { Data($0.utf8) } && !reader.hasFailed && reader.size == text.utf8.count)
    }

    @Test(
        arguments: [
            ("abcdef", ": 1", nil, "abcdef: 1"), ("abcdef", ": 1", 10, "abcdef: 1"), ("abcdef", ": 1", 9, "abcd…: 1"),
            ("abcdef", ": 1", 5, "…: 1"), ("abcdef", ": 1", 1, "…: 1"), ("", "", 1, ""),
        ] as [(String, String, Int?, String)])
    func aLineThatIsWrittenOver_endsBeforeTheLastColumn(text: String, end: String, columns: Int?, line: String) {
        #expect(Terminal.fitted(text, end, columns: columns) == line)
    }

    @Test(arguments: [(0.0, "0.0 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"), (10.4, "10 ms"), (1_234.6, "1235 ms")])
    func showsTenthsOfShortTimesAlone(milliseconds: Double, text: String) {
        #expect(Printer.time(milliseconds) == text)
    }

    @Test func countsOneAndMany() {
        #expect([0, 1, 2].map { Printer.count($0, "value") } == ["0 values", "1 value", "2 values"])
        #expect([1, 2].map { Printer.count($0, "entry", plural: "entries") } == ["1 entry", "2 entries"])
        #expect([1, 1.999, 2].map { Printer.seconds(.seconds($0)) } == ["1 second", "1 second", "2 seconds"])
    }
}
