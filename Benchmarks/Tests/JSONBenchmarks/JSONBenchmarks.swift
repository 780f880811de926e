import Foundation
import Harness
import XCTest

@testable import TVEModels
@testable import TVENetworking

#if canImport(CSimdJSON)
import CSimdJSON
#endif

/// The time to read the answers of REST API v2.
///
/// The peers are Foundation's decoder with plain types, which is never lenient and converts nothing, and simdjson's
/// on-demand reader, which stores nothing.
final class JSONBenchmarks: XCTestCase {
    func testConfigurationOf1000Providers() {
        compare(
            "configuration of 1,000 providers, JSON", JSONPopulation.configuration(providers: 1_000),
            limits: .configuration, as: ConfigurationAnswer.self, plain: PlainConfiguration.self
        ) { $0.configuration.requestor.providers.count == 1_000 && $1.requestor.mvpds.count == 1_000 }
    }

    func testProfileAnswer() {
        compare(
            "answer with a profile", JSONPopulation.profile, as: ProfilesAnswer.self, plain: PlainProfiles.self
        ) { $0.profiles.count == 1 && $1.profiles.count == 1 }
    }

    func testDecisionAnswer() {
        compare(
            "answer with a decision", JSONPopulation.decision, as: DecisionsAnswer.self, plain: PlainDecisions.self
        ) { $0.decisions.first?.token != nil && $1.decisions.first?.token != nil }
    }

    /// Ten times the providers must take at most about ten times as long.
    func testCostPerProvider_staysTheSame() {
        let read = { (providers: Int) in
            let bytes = Data(JSONPopulation.configuration(providers: providers).utf8)
            return { (count: Int) in
                for _ in 0..<count {
                    let answer = try? UntrustedJSON.read(ConfigurationAnswer.self, from: bytes, .configuration)
                    guard answer?.configuration.requestor.providers.count == providers else { return XCTFail() }
                }
            }
        }
        let small = read(100)
        for size in [1_000, 10_000] {
            var contest = Contest("configuration of \(size) providers, JSON", rounds: 11, run: read(size))
            contest.peer("\(size / 100) of 100 providers", goal: .atMost(1.25)) { small($0 * size / 100) }
            XCTAssertEqual(contest.compare(), [])
        }
    }

    func testMeasuresConfiguration() {
        let bytes = Data(JSONPopulation.configuration(providers: 1_000).utf8)
        measure {
            for _ in 0..<10 { _ = try? UntrustedJSON.read(ConfigurationAnswer.self, from: bytes, .configuration) }
        }
    }

    private func compare<Answer: JSONReadable, Plain: Decodable>(
        _ name: String, _ text: String, limits: UntrustedJSON.Limits = .answer, as _: Answer.Type, plain _: Plain.Type,
        isWhole: (Answer, Plain) -> Bool
    ) {
        let bytes = Data(text.utf8)
        guard let ours = try? UntrustedJSON.read(Answer.self, from: bytes, limits),
            let theirs = try? JSONDecoder().decode(Plain.self, from: bytes), isWhole(ours, theirs)
        else { return XCTFail("\(name) cannot be read") }
        var contest = Contest(name) { count in
            for _ in 0..<count { _ = try? UntrustedJSON.read(Answer.self, from: bytes, limits) }
        }
        contest.peer("Foundation's JSONDecoder, plain types", goal: .atMost(0.30)) { count in
            for _ in 0..<count { _ = try? JSONDecoder().decode(Plain.self, from: bytes) }
        }
        #if canImport(CSimdJSON)
        let document = text.withCString { simd_document_new($0, text.utf8.count) }
        defer { simd_document_free(document) }
        contest.peer("simdjson, nothing kept") { count in
            for _ in 0..<count where simd_document_visit(document) < 0 { XCTFail() }
        }
        #endif
        XCTAssertEqual(contest.compare(), [])
    }
}
