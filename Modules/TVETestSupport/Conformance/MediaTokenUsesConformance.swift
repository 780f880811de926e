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
    ///   - open: opens the memory under test; called several times.
    /// - Returns: one sentence for each violation; empty when there is none.
    /// - Throws: the error of a call that should have succeeded.
    public static func violations(isShared: Bool, open: () throws -> any MediaTokenUses) async throws -> [String] {
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
            let odd = MediaTokenUse(digest: token(now).digest, expires: Date(timeIntervalSince1970: end), issued: nil)
            let granted = [try? await spend(odd), try? await spend(odd)].filter { $0 == true }
            expect(granted.count <= 1, "A token that ends at \(end) is granted at most once.")
            expect(end > 0 || granted.isEmpty, "A token that ended at \(end) is not granted.")
        }
        return violations
    }

    /// A token that ends in an hour and was issued a minute from now, so that no memory is younger than it.
    private static func token(_ now: Date) -> MediaTokenUse {
        MediaTokenUse(
            digest: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }), expires: now.addingTimeInterval(3_600),
            issued: now.addingTimeInterval(60))
    }
}
