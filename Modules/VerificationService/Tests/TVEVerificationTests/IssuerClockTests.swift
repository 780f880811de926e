import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVEVerification

/// The lead of the issuer's clock, which is the largest one of the last one to two minutes.
@Suite(.timeLimit(.hanging))
struct IssuerClockTests {
    private static let start = Date(timeIntervalSince1970: 2_000_000_000)

    private static func moment(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    /// An arrival of tokens, or a reading of the lead.
    enum Event: Sendable {
        /// Tokens whose times of issue are this far ahead of the clock arrive.
        case arrival(at: TimeInterval, leads: [TimeInterval])
        /// The lead is read, and should have this value.
        case reading(at: TimeInterval, lead: TimeInterval?)
    }

    @Test(
        arguments: [
            // Without a token nothing is known.
            [.reading(at: 0, lead: nil)],
            // The youngest token decides.
            [.arrival(at: 0, leads: [-7, 5, -100]), .reading(at: 0, lead: 5)],
            [.arrival(at: 0, leads: [5]), .arrival(at: 1, leads: [-100]), .reading(at: 1, lead: 5)],
            [.arrival(at: 0, leads: [-100]), .arrival(at: 1, leads: [5]), .reading(at: 1, lead: 5)],
            // A lead is remembered in its own window and the next one.
            [
                .arrival(at: 0, leads: [5]), .reading(at: 59.9, lead: 5), .reading(at: 60, lead: 5),
                .reading(at: 119.9, lead: 5), .reading(at: 120, lead: nil),
            ],
            [.arrival(at: 0, leads: [5]), .reading(at: 119.9, lead: 5)],
            [.arrival(at: 0, leads: [5]), .reading(at: 120, lead: nil)],
            [
                .arrival(at: 0, leads: [5]), .arrival(at: 60, leads: [-100]), .reading(at: 119.9, lead: 5),
                .reading(at: 120, lead: -100), .reading(at: 180, lead: nil),
            ],
            // What was measured with a clock that was wrong is forgotten.
            [.arrival(at: 0, leads: [5]), .reading(at: -1, lead: nil)],
            [.arrival(at: 0, leads: [5]), .arrival(at: -1, leads: [-3]), .reading(at: -1, lead: -3)],
            // Times that are not finite say nothing.
            [.arrival(at: 0, leads: [5, .infinity, .nan, -.infinity]), .reading(at: 0, lead: 5)],
            [.arrival(at: 0, leads: [.infinity]), .arrival(at: 0, leads: [.nan]), .reading(at: 0, lead: nil)],
        ] as [[Event]])
    func theLead_isTheLargestOfTwoWindows(events: [Event]) {
        let clock = IssuerClock()
        for event in events {
            switch event {
            case .arrival(let time, let leads):
                let now = Self.moment(time)
                clock.record(leads.map { now.addingTimeInterval($0) }, at: now)
            case .reading(let time, let lead): #expect(clock.lead(at: Self.moment(time)) == lead, "\(time)")
            }
        }
    }

    @Test func onlyTokensOfTheIssuer_revealItsClock() async throws {
        let mint = try Mint.shared.get()
        let key = try TokenVerificationKey(pemRepresentation: mint.publicKey)
        let now = NIOLockedValueBox(Self.start)
        let judge = MediaTokenJudge(
            requestors: [RequestorPolicy(id: "DEMO", keys: MediaTokenKeySet([MediaTokenKey(name: "demo", key: key)]))],
            uses: MemoryMediaTokenUses(began: .distantPast, issuerClockSkew: 0), clock: { now.withLockedValue { $0 } })
        #expect(judge.issuerClockLead == nil)
        func token(_ lead: TimeInterval) throws -> String { try mint.token(issued: Self.moment(lead)) }
        // Somebody else changed this token.
        let foreign = try token(50).replacingOccurrences(of: "DEMO-1", with: "DEMO-2")
        for token in [try token(5), try token(-100), foreign] {
            _ = try await judge.judge([VerificationRequest(token: token, spend: false)])
        }
        #expect(judge.issuerClockLead == 5)
        now.withLockedValue { $0 = Self.moment(120) }
        #expect(judge.issuerClockLead == nil)
    }
}
