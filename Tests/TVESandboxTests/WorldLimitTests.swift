import TVEModels
import TVESandbox
import Testing

/// Tests of the least and the largest value that each field of a world may have.
struct WorldLimitTests {
    private typealias Fault = SandboxWorld.Fault
    typealias Expectation = SandboxWorld.Expectation

    private static func fault(
        _ kind: Fault.Kind, amount: Int? = nil, code: String? = nil, step: String? = nil, provider: MVPDID? = nil,
        resource: String? = nil, body: String? = nil, device: String? = nil, requests: Int? = nil, after: Int? = nil
    ) -> Fault {
        var fault = Fault(kind, amount: amount, code: code, step: step, requests: requests)
        fault.provider = provider
        fault.resource = resource
        fault.body = body
        fault.device = device
        fault.after = after
        return fault
    }

    /// The longest body of a rewritten answer, whose limit counts bytes.
    private static let longBody = String(repeating: "é", count: 32_768)
    /// The longest name of an expectation.
    private static let longName = String(repeating: "é", count: 100)

    /// Faults with an amount, and the field that is wrong.
    private static let amounts: [(Fault.Kind, Int?, String?)] = [
        (.delay, nil, "amount"), (.delay, 0, "amount"), (.delay, 1, nil), (.delay, 600_000, nil),
        (.delay, 600_001, "amount"), (.slowBody, nil, "amount"), (.slowBody, 0, "amount"), (.slowBody, 1, nil),
        (.slowBody, 600_000, nil), (.slowBody, 600_001, "amount"), (.status, nil, "amount"), (.status, 199, "amount"),
        (.status, 200, nil), (.status, 599, nil), (.status, 600, "amount"), (.wrongClock, nil, "amount"),
        (.wrongClock, -31_536_001, "amount"), (.wrongClock, -31_536_000, nil), (.wrongClock, 31_536_000, nil),
        (.wrongClock, 31_536_001, "amount"), (.lateProfile, nil, "amount"), (.lateProfile, 0, "amount"),
        (.lateProfile, 1, nil), (.lateProfile, 36_000, nil), (.lateProfile, 36_001, "amount"),
        (.rewritten, nil, "body"), (.rewritten, 199, "amount"), (.rewritten, 200, nil), (.rewritten, 599, nil),
        (.rewritten, 600, "amount"), (.dropped, 1, "amount"), (.dropped, 0, "amount"), (.dropped, nil, nil),
    ]

    @Test(arguments: amounts.indices)
    func anAmount_isInTheRangeOfItsKind(index: Int) {
        let (kind, amount, field) = Self.amounts[index]
        let problems = SandboxWorld.demo.problems(.init(kind, amount: amount))
        #expect(problems == [field].compactMap(\.self), "\(kind) \(amount ?? -1)")
    }

    /// Each fault differs from an allowed one in a single field.
    private static let others: [(Fault, String?)] = [
        (fault(.dropped, requests: 0), "requests"), (fault(.dropped, requests: 1), nil),
        (fault(.dropped, requests: 100_000), nil), (fault(.dropped, requests: 100_001), "requests"),
        (fault(.dropped, after: -1), "after"), (fault(.dropped, after: 0), nil),
        (fault(.dropped, after: 100_000), nil), (fault(.dropped, after: 100_001), "after"),
        (fault(.dropped, device: ""), "device"), (fault(.dropped, device: "tv"), nil),
        (fault(.rewritten, body: ""), nil),
        (fault(.rewritten, body: longBody), nil),
        (fault(.rewritten, body: "\(longBody)x"), "body"),
        (fault(.garbledBody, body: "x"), "body"),
        (fault(.rewritten, resource: "DEMO-1", body: "x"), nil),
        (fault(.denied, resource: "DEMO-1"), nil), (fault(.dropped, resource: "DEMO-1"), "resource"),
        (fault(.error, code: "internal_server_error"), nil), (fault(.error, code: "authorizeAll"), "code"),
        (fault(.degraded, code: "authorizeAll"), nil), (fault(.degraded), "code"),
        (fault(.degraded, code: "internal_server_error"), "code"),
        (fault(.dropped, code: "internal_server_error"), "code"), (fault(.dropped, step: "config"), nil),
        (fault(.lateProfile, amount: 1, step: "profileOfCode"), nil),
        (fault(.lateProfile, amount: 1, step: "profiles"), "step"),
        (fault(.codeReplaced, step: "profileOfCode"), nil),
        (fault(.profileEnded, step: "authorize"), nil), (fault(.profileEnded, step: "logout"), "step"),
        (fault(.unreachable, provider: "demo-fiber"), nil), (fault(.unreachable), nil),
        (fault(.degraded, code: "authorizeNone", provider: "demo-fiber"), nil),
        (fault(.secondProfile, provider: "demo-fiber"), nil),
        (fault(.secondProfile, step: "assertion", provider: "demo-fiber"), nil),
        (fault(.secondProfile, provider: "nobody"), "provider"),
    ]

    @Test(arguments: others.indices)
    func aFieldOfAFault_isInItsRange(index: Int) {
        let (fault, field) = Self.others[index]
        #expect(SandboxWorld.demo.problems(fault) == [field].compactMap(\.self), "\(fault)")
    }

    /// A field is named once, however much is wrong with it.
    @Test func aFault_namesEachWrongFieldOnce() {
        let wrong = Self.fault(.error, amount: 1, step: "nope", provider: "nobody", requests: 0)
        #expect(SandboxWorld.demo.problems(wrong) == ["amount", "code", "step", "provider", "requests"])
    }

    @Test(
        arguments: [
            (Expectation("", step: "config", atMost: 1), ["name"]),
            (Expectation(longName, step: "config", atMost: 1), []),
            (Expectation("\(longName)x", step: "config", atMost: 1), ["name"]),
            (Expectation("a", step: "nope", atMost: 1), ["step"]),
            (Expectation("a", step: "config", follows: "makeCode"), []),
            (Expectation("a", step: "config", follows: "nope"), ["follows"]),
            (Expectation("a", step: "config", follows: "config"), ["follows"]),
            (Expectation("a", step: "config", atLeast: 0), ["atLeast"]),
            (Expectation("a", step: "config", atLeast: 1), []),
            (Expectation("a", step: "config", atLeast: 100_000), []),
            (Expectation("a", step: "config", atLeast: 100_001), ["atLeast"]),
            (Expectation("a", step: "config", atMost: -1), ["atMost"]),
            (Expectation("a", step: "config", atMost: 0), []),
            (Expectation("a", step: "config", atMost: 100_000), []),
            (Expectation("a", step: "config", atMost: 100_001), ["atMost"]),
            (Expectation("a", step: "config", atLeast: 2, atMost: 2), []),
            (Expectation("a", step: "config", atLeast: 3, atMost: 2), ["atMost"]),
            (Expectation("a", step: "config"), ["atMost"]),
            (Expectation("a", step: "config", status: 429), ["atMost", "status"]),
            (Expectation("a", step: "config", atLeast: 1, status: 429), ["status"]),
            (Expectation("a", step: "config", status: 199, pause: 1), ["status"]),
            (Expectation("a", step: "config", status: 200, pause: 1), []),
            (Expectation("a", step: "config", status: 599, pause: 1), []),
            (Expectation("a", step: "config", status: 600, pause: 1), ["status"]),
            (Expectation("a", step: "config", pause: 0), ["pause"]),
            (Expectation("a", step: "config", pause: 1), []),
            (Expectation("a", step: "config", pause: 86_400), []),
            (Expectation("a", step: "config", pause: 86_401), ["pause"]),
        ] as [(Expectation, [String])])
    func aFieldOfAnExpectation_isInItsRange(expectation: Expectation, fields: [String]) {
        #expect(expectation.problems == fields)
    }

    /// A number of a world, the values that are allowed, and those that are not.
    private struct Limit: Sendable {
        let error: SandboxWorldError
        let allowed: [Int]
        let refused: [Int]
        let set: @Sendable (inout SandboxWorld, Int) -> Void
    }

    private static func lifetime(
        _ name: String, from least: Int = 1, _ set: @escaping @Sendable (inout SandboxWorld, Int) -> Void
    ) -> Limit {
        Limit(
            error: .outOfRange(name), allowed: [least, 1, 315_360_000], refused: [least - 1, 315_360_001], set: set)
    }

    private static let limits: [Limit] = [
        lifetime("authenticationLifetime") { $0.behavior.authenticationLifetime = $1 },
        lifetime("authorizationLifetime") { $0.behavior.authorizationLifetime = $1 },
        lifetime("mediaLifetime") { $0.behavior.mediaLifetime = $1 },
        lifetime("registrationCodeLifetime") { $0.behavior.registrationCodeLifetime = $1 },
        lifetime("accessTokenLifetime") { $0.behavior.accessTokenLifetime = $1 },
        lifetime("households.tokenLifetime") { $0.behavior.households.tokenLifetime = $1 },
        lifetime("households.renewalLifetime", from: 0) { $0.behavior.households.renewalLifetime = $1 },
        lifetime("households.codeLifetime", from: 0) { $0.behavior.households.codeLifetime = $1 },
        lifetime("a number of provider demo-cable") {
            $0.providers[0].temporaryAccess = .init(seconds: $1)
        },
        Limit(error: .outOfRange("a number of provider demo-cable"), allowed: [1], refused: [0, -1]) {
            $0.providers[0].temporaryAccess = .init(seconds: 1)
            $0.providers[0].temporaryAccess?.resourceLimit = $1
        },
        Limit(error: .outOfRange("a number of provider demo-cable"), allowed: [1], refused: [0, -1]) {
            $0.providers[0].denialsBeforeRefusal = $1
        },
        Limit(error: .outOfRange("households.tries"), allowed: [0], refused: [-1]) {
            $0.behavior.households.tries = $1
        },
        Limit(error: .outOfRange("tokenUTCOffsetMinutes"), allowed: [-1_080, 1_080], refused: [-1_081, 1_081]) {
            $0.behavior.tokenUTCOffsetMinutes = $1
        },
        Limit(error: .outOfRange("denialStatus"), allowed: [200, 400, 403], refused: [199, 201, 401, 404]) {
            $0.behavior.denialStatus = $1
        },
        Limit(error: .outOfRange("preauthorizationLimit"), allowed: [1], refused: [0]) {
            $0.behavior.preauthorizationLimit = $1
        },
        Limit(error: .outOfRange("the number of faults"), allowed: [0, 100], refused: [101]) {
            $0.faults = Array(repeating: Fault(.dropped), count: $1)
        },
        Limit(error: .outOfRange("the number of expectations"), allowed: [0, 100], refused: [101]) {
            $0.expectations = (0..<$1).map { Expectation("\($0)", step: "config", atMost: 1) }
        },
    ]

    @Test(arguments: limits.indices)
    func aNumberOfAWorld_isInItsRange(index: Int) {
        let limit = Self.limits[index]
        for number in limit.allowed {
            var world = SandboxWorld.demo
            limit.set(&world, number)
            #expect(throws: Never.self, "\(number)") { try world.validate() }
        }
        for number in limit.refused {
            var world = SandboxWorld.demo
            limit.set(&world, number)
            #expect(throws: limit.error, "\(number)") { try world.validate() }
        }
    }
}
