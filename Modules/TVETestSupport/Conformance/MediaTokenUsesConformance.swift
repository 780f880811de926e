import Foundation
public import TVETokenCodec

/// Checks the contract of `MediaTokenUses` on any memory of spent tokens.
///
/// Run it on your own memory from any test framework: it returns a sentence for every violation.
public enum MediaTokenUsesConformance {
    /// Tests every promise of the contract, with two handles if possible.
    ///
    /// Tokens have random digests and end within the next hour. So a memory with its own clock can be tested, and one
    /// that others use at the same time.
    ///
    /// - Parameters:
    ///   - isShared: whether a second handle sees the tokens that the first one spent.
    ///   - restart: restarts the memory in the way that loses most, for example kills the database and starts it again;
    ///     `{}` if opening it anew is a restart, as for a memory in the process.
    ///   - open: opens the memory under test; called several times, also after the restart.
    /// - Returns: one sentence for each violation; empty when there is none.
    /// - Throws: the error of a call that should have succeeded.
    public static func violations(
        isShared: Bool, restart: () async throws -> Void, open: () throws -> any MediaTokenUses
    ) async throws -> [String] {
        var violations: [String] = []
        func expect(_ holds: Bool, _ promise: String) { if !holds { violations.append(promise) } }
        let now = Date()
        let uses = try open()
        let other = isShared ? try open() : uses
        func spend(_ use: MediaTokenUse, after seconds: TimeInterval = 0) async throws -> Bool {
            try await uses.spend(use, at: now.addingTimeInterval(seconds))
        }

        let first = token(now)
        expect(try await spend(first), "The first call with a token returns true.")
        expect(try await !spend(first), "The second call with a token returns false.")
        expect(try await !other.spend(first, at: now), "Another handle knows what was spent.")
        expect(try await spend(token(now)), "Another token can still be spent.")
        let twin = MediaTokenUse(
            digest: first.digest, expires: first.expires.addingTimeInterval(60), issued: first.issued)
        expect(try await !spend(twin), "A token is recognized by its digest alone.")

        let batch = (0..<20).map { _ in token(now) }
        let twice = await uses.spend(batch + batch.reversed(), at: now)
        expect(twice.prefix(20).allSatisfy { (try? $0.get()) == true }, "A batch grants each new token.")
        expect(twice.dropFirst(20).allSatisfy { (try? $0.get()) == false }, "A batch grants a token only once.")
        expect(await uses.spend([], at: now).isEmpty, "An empty batch has an empty answer.")
        let mixed = await uses.spend([token(now), batch[3], token(now.addingTimeInterval(-4_000))], at: now)
        expect(mixed.map { try? $0.get() } == [true, false, false], "The answers to a batch are in its order.")

        let contested = (0..<200).map { _ in token(now) }
        let wins = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                let handle = task.isMultiple(of: 2) ? uses : other
                group.addTask {
                    var wins = 0
                    for place in contested.indices {
                        // Each task begins with another token.
                        let use = contested[(place + task * 25) % contested.count]
                        if (try? await handle.spend(use, at: now)) == true { wins += 1 }
                    }
                    return wins
                }
            }
            return await group.reduce(0, +)
        }
        expect(
            wins == contested.count,
            "Of several calls at once, one returns true: \(wins) did, for \(contested.count) tokens.")

        let undated = token(now, issuedAfter: .nan)
        expect(try await !spend(undated), "A token that was issued at no time is not granted.")

        // Last, because a memory may refuse every token that ends no later than one that has expired.
        let expired = token(now)
        expect(try await !spend(expired, after: 3_600), "A token expires at the moment at which it ends.")
        expect(try await !spend(expired, after: 1e9), "An expired token is not granted.")
        expect(try await !spend(expired, after: .nan), "A time that is not a number grants nothing.")
        let back = token(now)
        let granted = [
            try await spend(back, after: 3_600), try await spend(back, after: -1e6), try await spend(back),
            try await spend(back, after: 3_599), try await spend(back, after: -1e6),
        ]
        expect(granted.filter { $0 }.count <= 1, "A clock that is set back grants no token twice.")
        for end in [TimeInterval.infinity, .greatestFiniteMagnitude, 1e300, 4e11, -.infinity, .nan] {
            let odd = MediaTokenUse(
                digest: token(now).digest, expires: Date(timeIntervalSince1970: end), issued: now.addingTimeInterval(60)
            )
            let granted = [try? await spend(odd), try? await spend(odd)].filter { $0 == true }
            expect(granted.count <= 1, "A token that ends at \(end) is granted at most once.")
            expect(end > 0 || granted.isEmpty, "A token that ended at \(end) is not granted.")
        }
        violations += try await violationsOfARestart(restart, open)
        return violations
    }

    /// Tests that no token is granted both before and after a restart.
    private static func violationsOfARestart(
        _ restart: () async throws -> Void, _ open: () throws -> any MediaTokenUses
    ) async throws -> [String] {
        let before = try open()
        // A real clock, because a memory may have its own.
        let tokens = [-60, -2, -1, 0].map { token(Date(), issuedAfter: $0) }
        var granted: Set<Data> = []
        for use in tokens where try await before.spend(use, at: Date()) { granted.insert(use.digest) }
        try await restart()
        let uses = try open()
        // It may still be connecting.
        var grants: Bool?
        for _ in 0..<3_000 where grants == nil {
            grants = try? await uses.spend(token(Date()), at: Date())
            if grants == nil { try await Task.sleep(for: .milliseconds(10)) }
        }
        var violations: [String] = []
        if grants != true { violations.append("A token that is issued after a restart is granted.") }
        var again = 0
        for use in tokens where granted.contains(use.digest) {
            if try await uses.spend(use, at: Date()) { again += 1 }
        }
        if again > 0 { violations.append("A token that was spent before a restart is not granted after it.") }
        return violations
    }

    /// A token that ends in an hour and by default was issued a minute from now, so that no memory is younger than it.
    private static func token(_ now: Date, issuedAfter seconds: TimeInterval = 60) -> MediaTokenUse {
        MediaTokenUse(
            digest: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }), expires: now.addingTimeInterval(3_600),
            issued: now.addingTimeInterval(seconds))
    }
}
