import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// The time limits of a household, and the answers that come too late.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct HouseholdWaitingTests: HouseholdSuite {
    let desk: FlowFixture
    let televisionStorage = MemoryStorage()

    init() async throws {
        desk = try await FlowFixture(.restV2)
    }

    /// A device in a household of its own, whose viewer is logged in and whose token ends in less than five minutes.
    private func deviceThatRenews() async throws -> EntitlementSession {
        let (session, _) = try await desk.session()
        try await Self.household(session).create()
        try await session.authenticate(using: ViewerWhoLogsIn())
        desk.clock.advance(by: 3_400)
        return session
    }

    /// The number of renewals that the device has requested.
    private var renewals: Int {
        desk.transport.requests.count { $0.contains("/serviceToken") && $0.hasPrefix("GET") }
    }

    // MARK: - Limits

    @Test func aPlay_waitsFiveSecondsForARenewal() async throws {
        let session = try await deviceThatRenews()
        let gate = hold("/serviceToken")
        let play = Task { try await session.authorize("DEMO-1") }
        await gate.arrival()
        await desk.clock.advanceOnceSomethingSleeps(by: 4)
        #expect(desk.clock.sleepers == 1)
        desk.clock.advance(by: 1)
        _ = try await play.value
        gate.open()
    }

    @Test func aServiceThatHasFailed_isAskedAgainAfterAMinute() async throws {
        let session = try await deviceThatRenews()
        desk.fail("/serviceToken")
        for (seconds, expected) in [(0.0, 1), (59, 1), (1, 2)] {
            desk.clock.advance(by: seconds)
            _ = try await session.authorize("DEMO-1")
            #expect(renewals == expected, "\(seconds)")
        }
    }

    /// Otherwise the pause would last until the clock has caught up.
    @Test func aServiceThatHasFailed_isAskedAgain_afterTheClockWasSetBack() async throws {
        let session = try await deviceThatRenews()
        desk.fail("/serviceToken")
        _ = try await session.authorize("DEMO-1")
        desk.clock.advance(by: -30)
        _ = try await session.authorize("DEMO-1")
        #expect(renewals == 2)
    }

    /// The token of a clock that is a day ahead seems to last a day longer once the clock is right.
    @Test func aToken_isRenewed_afterTheClockWasSetBack() async throws {
        let clock = ManualClock(desk.clock.now.addingTimeInterval(86_400), shortWait: .seconds(3))
        let phone = try await phone()
        let (television, _) = try await self.television { $0.clock = clock.sessionClock }
        for session in [phone, television] { try await Self.household(session).join(account: "account-1") }
        clock.advance(by: -86_400)
        for clock in [clock, desk.clock] { clock.advance(by: 7_200) }
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let before = count("renewServiceToken")
        try await television.start()
        #expect(await television.isLoggedIn)
        #expect(count("renewServiceToken") == before + 1)
    }

    /// Systems correct their clocks by seconds all the time.
    @Test(arguments: [(-60.0, true), (-61, false), (3_299, true), (3_300, false)])
    func aToken_isFresh_unlessTheClockWasSetBackByMoreThanAMinute(seconds: Double, isFresh: Bool) {
        let now = desk.clock.now
        let token = ServiceToken(value: "token", expires: now.addingTimeInterval(3_600))
        let membership = StoredMembership(token, receivedAt: now)
        #expect(membership.isFresh(at: now.addingTimeInterval(seconds)) == isFresh)
    }

    @Test func aToken_isRenewedFiveMinutesBeforeItsEnd() async throws {
        let household = try Self.household(try await desk.session().0)
        try await household.create()
        for (seconds, expected) in [(3_299.0, 0), (1, 1)] {
            desk.clock.advance(by: seconds)
            _ = try await household.devices()
            #expect(count("renewServiceToken") == expected, "\(seconds)")
        }
    }

    @Test func aTokenThatLastsMinutesAlone_isRenewedAfterHalfOfThem() async throws {
        var world = SandboxWorld.demo
        world.behavior.households.tokenLifetime = 200
        let desk = try await FlowFixture(.restV2, world: world)
        let household = try Self.household(try await desk.session().0)
        try await household.create()
        for (seconds, expected) in [(99.0, 0), (1, 1)] {
            desk.clock.advance(by: seconds)
            _ = try await household.devices()
            #expect(desk.sandbox.exchanges.count { $0.facts.step == "renewServiceToken" } == expected, "\(seconds)")
        }
    }

    @Test func aDeviceThatLeaves_waitsHalfAMinuteForTheService() async throws {
        let household = try Self.household(try await desk.session().0)
        try await household.join(account: "account-1")
        let gate = hold("/unlink")
        let leave = Task { try await household.leave() }
        await gate.arrival()
        await desk.clock.advanceOnceSomethingSleeps(by: 29)
        #expect(desk.clock.sleepers == 1)
        desk.clock.advance(by: 1)
        try await leave.value
        #expect(try household.membership() == .none)
    }

    /// The notice of the first move has half a minute, but the second move does not wait that long for it.
    @Test func aDeviceThatMovesTwice_waitsFiveSecondsForTheFirstNotice() async throws {
        let household = try Self.household(try await desk.session().0)
        try await household.join(account: "account-1")
        let gate = hold("/unlink")
        try await household.join(account: "account-2")
        await gate.arrival()
        let next = Task { try await household.join(account: "account-3") }
        #expect(await soon { desk.clock.sleepers == 2 })
        desk.clock.advance(by: 4)
        #expect(desk.clock.sleepers == 2 && count("serviceToken") == 2)
        desk.clock.advance(by: 1)
        try await next.value
        #expect(count("serviceToken") == 3)
        gate.open()
    }

    // MARK: - What has ended before

    /// The service would refuse it, which would cost another request.
    @Test func aTokenThatHasEnded_isNotSent_whileRenewalsPause() async throws {
        let session = try await deviceThatRenews()
        desk.clock.advance(by: 180)
        desk.fail("/serviceToken")
        _ = try await session.authorize("DEMO-1")
        desk.transport.setScript { _, _ in nil }
        desk.clock.advance(by: 30)
        #expect(try await Self.household(session).devices().count == 1)
        #expect(desk.transport.requests.count { $0.hasSuffix("/list") } == 1)
    }

    /// The token has ended for the service, but not by the clock of the device.
    @Test(.row("HH4")) func aDenialThatNoNewTokenConfirms_endsNoLogin() async throws {
        let clock = ManualClock(desk.clock.now, shortWait: .seconds(3))
        let phone = try await phone()
        try await Self.household(phone).create()
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let (television, log) = try await self.television { $0.clock = clock.sessionClock }
        _ = try await television.joinHousehold(code: try await Self.household(phone).linkCode())
        #expect(await television.isLoggedIn)
        desk.clock.advance(by: 7_200)
        desk.fail("/serviceToken")
        let error = await #expect(throws: TVEError(.authorizationFailed)) { try await television.authorize("DEMO-1") }
        #expect(error?.underlying as? ServiceError == .loginNotProven)
        #expect(await television.isLoggedIn)
        #expect(!log.take().contains("not: notAuthenticated"))
        desk.transport.setScript { _, _ in nil }
        _ = try await television.authorize("DEMO-1")
    }

    /// The service has ended the membership itself, and learns nothing new.
    @Test(arguments: [HouseholdMembership.ended, .unlinked])
    func aDeviceThatLeaves_afterItsMembershipHasEnded_asksNothing(membership: HouseholdMembership) async throws {
        let phone = try Self.household(try await phone())
        try await phone.create()
        let television = try Self.household(try await television().0)
        try await television.join(code: try await phone.linkCode())
        if membership == .ended {
            desk.clock.advance(by: 5 * 86_400)
        } else {
            _ = try await phone.unlink([television.deviceID])
        }
        await #expect(throws: TVEError.self) { _ = try await television.devices() }
        #expect(try television.membership() == membership)
        let asked = desk.transport.requests
        try await television.leave()
        #expect(try television.membership() == .none)
        #expect(desk.transport.requests == asked)
    }

    /// The household before has unlinked the device itself.
    @Test func aDeviceThatWasUnlinked_andJoinsAnotherHousehold_isNotUnlinkedAgain() async throws {
        let (phone, session, _) = try await household()
        let television = try Self.household(session)
        _ = try await Self.household(phone).unlink([television.deviceID])
        await #expect(throws: TVEError.self) { _ = try await television.devices() }
        #expect(try television.membership() == .unlinked)
        let unlinked = count("unlink")
        try await television.join(account: "account-2")
        // Waits until the service knows every departure.
        try await television.leave()
        #expect(count("unlink") == unlinked + 1)
    }

    /// A device outside of a household has no login that it could end for other devices.
    @Test func aDeviceOfNoHousehold_logsNoHouseholdOut() async throws {
        let (session, _) = try await desk.loggedIn()
        await #expect(throws: TVEError(.notInHousehold)) { try await session.logoutHousehold() }
        #expect(await session.isLoggedIn && desk.isLoginStored && !hasLoggedOutAtService())
    }

    /// The request was sent for a device in no household, and its answer comes although it was cancelled.
    @Test func aDeviceThatJoins_keepsItsLogin_whateverAnEarlierRequestFinds() async throws {
        let (session, log) = try await desk.loggedIn()
        desk.clock.advance(by: 60)
        let (answer, isFirst) = (Gate(), Guarded(true))
        desk.transport.setInterception { request, _ in
            guard request.path?.contains("/profiles/") == true else { return nil }
            // Later requests tell nothing about the viewer.
            guard isFirst.taken() else { return .failure(.unreachable) }
            await Task { await answer.pass() }.value
            return ServiceDialect.restV2.noLogin
        }
        _ = await session.authenticationStatus()
        await answer.arrival()
        let question = await session.refreshTask
        let join = Task { try await session.joinHousehold(account: "account-1") }
        #expect(await soon { question?.isCancelled == true })
        _ = log.take()
        answer.open()
        guard case .authenticated = try await join.value else {
            Issue.record("The viewer is not logged in any more.")
            return
        }
        #expect(!log.take().contains("not: notAuthenticated") && desk.isLoginStored)
    }

    /// The device that joins waits for the end of a request that it has cancelled, and no other call does.
    @Test func metadata_isAnsweredAtOnce_whileADeviceThatJoinsWaits() async throws {
        let (session, _) = try await desk.loggedIn()
        _ = try await session.authorize("DEMO-1")
        desk.clock.advance(by: 60)
        let (answer, isFirst) = (Gate(), Guarded(true))
        desk.transport.setInterception { request, _ in
            guard request.path?.contains("/profiles/") == true, isFirst.taken() else { return nil }
            await Task { await answer.pass() }.value
            return nil
        }
        _ = await session.authenticationStatus()
        await answer.arrival()
        let question = await session.refreshTask
        let join = Task { try await session.joinHousehold(account: "account-1") }
        #expect(await soon { question?.isCancelled == true })
        let isAnswered = Guarded(false)
        let call = Task {
            defer { isAnswered.withLock { $0 = true } }
            return try await session.metadata(.user("zip"))?.value
        }
        #expect(await soon { isAnswered.withLock(\.self) })
        answer.open()
        #expect(try await call.value == .array([.string("12345")]))
        _ = try await join.value
    }
}
