import Foundation
import Metrics
import TVERedisUses
import TVEVerification

/// Compares the clocks on which the promise "no token is granted twice" depends, so that a wrong one is seen before
/// viewers are refused.
struct ClockWatch: Sendable {
    private let judge: MediaTokenJudge
    private let redis: RedisMediaTokenUses?
    private let issuerClockSkew: TimeInterval
    private let issuerLead: Meter
    private let memoryLead: Meter?

    /// Makes a watch.
    ///
    /// - Parameters:
    ///   - judge: the judge whose tokens show the issuer's clock.
    ///   - redis: the shared memory; nil for a memory in this process, which has this machine's clock.
    ///   - issuerClockSkew: the configured number of seconds by which the issuer's clock may be ahead of the memory's.
    ///   - metrics: gets the differences.
    init(
        _ judge: MediaTokenJudge, redis: RedisMediaTokenUses?, issuerClockSkew: TimeInterval,
        metrics: any MetricsFactory
    ) {
        self.judge = judge
        self.redis = redis
        self.issuerClockSkew = issuerClockSkew
        issuerLead = Meter(label: "tve_issuer_clock_lead_seconds", factory: metrics)
        memoryLead = redis == nil ? nil : Meter(label: "tve_memory_clock_lead_seconds", factory: metrics)
    }

    /// Updates the metrics.
    func measure() {
        issuerLead.set(lead ?? 0)
        memoryLead?.set(redis?.clockLead ?? 0)
    }

    /// The number of seconds by which the issuer's clock is ahead of the memory's; nil while nothing is known.
    private var lead: TimeInterval? {
        judge.issuerClockLead.map { $0 - (redis?.clockLead ?? 0) }
    }

    /// One sentence for each difference that refuses tokens, or soon will.
    var warnings: [String] {
        var warnings: [String] = []
        let memory = redis == nil ? "this machine's clock" : "the clock of Redis"
        // Half of what is allowed: the rest is the time to repair it before tokens are refused.
        if let lead, lead > issuerClockSkew / 2 {
            warnings.append(
                "The clock of the service that issues tokens is \(Self.text(lead)) ahead of \(memory). Beyond "
                    + "issuerClockSkew, \(Self.text(issuerClockSkew)), tokens have to wait. Synchronize the clocks.")
        }
        if let difference = redis?.clockLead, abs(difference) > max(0.5, issuerClockSkew / 2) {
            warnings.append(
                "The clock of Redis is \(Self.text(abs(difference))) \(difference > 0 ? "ahead of" : "behind") this "
                    + "machine's. Synchronize the clocks.")
        }
        return warnings
    }

    private static func text(_ seconds: TimeInterval) -> String { String(format: "%.1f seconds", seconds) }
}
