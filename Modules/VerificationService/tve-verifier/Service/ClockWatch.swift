import Foundation
import Metrics
import TVERedisUses
import TVEVerification

/// A comparison of the clocks on which the guarantee that no token is granted twice depends.
///
/// It lets an operator notice a wrong clock before viewers are refused.
struct ClockWatch: Sendable {
    private let judge: MediaTokenJudge
    private let redis: RedisMediaTokenUses?
    private let issuerClockSkew: TimeInterval
    private let issuerLead: Meter
    private let memoryLead: Meter?

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - judge: the judge whose tokens reveal the issuer's clock.
    ///   - redis: the shared memory; `nil` for a memory in this process, which uses this machine's clock.
    ///   - issuerClockSkew: the configured number of seconds by which the issuer's clock may be ahead of the memory's.
    ///   - metrics: the factory of the metrics of the differences and of the configured number.
    init(
        _ judge: MediaTokenJudge, redis: RedisMediaTokenUses?, issuerClockSkew: TimeInterval,
        metrics: any MetricsFactory
    ) {
        self.judge = judge
        self.redis = redis
        self.issuerClockSkew = issuerClockSkew
        issuerLead = Meter(label: "tve_issuer_clock_lead_seconds", factory: metrics)
        memoryLead = redis == nil ? nil : Meter(label: "tve_memory_clock_lead_seconds", factory: metrics)
        // The alert rules compare the differences with this setting.
        Meter(label: "tve_issuer_clock_skew_seconds", factory: metrics).set(issuerClockSkew)
    }

    /// Updates the metrics with the current differences.
    func measure() {
        issuerLead.set(lead ?? 0)
        memoryLead?.set(redis?.clockLead ?? 0)
    }

    /// The number of seconds by which the issuer's clock is ahead of the memory's; `nil` while it is unknown.
    private var lead: TimeInterval? {
        judge.issuerClockLead.map { $0 - (redis?.clockLead ?? 0) }
    }

    /// A warning for each difference that causes refusals, or soon will.
    var warnings: [String] {
        var warnings: [String] = []
        let memory = redis == nil ? "this machine's clock" : "the clock of Redis"
        // The warning begins at half of the allowed skew, so that there is time for a repair before tokens are refused.
        if let lead, lead > issuerClockSkew / 2 {
            warnings.append(
                "The clock of the service that issues tokens is \(Self.text(lead)) ahead of \(memory). If this exceeds "
                    + "issuerClockSkew, \(Self.text(issuerClockSkew)), new tokens are not granted at once. "
                    + "Synchronize the clocks.")
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
