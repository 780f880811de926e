public import Foundation
import TVEModels

/// A memory of spent tokens in this process, with bounded size.
///
/// A token is remembered until every verifier refuses it as expired. If there is no room for another token, spending
/// fails, because a forgotten valid token could be used twice. Calls may come from any thread.
///
/// The clock may be wrong. A token is granted at most once, whatever the times of the calls and their order are, and a
/// token that has expired at the time of its call is never granted. After an expired token was forgotten, every token
/// that expires at the same time or earlier is refused, even if a later call has an earlier time.
///
/// After a restart of the process the memory is empty. Therefore no token is granted that was issued before this memory
/// was created, because it may have been spent in the previous process. Apps request a media token right before they
/// play it, so only the tokens of a few seconds are lost. The service's clock may be ahead of this machine's by
/// `issuerClockSkew`. A token that was issued later than that is not granted until this machine's clock has caught up,
/// and is not spent until then.
///
/// The process must be the only one that spends, and the previous one must have stopped before this memory is created.
/// While two memories are in use, as in two workers or during a rolling deployment, each can grant a token that was
/// issued after the creation of both. Such processes need a shared memory.
public final class MemoryMediaTokenUses: MediaTokenUses {
    /// An error that occurs if there is no room for another token until some have expired.
    public struct Full: Error, Sendable, Equatable, CustomStringConvertible {
        /// The number of tokens that the memory can hold.
        public let capacity: Int

        /// A sentence about what was found, and one about what to do.
        public var description: String {
            "The memory of spent tokens is full: it has a capacity of \(capacity), and no token in it has expired. "
                + "Give it a larger capacity."
        }
    }

    private let capacity: Int
    private let began: Date
    private let issuerClockSkew: TimeInterval
    private let spent: Guarded<SpentMediaTokens>

    /// Creates an empty memory.
    ///
    /// - Parameters:
    ///   - capacity: the number of tokens that the memory can hold, about 200 bytes each. A media token is remembered
    ///     for its lifetime of some minutes plus ``MediaTokenVerifier/largestClockTolerance``. The capacity must be
    ///     larger than the number of playbacks that start in that time.
    ///   - began: the current time. An earlier time is right only if no token was spent between then and now.
    ///   - issuerClockSkew: the number of seconds by which the clock of the service that issues tokens may be ahead of
    ///     this machine's.
    public init(capacity: Int = 1_000_000, began: Date = Date(), issuerClockSkew: TimeInterval = 2) {
        self.capacity = max(1, capacity)
        self.began = began
        self.issuerClockSkew = issuerClockSkew
        spent = Guarded(SpentMediaTokens(capacity: max(1, capacity)))
    }

    /// Spends a token; see ``MediaTokenUses``.
    ///
    /// The cost is the same in a full memory as in an empty one.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the back end's current time.
    /// - Returns: `.granted` for the first call with this token, or else the reason for which it was refused.
    /// - Throws: ``Full`` if there is no room.
    public func spend(_ use: MediaTokenUse, at now: Date) throws(Full) -> MediaTokenUseOutcome {
        guard !use.mayHaveBeenSpent(before: began, issuerClockSkew: issuerClockSkew) else {
            return .refused(.olderThanMemory)
        }
        let wait = use.secondsUntilGrantable(at: now, issuerClockSkew: issuerClockSkew)
        let outcome: SpentMediaTokens.Outcome? = spent.withLock { spent in
            wait != nil && !spent.contains(use) ? nil : spent.spend(use, at: now)
        }
        switch outcome {
        case .granted: return .granted
        case .spent: return .refused(.spent)
        case .expired: return .refused(.expired)
        case .full: throw Full(capacity: capacity)
        case nil: return .refused(.clockBehind(seconds: wait ?? 0))
        }
    }
}
