import Foundation
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing

/// Memories with one fault each, which the conformance suite must find by the promise that they break.
@Suite(.fourAtATime)
struct UsesConformanceFaultTests {
    private enum Fault: CaseIterable {
        case knowsTheEndToo, answersBackwards, forgetsABatch, answersAnEmptyBatch, grantsTwice
        case grantsTheUndated, grantsAtTheEnd, grantsTheExpired, grantsAtNoTime

        var promise: String {
            switch self {
            case .knowsTheEndToo: "A token is recognized by its digest alone."
            case .answersBackwards: "The answers to a batch are in its order."
            case .forgetsABatch: "A batch grants a token only once."
            case .answersAnEmptyBatch: "An empty batch has an empty answer."
            case .grantsTwice: "Of several calls at once, one is granted: 400 were, for 200 tokens."
            case .grantsTheUndated: "A token that was issued at no time is not granted."
            case .grantsAtTheEnd: "A token expires at the moment at which it ends."
            case .grantsTheExpired: "An expired token is not granted."
            case .grantsAtNoTime: "A time that is not a number grants nothing."
            }
        }
    }

    private final class FaultyUses: MediaTokenUses {
        private let fault: Fault
        /// A second memory, which grants what the first one has granted, so it begins before that.
        private let more = MemoryMediaTokenUses(issuerClockSkew: 0)
        private let uses = MemoryMediaTokenUses(issuerClockSkew: 0)

        init(_ fault: Fault) {
            self.fault = fault
        }

        func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
            var digest = use.digest
            var expires = use.expires
            var issued = use.issued
            switch fault {
            case .knowsTheEndToo: digest += Data("\(expires.timeIntervalSinceReferenceDate)".utf8)
            case .grantsTheUndated where issued.timeIntervalSinceReferenceDate.isNaN:
                issued = now.addingTimeInterval(-0.001)
            case .grantsAtTheEnd where expires == now, .grantsTheExpired where expires < now:
                expires = now.addingTimeInterval(1)
            case .grantsAtNoTime where now.timeIntervalSinceReferenceDate.isNaN: return .granted
            default: break
            }
            let changed = MediaTokenUse(
                digest: digest, expires: expires, issued: issued, rememberedUntil: use.rememberedUntil)
            let outcome = try uses.spend(changed, at: now)
            guard fault == .grantsTwice, outcome == .refused(.spent) else { return outcome }
            return try more.spend(changed, at: now)
        }

        func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<MediaTokenUseOutcome, any Error>] {
            if fault == .answersAnEmptyBatch, uses.isEmpty { return [.success(.granted)] }
            if fault == .forgetsABatch { return uses.map { _ in .success(.granted) } }
            var results: [Result<MediaTokenUseOutcome, any Error>] = []
            for use in uses {
                do {
                    results.append(.success(try await spend(use, at: now)))
                } catch {
                    results.append(.failure(error))
                }
            }
            return fault == .answersBackwards ? results.reversed() : results
        }
    }

    /// The suite waits for some seconds at each memory, so it judges all of them at the same time.
    @Test func theSuite_namesThePromiseThatAMemoryBreaks() async throws {
        try await withThrowingTaskGroup(of: (fault: Fault, violations: [String]).self) { group in
            for fault in Fault.allCases {
                group.addTask {
                    let uses = FaultyUses(fault)
                    let violations = try await MediaTokenUsesConformance.violations(
                        isShared: false, issuerClockSkew: 0, restart: {}
                    ) { uses }
                    return (fault, violations)
                }
            }
            for try await found in group {
                #expect(found.violations.contains(found.fault.promise), "\(found.fault): \(found.violations)")
            }
        }
    }
}
