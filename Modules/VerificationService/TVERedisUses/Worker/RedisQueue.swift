import TVETokenVerification

/// A queue of calls that wait to be sent, in the order of their arrival.
struct RedisQueue: Sendable {
    /// The maximum number of tokens in one round trip; more would delay the first one.
    private static let batchLimit = 256
    /// The maximum number of tokens that may wait; at a tenth of a millisecond each, any more would be late.
    private static let limit = 16_384

    private var calls: [RedisCall] = []
    private var tokens = 0

    var isEmpty: Bool { calls.isEmpty }

    var firstDeadline: RedisDeadline? { calls.lazy.map(\.deadline).min() }

    /// Adds a call and returns `true`, or returns `false` if too many tokens are waiting.
    mutating func append(_ call: RedisCall) -> Bool {
        guard tokens + call.spends.count <= Self.limit else { return false }
        calls.append(call)
        tokens += call.spends.count
        return true
    }

    /// Removes and returns the calls of the next round trip: as many as fit, but at least one.
    mutating func takeBatch() -> [RedisCall] {
        var count = 0
        var taken = 0
        for call in calls {
            guard taken == 0 || count + call.spends.count <= Self.batchLimit else { break }
            count += call.spends.count
            taken += 1
        }
        defer {
            calls.removeFirst(taken)
            tokens -= count
        }
        return Array(calls.prefix(taken))
    }

    /// Removes and returns the calls whose deadline is not later than a given time.
    mutating func takeLate(_ moment: RedisDeadline) -> [RedisCall] {
        let late = calls.filter { $0.deadline <= moment }
        calls.removeAll { $0.deadline <= moment }
        tokens -= late.reduce(0) { $0 + $1.spends.count }
        return late
    }

    mutating func takeAll() -> [RedisCall] {
        defer { self = RedisQueue() }
        return calls
    }
}

/// A request of one caller to spend tokens.
struct RedisCall: Sendable {
    let spends: [RedisSpend]
    let deadline: RedisDeadline
    let answer: @Sendable ([Result<MediaTokenUseOutcome, RedisUsesError>]) -> Void

    func fail(_ error: RedisUsesError) {
        answer(spends.map { _ in .failure(error) })
    }
}
