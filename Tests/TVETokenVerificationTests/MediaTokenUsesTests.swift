import Foundation
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing

@Suite(.oneAtATime)
struct MediaTokenUsesTests {
    private static let now = Date(timeIntervalSince1970: 1_795_282_200)

    private static func use(_ number: Int, seconds: TimeInterval = 420) -> MediaTokenUse {
        MediaTokenUse(digest: Data("\(number)".utf8), expires: now.addingTimeInterval(seconds), issued: now)
    }

    /// Returns a memory that began before all tokens were issued.
    private static func memory(capacity: Int = 1_000_000) -> MemoryMediaTokenUses {
        MemoryMediaTokenUses(capacity: capacity, began: .distantPast)
    }

    @Test func spendsATokenOnce() throws {
        let uses = Self.memory()
        #expect(try uses.spend(Self.use(1), at: Self.now).isGranted)
        #expect(try !uses.spend(Self.use(1), at: Self.now.addingTimeInterval(419)).isGranted)
        #expect(try uses.spend(Self.use(2), at: Self.now).isGranted)
    }

    @Test(.row("MV3")) func recognisesAToken_howeverItIsWritten() throws {
        let uses = Self.memory()
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(content: Data(CertificateSamples.version3.utf8))], requestorID: "SBX")
        let raw = "<signatureInfo>\(CertificateSamples.signature)<signatureInfo>\(CertificateSamples.mediaBody)"
        let spellings = [
            raw, "<signatureInfo>\(CertificateSamples.signature)</signatureInfo>\(CertificateSamples.mediaBody)",
            Data(raw.utf8).base64EncodedString(),
        ]
        let spent = try spellings.map { text in
            try uses.spend(try #require(verifier.verify(text, at: Self.now).use), at: Self.now).isGranted
        }
        #expect(spent == [true, false, false])
    }

    @Test func isGivenNothingToSpend_unlessTheTokenIsValid() throws {
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(content: Data(CertificateSamples.version3.utf8))], requestorID: "SBX")
        let raw = "<signatureInfo>\(CertificateSamples.signature)<signatureInfo>\(CertificateSamples.mediaBody)"
        #expect(verifier.verify(raw, resource: "other", at: Self.now).use == nil)
        #expect(verifier.verify(raw, at: Self.now.addingTimeInterval(420)).use == nil)
        #expect(verifier.verify(CertificateSamples.unsigned, at: Self.now).use == nil)
    }

    @Test(.row("MV7")) func refusesMore_whenItIsFull_untilSomeHaveRunOut() throws {
        let uses = Self.memory(capacity: 3)
        for number in 1...3 {
            #expect(try uses.spend(Self.use(number, seconds: Double(number)), at: Self.now).isGranted)
        }
        #expect(throws: MemoryMediaTokenUses.Full.self) { try uses.spend(Self.use(4), at: Self.now).isGranted }
        // A known token is still known.
        #expect(try !uses.spend(Self.use(3, seconds: 3), at: Self.now).isGranted)
        #expect(try uses.spend(Self.use(4), at: Self.now.addingTimeInterval(1)).isGranted)
        #expect(try !uses.spend(Self.use(3, seconds: 3), at: Self.now.addingTimeInterval(1)).isGranted)
    }

    @Test(arguments: [1, 0, -1]) func hasRoomForOneToken_howeverSmallItsCapacity(capacity: Int) throws {
        let uses = Self.memory(capacity: capacity)
        #expect(try uses.spend(Self.use(1), at: Self.now).isGranted)
        #expect(throws: MemoryMediaTokenUses.Full.self) { try uses.spend(Self.use(2), at: Self.now) }
        #expect(try uses.spend(Self.use(1), at: Self.now) == .refused(.spent))
    }

    @Test func forgetsWhatHasRunOut_inWhateverOrderItCame() throws {
        let uses = Self.memory(capacity: 3)
        for seconds in [9, 5, 1] {
            #expect(try uses.spend(Self.use(seconds, seconds: TimeInterval(seconds)), at: Self.now).isGranted)
        }
        #expect(try uses.spend(Self.use(4), at: Self.now.addingTimeInterval(1)).isGranted)
    }

    @Test func isRemembered_atLeastUntilItsEnd() {
        let end = Self.now.addingTimeInterval(420)
        for (until, expected) in [(nil, end), (Self.now, end), (end.addingTimeInterval(1), end.addingTimeInterval(1))]
            as [(Date?, Date)]
        {
            let use = MediaTokenUse(digest: Data([1]), expires: end, issued: Self.now, rememberedUntil: until)
            #expect(use.rememberedUntil == expected)
        }
    }

    // MARK: - Restarts

    @Test(.row("MV5")) func aTokenThatWasSpent_isNotGrantedByTheNextProcess() throws {
        // The process restarts 10 seconds after the token was spent.
        let later = Self.now.addingTimeInterval(10)
        let first = Self.memory()
        let second = MemoryMediaTokenUses(began: later)
        #expect(try first.spend(Self.use(1), at: Self.now).isGranted)
        #expect(try !second.spend(Self.use(1), at: later).isGranted)
        // A token that was never spent is refused too, because the new process cannot distinguish the two.
        #expect(try second.spend(Self.use(2), at: later) == .refused(.olderThanMemory))
    }

    /// Two processes that overlap, as in a rolling deployment, need a shared memory.
    @Test(.row("MV5")) func aTokenThatIsIssued_whileTheOldProcessStillSpends_isGrantedByBoth() throws {
        let issued = Self.now.addingTimeInterval(2)
        let use = MediaTokenUse(digest: Data([1]), expires: issued.addingTimeInterval(420), issued: issued)
        let old = Self.memory()
        let new = MemoryMediaTokenUses(began: Self.now, issuerClockSkew: 2)
        #expect(try old.spend(use, at: issued).isGranted)
        #expect(try new.spend(use, at: issued).isGranted)
        // A process that begins after the token was spent refuses it.
        let next = MemoryMediaTokenUses(began: issued, issuerClockSkew: 2)
        #expect(try next.spend(use, at: issued) == .refused(.olderThanMemory))
    }

    @Test(
        .row("MV5"),
        arguments: [
            // Each case has the seconds from the beginning of the memory to the time of issue, the skew in seconds, and
            // the outcome.
            (-1, 0, false), (0, 0, true), (1, 0, true), (1.9, 2, false), (2, 2, true), (-1, -5, false), (0, -5, true),
            (.nan, 0, false), (-.infinity, 0, false), (0, .nan, false), (1, .infinity, false),
        ] as [(TimeInterval, TimeInterval, Bool)])
    func aTokenOlderThanTheMemory_isRefused(issued: TimeInterval, skew: TimeInterval, isGranted: Bool) throws {
        let uses = MemoryMediaTokenUses(began: Self.now, issuerClockSkew: skew)
        let use = MediaTokenUse(
            digest: Data([1]), expires: Self.now.addingTimeInterval(420), issued: Self.now.addingTimeInterval(issued))
        // The call is ten seconds later, because a token that was issued in the future is refused for that reason.
        #expect(try uses.spend(use, at: Self.now.addingTimeInterval(10)).isGranted == isGranted)
        #expect(use.mayHaveBeenSpent(before: Self.now, issuerClockSkew: skew) != isGranted)
    }

    // MARK: - A clock that is behind

    @Test(
        .row("MV6"),
        arguments: [
            // Each case has the seconds by which the issue is ahead of the clock, the skew in seconds, and the seconds
            // to wait.
            (-1, 0, nil), (0, 0, 0.001), (1.5, 2, nil), (2, 2, 0.001), (5, 2, 3.001), (-1, -5, nil), (1, -5, 1.001),
            (3, .nan, 3.001), (1e9, .infinity, nil), (.nan, 2, .infinity), (.infinity, 2, .infinity),
            (-.infinity, 2, nil),
        ] as [(TimeInterval, TimeInterval, TimeInterval?)])
    func aTokenOfTheFuture_waitsUntilTheClockHasCaughtUp(
        lead: TimeInterval, skew: TimeInterval, seconds: TimeInterval?
    ) {
        let use = MediaTokenUse(
            digest: Data([1]), expires: Self.now.addingTimeInterval(420), issued: Self.now.addingTimeInterval(lead))
        #expect(use.secondsUntilGrantable(at: Self.now, issuerClockSkew: skew) == seconds)
        guard let seconds, seconds.isFinite else { return }
        // Whoever waits as long as the answer says must not be refused again.
        let later = Self.now.addingTimeInterval(seconds)
        #expect(use.secondsUntilGrantable(at: later, issuerClockSkew: skew) == nil)
    }

    /// The clock of this machine is 5 seconds behind the issuer's, and the process restarts within the same second.
    @Test(.row("MV6", "SE8", "VP6")) func aClockThatIsBehind_grantsNoTokenTwice_overARestart() throws {
        let use = MediaTokenUse(
            digest: Data([1]), expires: Self.now.addingTimeInterval(420), issued: Self.now.addingTimeInterval(5))
        let first = Self.memory()
        #expect(try first.spend(use, at: Self.now) == .refused(.clockBehind(seconds: 3.001)))
        // The token was not remembered as spent, so it is granted as soon as the clock allows.
        let caughtUp = Self.now.addingTimeInterval(3.001)
        #expect(try first.spend(use, at: caughtUp) == .granted)
        #expect(try first.spend(use, at: caughtUp) == .refused(.spent))
        // A known token is refused as spent, whatever the clock shows.
        #expect(try first.spend(use, at: Self.now) == .refused(.spent))
        let second = MemoryMediaTokenUses(began: caughtUp)
        for seconds in [0, 1, 2, 3, 10, 100] as [TimeInterval] {
            #expect(try !second.spend(use, at: caughtUp.addingTimeInterval(seconds)).isGranted)
        }
    }

    @Test(.row("MV6")) func aTokenThatWaits_takesNoPlace() throws {
        let uses = Self.memory(capacity: 1)
        let early = MediaTokenUse(
            digest: Data([1]), expires: Self.now.addingTimeInterval(420), issued: Self.now.addingTimeInterval(60))
        #expect(try uses.spend(early, at: Self.now).refusal?.reason == MediaTokenRefusal.clockBehindReason)
        #expect(try uses.spend(Self.use(2), at: Self.now).isGranted)
    }

    // MARK: - Tolerances

    @Test(.row("MV4")) func aVerifierWithALargerTolerance_isNotGrantedWhatAnotherSpent() throws {
        let keys = [try TokenVerificationKey(content: Data(CertificateSamples.version3.utf8))]
        let raw = "<signatureInfo>\(CertificateSamples.signature)<signatureInfo>\(CertificateSamples.mediaBody)"
        func use(tolerance: TimeInterval, at now: Date) throws -> MediaTokenUse {
            let verifier = try MediaTokenVerifier(keys: keys, requestorID: "SBX", clockTolerance: tolerance)
            return try #require(verifier.verify(raw, at: now).use)
        }
        let uses = Self.memory()
        #expect(try uses.spend(use(tolerance: 0, at: Self.now), at: Self.now).isGranted)
        // The token has expired for the first verifier. Another token's call removes what need not be remembered.
        let late = Self.now.addingTimeInterval(600)
        #expect(try uses.spend(Self.use(2, seconds: 9_000), at: late).isGranted)
        #expect(try !uses.spend(use(tolerance: 250, at: late), at: late).isGranted)
        // No tolerance exceeds the time for which the token is remembered.
        let expires = Self.now.addingTimeInterval(420)
        for tolerance in [301, 86_400, .infinity] as [TimeInterval] {
            let use = try use(tolerance: tolerance, at: Self.now)
            #expect(use.expires == expires.addingTimeInterval(300) && use.rememberedUntil == use.expires)
        }
        for tolerance in [-1, -.infinity, .nan] as [TimeInterval] {
            #expect(try use(tolerance: tolerance, at: Self.now).expires == expires)
        }
    }

    // MARK: - Clocks

    @Test(
        arguments: [
            // Each case has the seconds after the start for each call. The token expires at 420.
            ([0, 419.9], [true, false]), ([0, 420], [true, false]), ([0, 421, 421], [true, false, false]),
            ([420, 420], [false, false]), ([420.5, 1e9], [false, false]),
            ([0, 500, 0], [true, false, false]), ([0, 420, 100, 419.9], [true, false, false, false]),
            ([500, 0, 0], [false, true, false]), ([-1e9, 0, 419], [false, true, false]),
            ([.nan, 0, .nan, 0], [false, true, false, false]), ([.infinity, -.infinity, 0], [false, false, true]),
        ] as [([TimeInterval], [Bool])])
    func grantsOnce_andNeverWhatIsOver_whateverTheClockSays(times: [TimeInterval], granted: [Bool]) throws {
        let uses = Self.memory()
        for (time, isGranted) in zip(times, granted) {
            let outcome = try uses.spend(Self.use(1), at: Self.now.addingTimeInterval(time))
            #expect(outcome.isGranted == isGranted, "\(time)")
        }
    }

    @Test(.row("MV4")) func refusesWhatWasForgotten_whenTheClockStepsBack() throws {
        let uses = Self.memory()
        #expect(try uses.spend(Self.use(1), at: Self.now).isGranted)
        // The call with another token finds that the first one has expired, and removes it.
        #expect(try uses.spend(Self.use(2, seconds: 900), at: Self.now.addingTimeInterval(430)).isGranted)
        #expect(try !uses.spend(Self.use(1), at: Self.now).isGranted)
        // A token that was never spent is refused too, because it cannot be distinguished from a forgotten one.
        #expect(try !uses.spend(Self.use(3), at: Self.now).isGranted)
        #expect(try uses.spend(Self.use(4, seconds: 421), at: Self.now).isGranted)
    }

    @Test func recovers_fromAClockThatWentAheadOnce() throws {
        let uses = Self.memory()
        #expect(try uses.spend(Self.use(1), at: Self.now).isGranted)
        #expect(try !uses.spend(Self.use(2), at: Self.now.addingTimeInterval(31_536_000)).isGranted)
        // Only tokens up to the forgotten time are affected.
        #expect(try uses.spend(Self.use(3, seconds: 421), at: Self.now.addingTimeInterval(1)).isGranted)
    }

    @Test(arguments: [
        TimeInterval.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, -.infinity, .nan, 1e300, 0.25,
    ])
    func grantsAtMostOnce_whateverEndATokenHas(seconds: TimeInterval) throws {
        let uses = Self.memory()
        let use = MediaTokenUse(
            digest: Data([1]), expires: Date(timeIntervalSinceReferenceDate: seconds), issued: Self.now)
        let times = [0, 1, -1, 1e300, 0, -1e300, .infinity, -.infinity, .nan]
        let granted = try times.filter { try uses.spend(use, at: Date(timeIntervalSinceReferenceDate: $0)).isGranted }
        #expect(granted.count <= 1)
        #expect(granted.allSatisfy { $0 < seconds })
    }

    @Test(.row("MV4"), arguments: 0..<8)
    func grantsEachAtMostOnce_onARandomWalkOfTheClock(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // The capacity is so small that the memory is full at times.
        let uses = Self.memory(capacity: 40)
        let tokens = (0..<200).map { Self.use($0, seconds: TimeInterval.random(in: 0...600, using: &random)) }
        var time: TimeInterval = 0
        var granted: Set<Data> = []
        for _ in 0..<(LongTests.areOn ? 20_000 : 5_000) {
            time += TimeInterval.random(in: -30...31, using: &random)
            if Int.random(in: 0..<500, using: &random) == 0 {
                time = TimeInterval.random(in: -100...700, using: &random)
            }
            let now = Self.now.addingTimeInterval(time)
            let use = tokens[Int.random(in: 0..<tokens.count, using: &random)]
            do throws(MemoryMediaTokenUses.Full) {
                guard try uses.spend(use, at: now).isGranted else { continue }
                #expect(use.expires > now)
                #expect(granted.insert(use.digest).inserted, "granted twice")
            } catch {
                #expect(error.capacity == 40)
            }
        }
        #expect(granted.count > 20)
    }

    // MARK: - Cost

    @Test func sweepsAFewAtATime_howeverManyAreOver() {
        var spent = SpentMediaTokens(capacity: 10_000)
        for number in 0..<10_000 {
            #expect(spent.spend(Self.use(number, seconds: TimeInterval(number % 420 + 1)), at: Self.now) == .granted)
        }
        #expect(spent.spend(Self.use(10_000), at: Self.now) == .full)
        for call in 0..<700 {
            let before = spent.count
            let use = Self.use(20_000 + call, seconds: 900)
            #expect(spent.spend(use, at: Self.now.addingTimeInterval(500)) == .granted)
            // One digest was added.
            #expect(before + 1 - spent.count <= SpentMediaTokens.sweptAtOnce)
        }
        // More digests are removed than added, until only the new ones are left.
        #expect(spent.count == 700)
    }

    @Test func costsTheSame_inAFullMemoryAsInAnEmptyOne() throws {
        /// Returns the work of 500 calls, which is the least of several measurements.
        func work(filled count: Int) -> Duration {
            var spent = SpentMediaTokens(capacity: count)
            for number in 0..<count { _ = spent.spend(Self.use(number), at: Self.now) }
            return (0..<5).map { round in
                let start = Duration.workOfThisThread
                for number in 0..<500 { _ = spent.spend(Self.use(-1 - number - 500 * round), at: Self.now) }
                return Duration.workOfThisThread - start
            }.min() ?? .zero
        }
        // A scan of the memory would cost a thousand times as much.
        #expect(work(filled: 100_000) < max(work(filled: 100), .microseconds(100)) * 50)
    }

    @Test(.row("MV3")) func letsOneCallWin_ofManyAtOnce() async {
        let uses = Self.memory()
        let wins = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<1_000).filter { number in
                        // Each task begins with another token.
                        (try? uses.spend(Self.use((number + task * 125) % 1_000), at: Self.now).isGranted) == true
                    }.count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wins == 1_000)
    }
}

/// The suite for memories of spent tokens, which waits for real seconds.
@Suite(.fourAtATime)
struct MediaTokenUsesConformanceTests {
    /// A memory that forgets a token before every verifier refuses it.
    private final class ForgetfulUses: MediaTokenUses {
        enum Fault: CaseIterable { case atItsEnd, atAWholeSecond, atAWholeSecondButLate, withAClockSetBack }

        private let fault: Fault
        private let spent = Guarded<[Data: Date]>([:])
        private let hasBeenLate = Guarded(false)

        init(_ fault: Fault) { self.fault = fault }

        func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
            // The first token that ends soon has ended when it arrives, as on a busy machine.
            if fault == .atAWholeSecondButLate, use.expires > now, use.expires < now.addingTimeInterval(2),
                !hasBeenLate.withLock(\.self)
            {
                hasBeenLate.withLock { $0 = true }
                return .refused(.spent)
            }
            let end: Date =
                switch fault {
                case .atItsEnd: use.expires
                case .atAWholeSecond, .atAWholeSecondButLate:
                    now.addingTimeInterval(use.rememberedUntil.timeIntervalSince(now).rounded(.down))
                case .withAClockSetBack: use.rememberedUntil
                }
            return spent.withLock { spent in
                spent = spent.filter { $0.value > now }
                guard use.expires > now, spent[use.digest] == nil else { return .refused(.spent) }
                spent[use.digest] = end
                return .granted
            }
        }
    }

    @Test(arguments: [
        (ForgetfulUses.Fault.atItsEnd, "A token is remembered for verifiers that tolerate more"),
        (.atAWholeSecond, "A token is remembered until it ends"),
        (.atAWholeSecondButLate, "A token is remembered until it ends"),
        (.withAClockSetBack, "A clock that is set back grants no token twice."),
    ])
    private func theSuite_findsAMemoryThatForgetsTooEarly(fault: ForgetfulUses.Fault, promise: String) async throws {
        let uses = ForgetfulUses(fault)
        let violations = try await MediaTokenUsesConformance.violations(
            isShared: false, issuerClockSkew: 0, restart: {}
        ) { uses }
        #expect(violations.contains { $0.hasPrefix(promise) }, "\(violations)")
    }

    @Test(arguments: [(0.5, 0.5), (-1, 0), (.nan, 0)] as [(TimeInterval, TimeInterval)])
    func theSuite_waitsForAMemory_asLongAsItsClockSkewDemands(
        given: TimeInterval, memory: TimeInterval
    ) async throws {
        let violations = try await MediaTokenUsesConformance.violations(
            isShared: false, issuerClockSkew: given, patience: 0.2, restart: {}
        ) { MemoryMediaTokenUses(issuerClockSkew: memory) }
        #expect(violations == [])
    }
}
