import Foundation
import TVEFleetFixture
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVERedisUses

/// The meaning of an answer of Redis at every time on its clock.
struct RedisSpendTests {
    private static let end = Date(timeIntervalSince1970: 2_000_000_000)
    private static let use = MediaTokenUse(
        digest: Data(repeating: 7, count: 32), expires: end, issued: end.addingTimeInterval(-420),
        rememberedUntil: end.addingTimeInterval(300))

    /// If the clock of Redis is ahead, the key may be gone for a second verifier whose own clock still accepts the
    /// token.
    @Test(.row("VR10"), arguments: [(-420.0, true), (-0.001, true), (0, false), (0.001, false), (300, false)])
    func aToken_isGrantedBeforeItsEndOnTheClockOfRedis(secondsAfterEnd: Double, isGranted: Bool) throws {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        let now = Int64((Self.end.timeIntervalSince1970 + secondsAfterEnd) * 1_000)
        let found = try spend.outcome(
            of: .status("OK"), now: now, began: Self.use.issued.addingTimeInterval(-10), issuerClockSkew: 2)
        #expect(found == (isGranted ? .granted : .refused(.expired)))
    }

    /// A clock that is set back by less than this time still finds the key.
    @Test(.row("VR10")) func itsKey_staysLongerThanAnyVerifierAcceptsIt() {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        #expect(spend.keptUntil == spend.end + 300_000 + 60_000)
    }

    /// A program may set what a configuration file would refuse.
    @Test(arguments: [(-100, 0), (-.infinity, 0), (.nan, 0), (0, 0), (0.5, 500)] as [(TimeInterval, Int64)])
    func itsKey_neverGoesBeforeTheLastVerifierRefusesIt(keptAfterEnd: TimeInterval, milliseconds: Int64) {
        let spend = RedisSpend(Self.use, keptAfterEnd: keptAfterEnd)
        #expect(spend.keptUntil == spend.end + 300_000 + milliseconds)
    }

    /// If times were rounded down, a token would wait too short, and its key would go too early.
    @Test func itsTimes_areRoundedUp_toWholeMilliseconds() {
        let end = Date(timeIntervalSince1970: 2_000_000_000.000_4)
        let use = MediaTokenUse(digest: Data(), expires: end, issued: end.addingTimeInterval(-420))
        let spend = RedisSpend(use, keptAfterEnd: 0)
        #expect(spend.end == 2_000_000_000_001 && spend.keptUntil == spend.end)
        #expect(spend.issued == 1_999_999_580_001)
    }

    /// Documentation/VerificationDayOne.md calculates the memory of Redis from this sum.
    @Test func itsKey_staysForItsLifetime_theLargestTolerance_andTheTimeAfterItsEnd() throws {
        let mint = try Mint.shared.get()
        let key = try TokenVerificationKey(content: Data(mint.publicKey.utf8))
        let verifier = try MediaTokenVerifier(keys: [key], requestorID: mint.requestor)
        let token = try mint.token(seconds: 420)
        let use = try #require(verifier.verify(token).use)
        let spend = RedisSpend(use, keptAfterEnd: 60)
        #expect(spend.keptUntil - spend.issued == (420 + 300 + 60) * 1_000)
    }

    @Test func aTokenThatRedisKnows_isNotGranted() throws {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        let found = try spend.outcome(of: .null, now: 0, began: .distantPast, issuerClockSkew: 0)
        #expect(found == .refused(.spent))
    }

    @Test(.row("VP6")) func aTokenOfTheFuture_waitsForTheClockOfRedis() throws {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        let found = try spend.outcome(of: .number(3_001), now: 0, began: .distantPast, issuerClockSkew: 2)
        #expect(found == .refused(.clockBehind(seconds: 3.001)))
        #expect(throws: RedisUsesError.unreadableAnswer) {
            try spend.outcome(of: .number(0), now: 0, began: .distantPast, issuerClockSkew: 2)
        }
    }

    /// An equal time is too early, because both times are rounded up to whole milliseconds.
    ///
    /// `issued` is at 1,999,999,580 s.
    @Test(
        arguments: [
            (1_999_999_580_000, 0, 1), (1_999_999_580_001, 0, 0), (1_999_999_577_000, 2, 1_001),
            (1_999_999_578_000, 2, 1), (1_999_999_578_001, 2, 0),
        ] as [(Int64, TimeInterval, Int64)])
    func aToken_waitsUntilTheClockIsPastItsIssue(time: Int64, skew: TimeInterval, wait: Int64) throws {
        let spend = RedisSpend(Self.use, keptAfterEnd: 60)
        #expect(spend.wait(at: time, issuerClockSkew: skew) == wait)
        // The token was written too early, because the clock was set back.
        let found = try spend.outcome(of: .status("OK"), now: time, began: .distantPast, issuerClockSkew: skew)
        #expect(found == (wait > 0 ? .refused(.clockBehind(seconds: Double(wait) / 1_000)) : .granted))
    }

    @Test func tokensOfOneCommand_haveAnswersOfTheirOwn() throws {
        let full = RedisReply.error("OOM command not allowed when used memory > 'maxmemory'.")
        let answers = [RedisReply.status("OK"), .null, .number(5), full]
        #expect(try RedisSpend.answers(in: .list(answers), to: 4) == answers)
        // Redis refused the script as a whole.
        for refusal in [full, .error("MOVED 1 127.0.0.1:7000"), .error("READONLY You can't write")] {
            #expect(try RedisSpend.answers(in: refusal, to: 3) == [refusal, refusal, refusal])
        }
        for answer in [RedisReply.list([.null]), .status("OK"), .null, .number(1)] {
            #expect(throws: RedisUsesError.unreadableAnswer) { try RedisSpend.answers(in: answer, to: 2) }
        }
    }

    /// Before version 7 Redis puts the position in the script before the error of a command inside it.
    @Test(arguments: [
        ("OOM command not allowed when used memory > 'maxmemory'.", "OOM"),
        (
            "ERR Error running script (call to f_1b): @user_script:3: @user_script: 3: -OOM command not allowed when "
                + "used memory > 'maxmemory'.", "OOM"
        ),
        ("ERR Error running script (call to f_1b): @user_script:3: @user_script: 3: -READONLY You can't", "READONLY"),
        ("ERR Error running script (call to f_1b): @user_script:1: something else", "ERR"), ("", "ERR"),
        ("@user_script: 7: -OOM command not allowed when used memory > 'maxmemory'.", "OOM"),
    ])
    func anErrorInsideAScript_hasItsCode(text: String, code: String) {
        #expect(RedisReply.error(text).errorCode == code)
    }
}
