import Foundation
import TVEModels
import TVETestTraits
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

    /// Two viewers of one device ask for the owner of the trial before either of them has used the pass.
    @Test func aDevice_hasOneTrial_whoeverUsesThePassFirst() throws {
        var pass = SandboxWorld.Provider(id: "pass", displayName: "Pass", login: .none)
        pass.temporaryAccess = .init(seconds: 600, identityKey: "email", resourceLimit: 1)
        var world = SandboxWorld.demo
        world.providers.append(pass)
        world.requestors[0].providers.append(pass.id)
        let routes = try SandboxRoutes(world: world.strict, key: SandboxKey.ofThisProcess.get(), now: { Self.start })
        let state = routes.state
        let holders = try ["a", "b"].map { name in
            try #require(Trials.holder(of: pass, deviceID: "device", data: ["email": .string(name)], in: state))
        }
        let limits = zip(holders, ["one", "two"]).map { holder, resource in
            let login = Login(
                sessionIndex: "", nameID: "", guid: "", subject: .tempPass(holder), requestorID: world.requestors[0].id,
                mvpdID: pass.id, expires: Self.start)
            return Trials.denial(of: resource, holder: holder, login: login, in: state).map { "\($0)" }
        }
        #expect(limits == [nil, "resources(1)"])
    }
}
