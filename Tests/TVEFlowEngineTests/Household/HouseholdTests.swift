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

/// One login for the devices of a household.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct HouseholdTests: HouseholdSuite {
    let desk: FlowFixture
    let televisionStorage = MemoryStorage()

    init() async throws {
        desk = try await FlowFixture(.restV2)
    }

    // MARK: - The story

    @Test func aTelevision_findsTheLoginOfThePhone_andPlaysWithoutAPage() async throws {
        let (phone, television, _) = try await household()
        _ = try await television.authorize("DEMO-1")
        #expect(count("createSession") == 1, "the phone's login alone")
        let devices = try await Self.household(phone).devices()
        #expect(devices.count == 2)
        #expect(try devices.contains { try $0.id == Self.household(television).deviceID })
        _ = try await phone.authorize("DEMO-1")
    }

    @Test(.row("HH5")) func aTelevisionThatIsUnlinked_isLoggedOut_atItsNextQuestion() async throws {
        let (phone, television, log) = try await household()
        let outcome = try await Self.household(phone).unlink([try Self.household(television).deviceID, "unknown"])
        #expect(outcome.unlinked.count == 1 && outcome.remaining == ["unknown"])
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.authorize("DEMO-1") }
        #expect(log.take().contains("not: notAuthenticated"))
        #expect(await !television.isLoggedIn)
        #expect(try Self.household(television).membership() == .unlinked)
        #expect(!hasLoggedOutAtService())
        _ = try await phone.authorize("DEMO-1")
        // It can come back with another code.
        let code = try await Self.household(phone).linkCode()
        _ = try await television.joinHousehold(code: code)
        #expect(await television.isLoggedIn)
    }

    /// Its token has ended by then, which is no decision about its login.
    @Test(.row("HH3", "HH5")) func aDeviceThatIsUnlinkedWhileItIsOff_doesNotJoinAgainByItself() async throws {
        let phone = try await phone()
        let (first, _) = try await self.television()
        for session in [phone, first] { try await Self.household(session).join(account: "account-1") }
        try await phone.authenticate(using: ViewerWhoLogsIn())
        try await first.start()
        #expect(await first.profile?.kind == .serviceToken)
        await first.end()
        _ = try await Self.household(phone).unlink([try Self.household(first).deviceID])
        desk.clock.advance(by: 7_200)
        let (television, _) = try await self.television()
        let error = await #expect(throws: TVEError(.authorizationFailed)) { try await television.authorize("DEMO-1") }
        #expect(error?.underlying as? ServiceError == .loginNotProven)
        #expect(try Self.household(television).membership() == .ended)
        #expect(try await Self.household(phone).devices().count == 1)
        // The viewer can bring it back.
        _ = try await television.joinHousehold(account: "account-1")
        _ = try await television.authorize("DEMO-1")
    }

    @Test(.row("HH1")) func aMembership_survivesARestart() async throws {
        let (_, first, _) = try await household()
        await first.end()
        let (second, _) = try await television()
        #expect(await second.isLoggedIn)
        _ = try await second.authorize("DEMO-1")
        #expect(count("serviceToken") == 2 && count("renewServiceToken") == 0)
    }

    @Test func devicesOfAnAccount_findEachOther_withoutACode() async throws {
        let phone = try await phone()
        try await phone.joinHousehold(account: "viewer@example.com")
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let (television, _) = try await television()
        let status = try await television.joinHousehold(account: "viewer@example.com")
        guard case .authenticated = status else {
            Issue.record("\(status)")
            return
        }
        let (stranger, _) = try await desk.session(device: "stranger") { $0.storage = MemoryStorage() }
        _ = try await stranger.joinHousehold(account: "viewer@example.co")
        #expect(await !stranger.isLoggedIn)
    }

    @Test func aDeviceThatMoves_doesNotAnswerWithTheLoginOfTheHouseholdBefore() async throws {
        let phone = try await phone()
        try await phone.joinHousehold(account: "account-1")
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let (television, _) = try await television()
        try await television.joinHousehold(account: "account-1")
        #expect(await television.isLoggedIn)
        let status = try await television.joinHousehold(account: "account-2")
        #expect(status == .notAuthenticated(TVEError(.notAuthenticated)))
        guard case .authenticated = try await television.joinHousehold(account: "account-1") else {
            throw TVEError(.notAuthenticated)
        }
    }

    @Test func aDeviceKnowsHowItBecameAMember_evenWithItsNextToken() async throws {
        let (phone, television, _) = try await household()
        #expect(try Self.household(phone).facts().origin == .thisDevice)
        let before = try Self.household(television).facts()
        #expect(before.origin == .code && before.membership == .member)
        desk.clock.advance(by: 3_400)
        _ = try await Self.household(phone).devices()
        _ = try await Self.household(television).devices()
        #expect(count("renewServiceToken") == 2)
        #expect(try Self.household(phone).facts().origin == .thisDevice)
        let after = try Self.household(television).facts()
        #expect(after.origin == .code && after.tokenExpires != before.tokenExpires)
        try await Self.household(television).join(account: "account-1")
        #expect(try Self.household(television).facts().origin == .account)
        try await Self.household(television).leave()
        #expect(try Self.household(television).facts() == HouseholdFacts(membership: .none))
    }

    /// Another process leaves the household while the facts are read.
    @Test func theFacts_areThoseOfOneMoment() async throws {
        let (_, television, _) = try await household()
        let storage = StorageLeftWhileRead(next: televisionStorage)
        let (other, _) = try await desk.session(device: "television", started: false) { $0.storage = storage }
        storage.isLeft.withLock { $0 = false }
        let facts = try Self.household(other).facts()
        #expect(facts.membership == .member && facts.origin == .code && facts.tokenExpires != nil)
        #expect(try Self.household(television).membership() == .none)
        #expect(try Self.household(other).facts() == HouseholdFacts(membership: .none))
    }

    /// The phone would otherwise show a code of one household and be in the other.
    @Test func twoCreationsAtOnce_areOneHousehold() async throws {
        let household = try Self.household(try await phone())
        let gate = hold("/serviceToken")
        async let first: Void = household.create()
        await gate.arrival()
        let second = Task { try await household.create() }
        while household.creation.callers < 2, !Task.isCancelled { await Task.shortPause() }
        gate.open()
        try await first
        try await second.value
        #expect(count("serviceToken") == 1)
    }

    @Test func aCreation_leavesAMemberInItsHousehold() async throws {
        let (phone, television, _) = try await household()
        for session in [phone, television] { try await Self.household(session).create() }
        #expect(count("serviceToken") == 2 && count("unlink") == 0)
        #expect(try Self.household(television).facts().origin == .code)
    }

    @Test func aCreation_leavesTheHouseholdThatAnotherProcessHasMade() async throws {
        let phone = try await phone()
        let (television, _) = try await television()
        let (other, _) = try await self.television()
        let gate = hold("/serviceToken")
        let late = Task { try await Self.household(television).create() }
        await gate.arrival()
        desk.transport.setScript { _, _ in nil }
        try await Self.household(other).create()
        let code = try await Self.household(other).linkCode()
        gate.open()
        try await late.value
        #expect(await soon { count("unlink") == 1 }, "The household that it has made keeps the device.")
        try await Self.household(phone).join(code: code)
        #expect(try await Self.household(television).devices().count == 2)
    }

    // MARK: - The token's end

    @Test(.row("HH1")) func aToken_isRenewedBeforeItsEnd_onceForManyCallers() async throws {
        let (_, television, _) = try await household()
        desk.clock.advance(by: 3_400)
        try await withThrowingTaskGroup { group in
            for resource in ["DEMO-1", "DEMO-2", "DEMO-3"] {
                group.addTask { _ = try? await television.authorize(Resource(resource)) }
            }
            try await group.waitForAll()
        }
        #expect(count("renewServiceToken") == 1)
        desk.clock.advance(by: 60)
        _ = try await television.authorize("DEMO-1")
        #expect(count("renewServiceToken") == 1)
    }

    /// Such a token ends sooner than five minutes from now, at which others are renewed.
    @Test(.row("HH1")) func aTokenThatLastsMinutesAlone_isNotRenewedForEachRequest() async throws {
        var world = SandboxWorld.demo
        world.behavior.households.tokenLifetime = 200
        let desk = try await FlowFixture(.restV2, world: world)
        func renewals() -> Int { desk.sandbox.exchanges.count { $0.facts.step == "renewServiceToken" } }
        let (session, _) = try await desk.session()
        try await Self.household(session).create()
        try await session.authenticate(using: ViewerWhoLogsIn())
        for resource in ["DEMO-1", "DEMO-2"] { _ = try await session.authorize(Resource(resource)) }
        _ = try await Self.household(session).devices()
        #expect(renewals() == 0)
        desk.clock.advance(by: 120)
        _ = try await session.authorize("DEMO-1")
        #expect(renewals() == 1)
        _ = try await session.authorize("DEMO-2")
        #expect(renewals() == 1)
    }

    @Test func aNewTokenThatTheServiceRefuses_isReplacedOnce() async throws {
        let (phone, _, _) = try await household()
        desk.clock.advance(by: 3_400)
        let isFirst = Guarded(true)
        let error = #"{"status":401,"code":"token_invalid","message":"m","action":"get_new_token"}"#
        desk.transport.setScript { request, _ in
            guard request.path?.hasSuffix("/list") == true, isFirst.taken() else { return nil }
            return .response(status: 401, body: "{\"status\":\"UNAUTHORIZED\",\"error\":\(error)}")
        }
        #expect(try await Self.household(phone).devices().count == 2)
        #expect(count("renewServiceToken") == 2)
    }

    @Test(.row("HH3")) func aTokenThatHasEnded_isRenewed_andTheLoginStays() async throws {
        let (_, television, _) = try await household()
        desk.clock.advance(by: 7_200)
        _ = try await television.authorize("DEMO-1")
        #expect(count("renewServiceToken") == 1)
        #expect(await television.isLoggedIn)
    }

    /// A television that was off for days cannot prove its login, which is no decision about it.
    @Test(.row("HH4")) func aTokenThatEndedLongAgo_endsNoLogin() async throws {
        let (phone, television, log) = try await household()
        await television.end()
        desk.clock.advance(by: 5 * 86_400)
        let (later, laterLog) = try await self.television()
        #expect(await later.isLoggedIn)
        let error = await #expect(throws: TVEError(.authorizationFailed)) { try await later.authorize("DEMO-1") }
        #expect(error?.underlying as? ServiceError == .loginNotProven)
        #expect(try Self.household(later).membership() == .ended)
        #expect(!log.take().contains("not: notAuthenticated") && !laterLog.take().contains("not: notAuthenticated"))
        #expect(!hasLoggedOutAtService())
        _ = try await phone.authorize("DEMO-1")
        // Neither is it asked again and again.
        let asked = count("renewServiceToken")
        await #expect(throws: TVEError.self) { try await later.authorize("DEMO-2") }
        #expect(count("renewServiceToken") == asked)
        _ = try await later.joinHousehold(code: try await Self.household(phone).linkCode())
        _ = try await later.authorize("DEMO-1")
    }

    @Test(.row("HH3")) func aDeviceOfAnAccount_obtainsANewToken_whenTheOldOneEndedLongAgo() async throws {
        let phone = try await phone()
        try await phone.joinHousehold(account: "account-1")
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let (television, _) = try await television()
        _ = try await television.joinHousehold(account: "account-1")
        desk.clock.advance(by: 5 * 86_400)
        _ = try await television.authorize("DEMO-1")
        #expect(count("serviceToken") == 3)
    }

    @Test(.row("HH4"), arguments: ["unreachable", "500", "portal"])
    func aServiceThatDoesNotAnswer_endsNoLogin_andPlaysGoOnWhileTheTokenLasts(outage: String) async throws {
        let (_, television, log) = try await household()
        desk.transport.setScript { request, _ in
            guard request.path?.hasSuffix("/serviceToken") == true else { return nil }
            return switch outage {
            case "unreachable": .failure(.unreachable)
            case "500": .response(status: 500, body: "")
            default: .response(status: 200, body: "<html>Welcome to the hotel</html>")
            }
        }
        // Before its end.
        desk.clock.advance(by: 3_400)
        _ = try await television.authorize("DEMO-1")
        _ = try await television.authorize("DEMO-2")
        #expect(desk.transport.requests.count { $0.contains("/serviceToken") && $0.hasPrefix("GET") } == 1)
        // After the token has expired, the login can no longer be proven.
        desk.clock.advance(by: 600)
        let error = await #expect(throws: TVEError(.authorizationFailed)) { try await television.authorize("DEMO-1") }
        #expect(error?.recovery == .retry)
        #expect(!log.take().contains("not: notAuthenticated"))
        #expect(try Self.household(television).membership() == .member)
        desk.transport.setScript { _, _ in nil }
        desk.clock.advance(by: 61)
        _ = try await television.authorize("DEMO-1")
    }

    @Test(.row("HH4")) func aRequest_doesNotWaitLong_forAServiceThatNeverAnswers() async throws {
        let (_, television, _) = try await household()
        let silence = Gate()
        let hasEnded = Guarded(false)
        desk.transport.setInterception { request, _ in
            guard request.path?.hasSuffix("/serviceToken") == true else { return nil }
            // Ends when the task is cancelled.
            await silence.pass()
            hasEnded.withLock { $0 = true }
            return .failure(.cancelled)
        }
        desk.clock.advance(by: 3_400)
        async let play = television.authorize("DEMO-1")
        // A request that is not under way yet would not be sent at all once the session has ended.
        await silence.arrival()
        await desk.clock.advanceOnceSomethingSleeps(by: 5)
        _ = try await play
        #expect(hasEnded.withLock(\.self) == false)
        await television.end()
        #expect(await soon { hasEnded.withLock { $0 } })
    }

    /// Each renewal would take as long, so this one goes on while nobody waits for it.
    @Test(.row("HH4")) func aServiceThatAnswersLate_isHeard() async throws {
        let (_, television, _) = try await household()
        let household = try Self.household(television)
        let before = try household.facts().tokenExpires
        let gate = hold("/serviceToken")
        desk.clock.advance(by: 3_400)
        async let play = television.authorize("DEMO-1")
        await gate.arrival()
        await desk.clock.advanceOnceSomethingSleeps(by: 5)
        _ = try await play
        // Neither does the next play wait.
        _ = try await television.authorize("DEMO-2")
        gate.open()
        #expect(await soon { (try? household.facts().tokenExpires) != before })
        _ = try await television.authorize("DEMO-1")
        #expect(count("renewServiceToken") == 1)
    }

    // MARK: - Storage and misuse

    @Test func whatCannotBeStored_isNoMembership() async throws {
        let storage = FailingStorage()
        let (session, _) = try await desk.session(device: "television") { $0.storage = storage }
        storage.fail(.writing)
        await #expect(throws: TVEError(.storageFailed)) { try await Self.household(session).create() }
        #expect(try Self.household(session).membership() == .none)
    }

    /// Most devices have no household, and neither a start nor a play reads the store for it again.
    @Test func aDeviceInNoHousehold_looksForOneOnceAStart() async throws {
        let storage = CountingStorage()
        let (session, _) = try await desk.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        await session.refreshTask?.value
        #expect(storage.readings == 1)
        try await session.start()
        // Of two requests at once, both may read the store. The refresh after the start is one of them.
        await session.refreshTask?.value
        _ = try await session.authorize("DEMO-2")
        #expect(storage.readings == 2)
    }

    /// The disk is full when the first token ends, and has room again when the second one does.
    @Test(.row("HH1")) func aTokenThatCannotBeStored_isUsed_andTheNextOneIsStored() async throws {
        let storage = FailingStorage()
        let (session, _) = try await desk.session(device: "television") { $0.storage = storage }
        let household = try Self.household(session)
        try await household.create()
        let first = try household.facts().tokenExpires
        storage.fail(.writing)
        desk.clock.advance(by: 3_400)
        for _ in 0..<2 { _ = try await household.devices() }
        #expect(count("renewServiceToken") == 1)
        let second = try #require(try household.facts().tokenExpires)
        #expect(second != first)
        storage.fail(nil)
        desk.clock.advance(by: 3_400)
        for _ in 0..<2 { _ = try await household.devices() }
        #expect(count("renewServiceToken") == 2)
        let (next, _) = try await desk.session(device: "television") { $0.storage = storage }
        let stored = try #require(try Self.household(next).facts().tokenExpires)
        #expect(stored > second)
    }

    @Test(.row("HH4")) func aDamagedMembership_isNone_andTheStoreGoesOn() async throws {
        let (_, television, _) = try await household()
        await television.end()
        let key = try #require(televisionStorage.keys(under: StorageKey("household")).first)
        televisionStorage.apply([.put(key, Data("{}".utf8))])
        let (next, _) = try await self.television()
        #expect(try Self.household(next).membership() == .none)
        let error = await #expect(throws: TVEError.self) { try await next.authorize("DEMO-1") }
        #expect(error?.underlying as? ServiceError == .loginNotProven)
    }

    @Test func aClosedSession_changesNothing() async throws {
        let (phone, television, _) = try await household()
        let household = try Self.household(television)
        let code = try await Self.household(phone).linkCode()
        await television.end()
        let before = desk.sandbox.exchanges.count
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await household.join(code: code) }
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await household.leave() }
        await #expect(throws: TVEError(.requestorNotConfigured)) { _ = try await household.devices() }
        #expect(try household.membership() == .member)
        #expect(desk.sandbox.exchanges.count == before)
    }

    @Test func aDeviceInNoHousehold_isToldSo() async throws {
        let household = try Self.household(try await phone())
        await #expect(throws: TVEError(.notInHousehold)) { _ = try await household.linkCode() }
        try await household.leave()
        let typed = try #require(LinkCode(typed: "NOSUCH"))
        let error = await #expect(throws: TVEError(.linkCodeInvalid)) { try await household.join(code: typed) }
        #expect(error?.message?.isEmpty == false)
        await #expect(throws: TVEError(.notInHousehold)) { _ = try await household.devices() }
        try await household.leave()
    }

    @Test func theClassicServices_haveNoHouseholds() async throws {
        let desk = try await FlowFixture(.classic)
        let (session, _) = try await desk.session()
        #expect(session.household == nil)
        await #expect(throws: TVEError(.householdNotOffered)) { _ = try await session.joinHousehold(account: "a") }
    }

    @Test(.row("HH12")) func secrets_standInNoLog() async throws {
        let (phone, _, log) = try await household()
        let code = try await Self.household(phone).linkCode()
        var text = ""
        dump(code, to: &text)
        dump(try Self.household(phone), to: &text)
        print(log.take(), to: &text)
        #expect(!text.contains(code.text) && !text.contains("eyJ"))
    }
}

/// A store in memory that counts the readings of memberships.
private final class CountingStorage: StorageBackend {
    private let memory = MemoryStorage()
    private let count = Guarded(0)

    var readings: Int { count.withLock(\.self) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try memory.update(body)
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? {
        if key.isInside(StorageKey("household")) { count.withLock { $0 += 1 } }
        return memory.value(for: key)
    }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { memory.keys(under: ancestor) }
}

/// A storage whose membership another process removes as soon as it has been read.
private final class StorageLeftWhileRead: StorageBackend {
    let next: MemoryStorage
    /// A Boolean value that indicates whether the membership stays from now on.
    let isLeft = Guarded(true)

    init(next: MemoryStorage) {
        self.next = next
    }

    func value(for key: StorageKey) -> Data? {
        let value = next.value(for: key)
        let households = StorageKey("household")
        if key.isInside(households), value != nil, !isLeft.withLock(\.self) {
            isLeft.withLock { $0 = true }
            next.apply([.removeAll(under: households)])
        }
        return value
    }

    func keys(under ancestor: StorageKey) -> [StorageKey] { next.keys(under: ancestor) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try next.update(body)
    }
}
