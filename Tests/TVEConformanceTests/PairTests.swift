import TVEConformance
import TVETestTraits
import Testing

/// Every rule is proved in both directions, by clients that share no code with the library.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct PairTests {
    @Test func aClientThatKeepsEveryRow_passesEachThatCanBeSeen() async throws {
        let report = try await FlowRunner.report(.good)
        #expect(report.brokenRows == [])
        #expect(Set(report.findings(.notSeen).map(\.row.id)) == Row.unseen)
        #expect(report.isAcceptable)
        #expect(report.findings(.pass).allSatisfy { !$0.evidence.isEmpty && $0.evidenceCount >= $0.evidence.count })
    }

    @Test(arguments: Break.all)
    func aClientThatBreaksARow_failsThatRowAlone(one: Break) async throws {
        let report = ConformanceReport(judging: try await FlowRunner.exchanges(one))
        #expect(report.brokenRows == [one.row], "\(report.findings(.fail).flatMap(\.problems))")
        let finding = try #require(report.findings.first { $0.row.id == one.row })
        #expect(report.isAcceptable == (finding.row.obligation == .recommended))
        #expect(finding.problems.allSatisfy { !$0.exchanges.isEmpty })
    }

    @Test func eachRowThatCanBeSeen_hasAClientThatBreaksIt() {
        let rows = ConformanceReport(judging: []).findings.map(\.row.id)
        #expect(rows == (1...30).map { "CL\($0)" } + ["HH1", "HH2"])
        #expect(Set(Break.all.map(\.row)) == Set(rows).subtracting(Row.unseen))
    }

    @Test func nothingPasses_withoutExchanges() {
        #expect(ConformanceReport(judging: []).findings.allSatisfy { $0.outcome == .notSeen && $0.note != nil })
    }
}

extension Row {
    /// The rows that no observer can see.
    static let unseen: Set = ["CL6", "CL17", "CL18", "CL26"]
}

extension ConformanceReport {
    var brokenRows: [String] { findings(.fail).map(\.row.id) }
}
