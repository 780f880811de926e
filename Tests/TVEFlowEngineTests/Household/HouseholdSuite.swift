import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// A suite with the devices of a household: a phone with its store, and a television with another.
protocol HouseholdSuite: Sendable {
    var desk: FlowFixture { get }
    var televisionStorage: MemoryStorage { get }
}

extension HouseholdSuite {
    func phone(started: Bool = true) async throws -> EntitlementSession {
        try await desk.session(device: "phone", started: started).0
    }

    func television(
        of requestor: RequestorID = "DEMO", started: Bool = true,
        change: (inout SessionEnvironment) -> Void = { _ in }
    ) async throws -> (EntitlementSession, EventLog) {
        try await desk.session(requestor: requestor, device: "television", started: started) {
            $0.storage = televisionStorage
            change(&$0)
        }
    }

    /// A phone whose viewer has made a household and logged in, and a television that has joined it with a code.
    func household() async throws -> (phone: EntitlementSession, television: EntitlementSession, log: EventLog) {
        let phone = try await phone()
        try await Self.household(phone).create()
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let (television, log) = try await television()
        #expect(await !television.isLoggedIn)
        let code = try await Self.household(phone).linkCode()
        let typed = try #require(LinkCode(typed: " \(code.text.prefix(3))-\(code.text.dropFirst(3)) "))
        guard case .authenticated(let profile) = try await television.joinHousehold(code: typed) else {
            throw TVEError(.notAuthenticated)
        }
        #expect(profile.kind == .serviceToken && profile.mvpdID == "demo-cable")
        _ = log.take()
        return (phone, television, log)
    }

    static func household(_ session: EntitlementSession) throws -> Household {
        try #require(session.household)
    }

    func count(_ step: String) -> Int { desk.sandbox.exchanges.count { $0.facts.step == step } }

    /// Holds the requests to a path until a test opens the gate.
    func hold(_ path: String) -> Gate {
        let gate = Gate()
        desk.transport.setInterception { request, _ in
            if request.path?.contains(path) == true { await gate.pass() }
            return nil
        }
        return gate
    }

    func hasLoggedOutAtService() -> Bool { count("logout") > 0 }
}
