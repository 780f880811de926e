import Foundation
import TVEModels
import Testing

@testable import TVESandbox

/// The limits of a TempPass, just before and at each of them.
struct TrialTests {
    private static let start = Date(timeIntervalSince1970: 1_000)

    @Test(
        arguments: [
            // The use of the pass, the resources so far, the seconds since the first use, the resource, and the limit.
            (false, [], 10_000, "c", nil), (true, [], 0, "c", nil), (true, ["a"], 599.9, "c", nil),
            (true, [], 600, "c", "time"), (true, ["a", "b"], 0, "c", "resources(2)"), (true, ["a", "b"], 0, "a", nil),
            (true, ["a", "b"], 0, "A", "resources(2)"), (true, ["a", "b"], 600, "a", "time"),
        ] as [(Bool, [String], TimeInterval, String, String?)])
    func aPass_isOver_atItsLimits(
        isUsed: Bool, resources: [String], seconds: TimeInterval, resource: String, limit: String?
    ) {
        var trial = Trial()
        trial.began = isUsed ? Self.start : nil
        trial.resources = Set(resources.map { ExactText($0) })
        let access = SandboxWorld.Provider.TemporaryAccess(seconds: 600, resourceLimit: 2)
        let now = Self.start.addingTimeInterval(seconds)
        #expect(trial.limit(of: resource, access, now: now).map { "\($0)" } == limit)
        #expect(trial.end(access, now: now) == (isUsed ? Self.start : now).addingTimeInterval(600))
    }
}
