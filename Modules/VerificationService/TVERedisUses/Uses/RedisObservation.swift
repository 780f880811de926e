import Foundation

/// The facts about a primary that its last answer contained.
struct RedisObservation: Sendable, Hashable {
    /// The time on the clock of Redis, in milliseconds since 1970, rounded up.
    let time: Int64
    /// The number of seconds by which the clock of Redis is ahead of this machine's clock; negative if it is behind.
    let clockLead: TimeInterval
    /// The number of replicas that are connected to the primary.
    let replicas: Int

    /// Creates an observation, which compares the clock of Redis with that of this machine.
    ///
    /// - Parameters:
    ///   - time: the time on the clock of Redis, in milliseconds since 1970.
    ///   - asked: the time on this machine's clock before the request.
    ///   - answered: the time on this machine's clock after the answer.
    ///   - replicas: the number of connected replicas.
    init(time: Int64, asked: Date, answered: Date = Date(), replicas: Int) {
        self.time = time
        let time = Date(timeIntervalSince1970: Double(time) / 1000)
        // Redis read its clock between the two times. A slow network must not look like a wrong clock.
        clockLead =
            time < asked ? time.timeIntervalSince(asked) : time > answered ? time.timeIntervalSince(answered) : 0
        self.replicas = replicas
    }
}
