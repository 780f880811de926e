import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DemoTests {
    @Test(arguments: ["demo-cable", "demo-fiber"])
    func endsWell_andShowsEveryStep(provider: String) async throws {
        let tool = try await Tool.run("demo", "--provider", provider)
        #expect(tool.status == 0)
        #expect(tool.output.contains("All 12 steps ended as they should"))
        #expect(!tool.output.contains("\u{1B}"), "Colour belongs on terminals only.")
        #expect(!tool.output.contains("<signatureInfo>") && !tool.output.contains("reg_code"), "No secret is shown.")
    }

    @Test func printsOneJSONObjectAStep() async throws {
        let tool = try await Tool.run("demo", "--json")
        struct Step: Decodable {
            struct Entry: Decodable { let kind, text: String }
            let number: Int
            let call: String
            let isGood: Bool
            let entries: [Entry]
        }
        let steps = try tool.output.split(separator: "\n").map {
            try JSONDecoder().decode(Step.self, from: Data($0.utf8))
        }
        #expect(steps.map(\.number) == Array(1...12))
        #expect(steps.allSatisfy { $0.isGood })
        #expect(steps.first { $0.call == "getAuthentication()" }?.entries.contains { $0.kind == "browser" } == true)
    }

    @Test(arguments: [
        (["--password", "wrong"], "Provider Not Selected Error"),
        (["--password", "wrong"], "The user name or password is not correct."),
        (["--abandon"], "N130"), (["--requestor", "NOPE"], "CFG400"), (["--statement", "made up"], "R400"),
        (["--service", "http://127.0.0.1:1"], "CFG404"), (["--denied", "DEMO-2"], "setToken"),
        (["--resource", "DEMO-PLUS"], "Demo Plus is not part of your plan."),
        (["--provider", "nope"], "Generic Authentication Error"),
    ])
    func saysInOneLineWhatFailed(arguments: [String], reason: String) async throws {
        let tool = try await Tool.run("demo", arguments[0], arguments.dropFirst().first ?? "--abandon")
        #expect(tool.status == 1)
        #expect(tool.failure?.contains(reason) == true, "\(tool.output)")
    }

    @Test(arguments: [
        ["demo", "--nope"], ["sandbox", "--world", "/nonexistent"], ["sandbox", "--host", "nowhere"], ["nope"],
    ])
    func refusesWrongArguments(arguments: [String]) async throws {
        let tool = try await Tool.run(
            arguments[0], arguments.dropFirst().first ?? "", arguments.dropFirst(2).first ?? "x")
        #expect(tool.status != 0)
        #expect(tool.output.contains("Error:"))
    }
}
