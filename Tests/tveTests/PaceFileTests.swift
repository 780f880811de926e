import Foundation
import TVEConformance
import TVESandbox
import TVESandboxConsole
import TVETestTraits
import Testing

/// The pace of the requests of all runs of `tve` on one store.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct PaceFileTests {
    private var files: FileManager { .default }

    /// Returns a desk whose sandbox counts the requests of the device, after a login.
    private func loggedIn() async throws -> Desk {
        let desk = try await Desk("v2") { $0.behavior.isThrottled = true }
        desk.keepsPace = true
        let login = try await desk.logIn()
        #expect(login.status == 0, "\(login.output)")
        return desk
    }

    @Test(.row("CL27")) func quickRunsOnOneStore_areOnePace() async throws {
        let desk = try await loggedIn()
        // The login and these commands send more requests than one burst has.
        for _ in 1...8 {
            let tool = try await desk.run("authorize", "DEMO-1")
            #expect(tool.status == 0, "\(tool.output)")
        }
        let report = ConformanceReport(judging: desk.sandbox.exchanges.map { Exchange($0) })
        let finding = try #require(report.findings.first { $0.row.id == "CL27" })
        #expect(finding.outcome == .pass, "\(finding.problems)")
    }

    private static let contents = [
        "", "no JSON", "[]", #"{"left":7}"#, #"{"left":"7","time":7}"#, #"{"left":-1e300,"time":1e300}"#,
        #"{"left":1e999,"time":-1e999}"#, "long", "pipe", "link", "folder",
    ]

    /// The command says nothing about the file, and the next one has a pace again.
    @Test func aRunWorks_whateverIsInPlaceOfThePace() async throws {
        let desk = try await Desk("v2")
        desk.keepsPace = true
        try await desk.prepareLogin()
        let file = "\(desk.store)/pace.json"
        for content in Self.contents {
            try files.removeItem(atPath: file)
            switch content {
            case "pipe": unsafe #expect(mkfifo(file, 0o600) == 0)
            case "link":
                let other = try desk.folder.file("other", "text")
                try files.createSymbolicLink(atPath: file, withDestinationPath: other)
            case "folder": try files.createDirectory(atPath: file, withIntermediateDirectories: false)
            default:
                // Nothing decodes the long file, which would otherwise be a valid one.
                let pace = #"{"left":0,"time":0}"# + String(repeating: " ", count: 1 << 20)
                try Data((content == "long" ? pace : content).utf8).write(to: URL(fileURLWithPath: file))
            }
            let token = try await desk.run("authorize", "DEMO-1")
            #expect(token.status == 0 && token.output.hasPrefix("<signatureInfo>"), "\(token.output)")
            #expect(token.output.split(separator: "\n").count == 1, "\(token.output)")
            let names = try files.contentsOfDirectory(atPath: desk.store).filter { $0.hasPrefix("pace.json") }
            #expect(names == ["pace.json"])
            // What is no file stays as it is.
            if ["pipe", "link", "folder"].contains(content) { continue }
            let pace = try JSONDecoder()
                .decode([String: Double].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
            let left = try #require(pace["left"])
            #expect(Set(pace.keys) == ["left", "time"] && left > -2 && left < 10, "\(pace)")
        }
        #expect(try String(contentsOfFile: desk.folder.path("other"), encoding: .utf8) == "text")
    }

    @Test func onlyACommandWithARequest_storesAPace() async throws {
        let desk = try await loggedIn()
        let file = "\(desk.store)/pace.json"
        #expect(try files.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        for command in ["path", "ls", "check"] {
            let tool = try await Tool.run(["storage", command, "--directory", desk.store])
            #expect(tool.status == 0 && !tool.output.contains("pace.json"), "\(tool.output)")
        }
        try files.removeItem(atPath: file)
        #expect(try await desk.run("household", "status").status == 1)
        #expect(try await Tool.run(["stats", "--directory", desk.store]).status == 0)
        #expect(!files.fileExists(atPath: file))
        #expect(try await desk.run("preauthorize", "DEMO-1").status == 0)
        #expect(files.fileExists(atPath: file))
    }

    /// Somebody may name a folder of other files by mistake.
    @Test func aFolderThatIsNoStore_getsNoPace() async throws {
        let desk = try await loggedIn()
        let place = desk.folder.url.appendingPathComponent("place")
        try files.createDirectory(
            at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        try Data("text".utf8).write(to: place.appendingPathComponent("pace.json"))
        let tool = try await desk.run("status", "--directory", place.path)
        #expect(tool.status == 2 && tool.output.contains("Other users may read or write \(place.path)"))
        #expect(try String(contentsOf: place.appendingPathComponent("pace.json"), encoding: .utf8) == "text")
    }
}
