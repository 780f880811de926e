public import Foundation

/// A test of the contract of `MediaTokenUses` for any memory of spent tokens.
///
/// Run it on your own memory from any test framework. It returns a sentence for every violation. The test is not part
/// of a client's conformance tests, so that a back end which tests its memory compiles no client.
public enum MediaTokenUsesConformance {
    /// Tests every promise of the contract, with two handles if possible.
    ///
    /// Tokens have random digests and end within the next hour. Therefore the test also works for a memory with its own
    /// clock, and for one that others use at the same time. A memory grants nothing that was issued before it began
    /// plus `issuerClockSkew`, so the tests wait twice for that long.
    ///
    /// - Parameters:
    ///   - isShared: a Boolean value that indicates whether a second handle sees the tokens that the first one spent.
    ///   - issuerClockSkew: the number of seconds by which the memory allows the issuer's clock to be ahead of its own,
    ///     less than half an hour. A small number makes the tests fast.
    ///   - restart: restarts the memory with the greatest loss, for example by killing the database and starting it
    ///     again. Pass `{}` if opening the memory anew is a restart, as for a memory in the process. The test spends
    ///     tokens with memories that were opened before the restart too, and takes an error of theirs as a refusal.
    ///   - open: opens the memory under test. It is called several times, also after the restart.
    /// - Returns: one sentence for each violation, or an empty array if there is none.
    /// - Throws: the error of a call that should have succeeded.
    public static func violations(
        isShared: Bool, issuerClockSkew: TimeInterval = 2, restart: () async throws -> Void,
        open: () throws -> any MediaTokenUses
    ) async throws -> [String] {
        try await violations(
            isShared: isShared, issuerClockSkew: issuerClockSkew, patience: 30, restart: restart, open: open)
    }

    /// Tests every promise of the contract, and waits for a memory for a number of seconds beyond `issuerClockSkew`.
    package static func violations(
        isShared: Bool, issuerClockSkew: TimeInterval, patience: TimeInterval, restart: () async throws -> Void,
        open: () throws -> any MediaTokenUses
    ) async throws -> [String] {
        // The comparison treats a number of seconds that is not a number as 0.
        let skew = issuerClockSkew > 0 ? min(issuerClockSkew, 86_400) : 0
        func firstGrant(by uses: any MediaTokenUses) async -> Date? {
            await Self.timeOfAGrant(by: uses, issuerClockSkew: skew, patience: patience)
        }
        var violations: [String] = []
        func expect(_ holds: Bool, _ promise: String) { if !holds { violations.append(promise) } }
        let uses = try open()
        let other = isShared ? try open() : uses
        var start: Date?
        for handle in [uses, other] where start == nil || isShared {
            start = await firstGrant(by: handle)
            expect(start != nil, "A token that is issued after the memory began is granted.")
        }
        let issued = start ?? Date()
        let now = Date()
        func token(endingAfter seconds: TimeInterval = 3_600) -> MediaTokenUse {
            use(issued, now, endingAfter: seconds)
        }
        func spend(_ use: MediaTokenUse, after seconds: TimeInterval = 0) async throws -> Bool {
            try await uses.spend(use, at: now.addingTimeInterval(seconds)).isGranted
        }

        let first = token()
        expect(try await spend(first), "The first call with a token is granted.")
        expect(try await !spend(first), "The second call with a token is refused.")
        expect(try await !other.spend(first, at: now).isGranted, "Another handle knows what was spent.")
        expect(try await spend(token()), "Another token can still be spent.")
        let twin = MediaTokenUse(
            digest: first.digest, expires: first.expires.addingTimeInterval(60), issued: first.issued)
        expect(try await !spend(twin), "A token is recognized by its digest alone.")

        let early = use(now.addingTimeInterval(3_000), now)
        let refusal = try await uses.spend(early, at: now).refusal
        expect(refusal != nil, "A token that was issued in the future of the memory's clock is not granted.")
        expect(
            refusal?.retryAfter ?? 0 > 0,
            "The answer to a token that was issued in the future names the seconds to wait.")
        let caughtUp = MediaTokenUse(digest: early.digest, expires: early.expires, issued: issued)
        expect(try await spend(caughtUp), "A token that has to wait for the memory's clock is not remembered as spent.")

        let batch = (0..<20).map { _ in token() }
        let twice = await uses.spend(batch + batch.reversed(), at: now).map { try? $0.get().isGranted }
        expect(twice.prefix(20).allSatisfy { $0 == true }, "A batch grants each new token.")
        expect(twice.dropFirst(20).allSatisfy { $0 == false }, "A batch grants a token only once.")
        expect(await uses.spend([], at: now).isEmpty, "An empty batch has an empty answer.")
        let mixed = await uses.spend([token(), batch[3], token(endingAfter: -400)], at: now)
        expect(
            mixed.map { try? $0.get().isGranted } == [true, false, false], "The answers to a batch are in its order.")

        let contested = (0..<200).map { _ in token() }
        let wins = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                let handle = task.isMultiple(of: 2) ? uses : other
                group.addTask {
                    var wins = 0
                    for place in contested.indices {
                        // Each task begins with another token.
                        let use = contested[(place + task * 25) % contested.count]
                        if (try? await handle.spend(use, at: now)) == .granted { wins += 1 }
                    }
                    return wins
                }
            }
            return await group.reduce(0, +)
        }
        expect(
            wins == contested.count,
            "Of several calls at once, one is granted: \(wins) were, for \(contested.count) tokens.")

        let undated = use(Date(timeIntervalSinceReferenceDate: .nan), now)
        expect(try await !spend(undated), "A token that was issued at no time is not granted.")

        violations += try await violationsNearAnEnd(uses, issued: issued)
        // This comes last, because a memory may refuse every token that ends no later than one that has expired.
        let expired = token()
        expect(try await !spend(expired, after: 3_600), "A token expires at the moment at which it ends.")
        expect(try await !spend(expired, after: 1e9), "An expired token is not granted.")
        expect(try await !spend(expired, after: .nan), "A time that is not a number grants nothing.")
        let back = token()
        let granted = [
            try await spend(back), try await spend(back, after: 3_600), try await spend(back, after: -1e6),
            try await spend(back),
            try await spend(back, after: 3_599), try await spend(back, after: -1e6),
        ]
        expect(granted.filter { $0 }.count <= 1, "A clock that is set back grants no token twice.")
        for end in [TimeInterval.infinity, .greatestFiniteMagnitude, 1e300, 4e11, -.infinity, .nan] {
            let odd = MediaTokenUse(
                digest: token().digest, expires: Date(timeIntervalSince1970: end), issued: issued)
            let granted = [try? await spend(odd), try? await spend(odd)].filter { $0 == true }
            expect(granted.count <= 1, "A token that ends at \(end) is granted at most once.")
            expect(end > 0 || granted.isEmpty, "A token that ended at \(end) is not granted.")
        }
        violations += try await violationsOfARestart(firstGrant, restart: restart, open: open)
        return violations
    }

    /// Tests that a token is remembered to the last moment at which a verifier can accept it.
    private static func violationsNearAnEnd(_ uses: any MediaTokenUses, issued: Date) async throws -> [String] {
        // On a busy machine a token may have ended before it is spent, or before it is spent again. Such an attempt
        // shows little, so up to two others follow it.
        for _ in 0..<2 {
            let attempt = try await attemptNearAnEnd(uses, issued: issued)
            if attempt.isInTime || !attempt.violations.isEmpty { return attempt.violations }
        }
        return try await attemptNearAnEnd(uses, issued: issued).violations
    }

    private static func attemptNearAnEnd(
        _ uses: any MediaTokenUses, issued: Date
    ) async throws -> (violations: [String], isInTime: Bool) {
        // The test uses the real clock, because a memory may have its own.
        let now = Date()
        let lasting = use(issued, now, endingAfter: 1.9)
        let tolerated = MediaTokenUse(
            digest: use(issued, now).digest, expires: now.addingTimeInterval(1), issued: issued,
            rememberedUntil: now.addingTimeInterval(60))
        let promises = [
            (lasting, "A token is remembered until it ends, not only to the whole second before."),
            (tolerated, "A token is remembered for verifiers that tolerate more than the one that has spent it."),
        ]
        var spent: [(MediaTokenUse, String)] = []
        for (use, promise) in promises where try await uses.spend(use, at: Date()).isGranted {
            spent.append((use, promise))
        }
        guard !spent.isEmpty else { return (violations: [], isInTime: false) }
        try await Task.sleep(for: .seconds(1.2))
        var violations: [String] = []
        for (use, promise) in spent {
            let again = MediaTokenUse(
                digest: use.digest, expires: use.rememberedUntil, issued: issued, rememberedUntil: use.rememberedUntil)
            if try await uses.spend(again, at: Date()).isGranted { violations.append(promise) }
        }
        let isInTime = spent.count == promises.count && Date() < lasting.expires
        return (violations: violations, isInTime: isInTime)
    }

    /// Tests that no token is granted both before and after a restart, whatever the clock of its issuer shows, and
    /// whether the memory was opened before the restart or after it.
    private static func violationsOfARestart(
        _ firstGrant: (any MediaTokenUses) async -> Date?, restart: () async throws -> Void,
        open: () throws -> any MediaTokenUses
    ) async throws -> [String] {
        let before = try open()
        _ = await firstGrant(before)
        // The test uses the real clock, because a memory may have its own. The issuer's clock may be ahead of it.
        let tokens = [-60, -2, -1, -0.002, 1, 5, 60].map { use(Date().addingTimeInterval($0), Date()) }
        var granted: Set<Data> = []
        for use in tokens where try await before.spend(use, at: Date()).isGranted { granted.insert(use.digest) }
        try await restart()
        let uses = try open()
        var again: Set<Data> = []
        func spendAgain() async throws {
            for (index, use) in tokens.filter({ granted.contains($0.digest) }).enumerated() {
                // A process that outlives the loss uses its old handle. A memory may remember what it refuses, so each
                // handle is the first to see every second token.
                for isOld in index.isMultiple(of: 2) ? [true, false] : [false, true] {
                    // The old handle may have been closed, so an error is a refusal.
                    let now = Date()
                    let outcome = isOld ? try? await before.spend(use, at: now) : try await uses.spend(use, at: now)
                    if outcome == .granted { again.insert(use.digest) }
                }
            }
        }
        var violations: [String] = []
        // This loop covers the first answer after the restart and those until the memory grants tokens that are issued
        // now.
        if await firstGrant(uses) == nil {
            violations.append("A token that is issued after a restart is granted.")
        }
        try await spendAgain()
        if !again.isEmpty { violations.append("A token that was spent before a restart is not granted after it.") }
        return violations
    }

    /// Spends new tokens until one is granted, which must happen for tokens that were issued after the memory began.
    ///
    /// - Returns: the time at which that token was issued, or nil if none was granted in time.
    private static func timeOfAGrant(
        by uses: any MediaTokenUses, issuerClockSkew: TimeInterval, patience: TimeInterval
    ) async -> Date? {
        var answered: ContinuousClock.Instant?
        // A networked memory may still be connecting, and then nothing is granted that was issued before it began plus
        // this time.
        let limit = ContinuousClock.now.advanced(by: .seconds(patience + issuerClockSkew))
        var isLast = false
        while !isLast {
            // On a busy machine the limit can pass between two attempts, so the last one begins after it.
            isLast = ContinuousClock.now >= limit
            // A memory may have a clock with whole milliseconds.
            let issued = Date().addingTimeInterval(-0.002)
            if let outcome = try? await uses.spend(use(issued, Date()), at: Date()) {
                if outcome.isGranted { return issued }
                let first = answered ?? .now
                answered = first
                guard first.duration(to: .now) < .seconds(issuerClockSkew + 2) else { return nil }
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return nil
    }

    private static func use(
        _ issued: Date, _ now: Date, endingAfter seconds: TimeInterval = 3_600
    ) -> MediaTokenUse {
        MediaTokenUse(
            digest: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }),
            expires: now.addingTimeInterval(seconds),
            issued: issued)
    }
}
