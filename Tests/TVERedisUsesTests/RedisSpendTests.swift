#if VerificationService
import Foundation
import TVETokenCodec
import Testing

@testable import TVERedisUses

/// What an answer of Redis means, for every time on its clock.
struct RedisSpendTests {
    private static let end = Date(timeIntervalSince1970: 2_000_000_000)
    private static let use = MediaTokenUse(
        digest: Data(repeating: 7, count: 32), expires: end, issued: end.addingTimeInterval(-420),
        rememberedUntil: end.addingTimeInterval(300))

    /// Redis' clock may be ahead: then the key may be gone for a second verifier, although its clock says that the token
    /// is valid.
    @Test(arguments: [(-420.0, true), (-0.001, true), (0, false), (0.001, false), (300, false)])
    func aToken_isGrantedBeforeItsEndOnTheClockOfRedis(secondsAfterEnd: Double, isGranted: Bool) throws {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        let now = Int64((Self.end.timeIntervalSince1970 + secondsAfterEnd) * 1_000)
        let found = try spend.isGranted(
            .status("OK"), now: now, began: Self.use.issued.addingTimeInterval(-10), issuerClockSkew: 2)
        #expect(found == isGranted)
    }

    /// So a clock that steps back by less finds the key still there.
    @Test func itsKey_staysLongerThanAnyVerifierAcceptsIt() {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        #expect(spend.keptUntil == spend.end + 300_000 + 60_000)
    }

    @Test func aTokenThatRedisKnows_isNotGranted() throws {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        #expect(try !spend.isGranted(.null, now: 0, began: .distantPast, issuerClockSkew: 0))
    }
}
#endif
