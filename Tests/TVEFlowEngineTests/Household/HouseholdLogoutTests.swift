import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// The ways in which a device of a household logs out or leaves it.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct HouseholdLogoutTests: HouseholdSuite {
    let desk: FlowFixture
    let televisionStorage = MemoryStorage()

    init() async throws {
        desk = try await FlowFixture(.restV2)
    }

    // MARK: - Logouts

    @Test(.row("HH6")) func aLogoutOfOneDevice_leavesTheHouseholdLoggedIn() async throws {
        let (phone, television, _) = try await household()
        try await television.logout()
        #expect(await !television.isLoggedIn)
        #expect(try Self.household(television).membership() == .none)
        try await television.start()
        #expect(await !television.isLoggedIn, "it finds the login no more")
        _ = try await phone.authorize("DEMO-1")
        #expect(try await Self.household(phone).devices().count == 1)
    }

    @Test(.row("HH6")) func aLogoutOfThePhone_thatHasLoggedIn_leavesTheTelevisionLoggedIn() async throws {
        let (phone, television, _) = try await household()
        try await phone.logout()
        #expect(await !phone.isLoggedIn)
        desk.clock.advance(by: 60)
        _ = try await television.authorize("DEMO-1")
        try await phone.start()
        #expect(await !phone.isLoggedIn)
    }

    /// The household has the login that the phone made as a member, and would give it back.
    @Test(.row("HH6")) func aLogoutOfTheProvider_onThePhoneThatHasLoggedIn_lasts() async throws {
        let (phone, television, _) = try await household()
        try await phone.logout(of: "demo-cable")
        #expect(try Self.household(phone).membership() == .none)
        #expect(await !desk.isLoggedInAfterAll(phone))
        try await phone.start()
        #expect(await !phone.isLoggedIn)
        _ = try await television.authorize("DEMO-1")
    }

    /// The copy of the login is lost, and the household would give the login back.
    @Test func aLogoutOfTheProvider_withoutACopyOfItsLogin_lasts() async throws {
        let (_, television, _) = try await household()
        for key in televisionStorage.keys(under: StorageKey("requestor")) where key.rawValue.hasSuffix("/authn") {
            televisionStorage.apply([.remove(key)])
        }
        try await television.logout(of: "demo-cable")
        #expect(try Self.household(television).membership() == .none)
        try await television.start()
        #expect(await !television.isLoggedIn)
    }

    /// A membership that has ended brings no login back, and a login of the household with another provider stays.
    @Test(.row("HH6")) func aLogoutOfALoginOfItsOwn_leavesAMembershipThatHasEnded() async throws {
        let (phone, television, _) = try await household()
        _ = try await Self.household(phone).unlink([try Self.household(television).deviceID])
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.authorize("DEMO-1") }
        try await television.authenticate(using: ViewerWhoLogsIn())
        #expect(await television.profile?.kind == .regular)
        try await television.logout(of: "demo-cable")
        #expect(try Self.household(television).membership() == .unlinked)
    }

    /// The viewer wants nothing of this device to stay.
    @Test(.row("HH6")) func aLogout_leavesAMembershipThatHasEnded() async throws {
        let (phone, television, _) = try await household()
        _ = try await Self.household(phone).unlink([try Self.household(television).deviceID])
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.authorize("DEMO-1") }
        try await television.authenticate(using: ViewerWhoLogsIn())
        #expect(try Self.household(television).membership() == .unlinked)
        try await television.logout()
        #expect(try Self.household(television).membership() == .none)
    }

    /// The login is that of the household, whose membership cannot bring it back.
    @Test(.row("HH6")) func aLogoutOfALoginOfTheHousehold_leavesAMembershipThatHasEnded() async throws {
        let phone = try await phone()
        let (television, _) = try await television()
        for session in [phone, television] { try await Self.household(session).join(account: "account-1") }
        try await phone.authenticate(using: ViewerWhoLogsIn())
        try await television.start()
        #expect(await television.profile?.kind == .serviceToken)
        _ = try await Self.household(phone).unlink([try Self.household(television).deviceID])
        desk.clock.advance(by: 7_200)
        await #expect(throws: TVEError(.authorizationFailed)) { try await television.authorize("DEMO-1") }
        #expect(try Self.household(television).membership() == .ended)
        try await television.logout(of: "demo-cable")
        #expect(try Self.household(television).membership() == .none)
        #expect(await !television.isLoggedIn)
    }

    /// The other process knows its membership, and its next request would return the login of the household.
    @Test(.row("HH6")) func aLogoutInOneProcess_endsTheMembershipInTheOther() async throws {
        let (_, television, _) = try await household()
        let (other, _) = try await self.television()
        // Nobody hears of the logout, so that only the store knows.
        desk.transport.setScript { request, _ in
            request.path?.contains("/unlink") == true || request.path?.contains("/logout/") == true
                ? .failure(.unreachable) : nil
        }
        try await other.logout()
        desk.transport.setScript { request, _ in
            request.path?.contains("/unlink") == true ? .failure(.unreachable) : nil
        }
        #expect(try Self.household(television).membership() == .none)
        #expect(await !desk.isLoggedInAfterAll(television))
    }

    @Test func aHouseholdThatOneProcessJoins_isThatOfTheOther() async throws {
        let phone = try await phone()
        try await phone.joinHousehold(account: "account-1")
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let (television, _) = try await television()
        let (other, _) = try await self.television()
        #expect(await !television.isLoggedIn)
        #expect(try Self.household(television).membership() == .none)
        try await other.joinHousehold(account: "account-1")
        #expect(try Self.household(television).membership() == .member)
        _ = try await Self.household(television).linkCode()
        try await television.start()
        _ = try await television.authorize("DEMO-1")
        #expect(count("renewServiceToken") == 0, "the token of the other process is a good one")
    }

    /// A member would receive the login of the household again at the next start of that requestor.
    @Test(.row("HH6", "LO10"), arguments: [false, true])
    func aLogoutOfAnotherRequestor_leavesTheHouseholdToo(isOfWholeHousehold: Bool) async throws {
        let (_, television, _) = try await household()
        await television.end()
        let (other, _) = try await self.television(of: "DEMO2")
        if isOfWholeHousehold {
            try await Self.household(other).create()
            try await other.authenticate(using: ViewerWhoLogsIn())
            try await other.logoutHousehold()
            #expect(try Self.household(other).membership() == .member)
        } else {
            try await other.logout()
        }
        let (again, _) = try await self.television()
        #expect(try Self.household(again).membership() == .none)
        #expect(await !again.isLoggedIn)
    }

    @Test(.row("HH7")) func aLogoutOfTheHousehold_logsEveryDeviceOut_andTheyStayLinked() async throws {
        let (phone, television, log) = try await household()
        try await television.logoutHousehold()
        #expect(await !television.isLoggedIn)
        await #expect(throws: TVEError(.notAuthenticated)) { try await phone.authorize("DEMO-1") }
        #expect(try Self.household(phone).membership() == .member)
        #expect(try Self.household(television).membership() == .member)
        _ = log.take()
        // The next login is valid for both devices again.
        try await phone.authenticate(using: ViewerWhoLogsIn())
        try await television.start()
        #expect(await television.isLoggedIn)
    }

    @Test(.row("HH7")) func aLogoutOfTheHousehold_withoutTheService_logsThisDeviceOut() async throws {
        let (phone, television, _) = try await household()
        desk.answer("/logout/", .failure(.unreachable))
        let error = await #expect(throws: TVEError.self) { try await television.logoutHousehold() }
        #expect(error?.code == .serviceUnreachable)
        #expect(error?.recovery == TVEError.Recovery.none, "A second call would find no household.")
        #expect(await !television.isLoggedIn)
        #expect(try Self.household(television).membership() == .none)
        // The service hears of it later, as of a logout of this device.
        desk.transport.setScript { _, _ in nil }
        _ = try await television.joinHousehold(code: try await Self.household(phone).linkCode())
        #expect(await television.isLoggedIn)
        _ = try await phone.authorize("DEMO-1")
    }

    /// An answer that does not come from the service says nothing about the other devices.
    @Test(.row("HH7"), arguments: ["<html>", "{\"x\":1", "[]", ""])
    func anAnswerThatCannotBeRead_isNoLogoutOfTheHousehold(body: String) async throws {
        let (phone, television, _) = try await household()
        desk.answer("/logout/", .response(status: 200, body: body))
        await #expect(throws: TVEError(.serviceUnreachable)) { try await television.logoutHousehold() }
        #expect(try Self.household(television).membership() == .none)
        _ = try await phone.authorize("DEMO-1")
    }

    /// The household would give the login that is left to every device.
    @Test(.row("HH7"), arguments: [true, false])
    func aLogoutOfTheHousehold_thatEndsOneOfTwoLogins_fails(isAnswered: Bool) async throws {
        let phone = try await phone()
        try await Self.household(phone).create()
        try await phone.authenticate(using: ViewerWhoLogsIn())
        try await phone.selectProvider("demo-fiber")
        try await phone.authenticate(using: ViewerWhoLogsIn(choice: nil))
        let gate = hold("/logout/demo-cable")
        if isAnswered { desk.answer("/logout/demo-cable", .response(status: 500, body: "")) }
        let logout = Task { try await phone.logoutHousehold() }
        if !isAnswered {
            await gate.arrival()
            desk.clock.advance(by: 60)
        }
        await #expect(throws: TVEError(.serviceUnreachable)) { try await logout.value }
        #expect(hasLoggedOutAtService(), "the other login has ended")
        #expect(try Self.household(phone).membership() == .none)
        gate.open()
        desk.transport.setScript { _, _ in nil }
        try await phone.start()
        #expect(await !phone.isLoggedIn)
    }

    /// A logout without the household's token would end the login of this device alone.
    @Test(.row("HH7")) func aLogoutOfTheHousehold_withoutItsToken_fails() async throws {
        let (phone, television, _) = try await household()
        desk.clock.advance(by: 4_000)
        desk.fail("/serviceToken")
        await #expect(throws: TVEError(.serviceUnreachable)) { try await television.logoutHousehold() }
        #expect(await !television.isLoggedIn)
        desk.transport.setScript { _, _ in nil }
        _ = try await phone.authorize("DEMO-1")
    }

    /// Every other request carries the app's token first.
    @Test(.row("HH7")) func aLogoutOfTheHousehold_besideATokenOfTheApp_logsEveryDeviceOut() async throws {
        let (phone, first, _) = try await household()
        await first.end()
        let token = "e30.\(Data("{\"sub\":\"viewer-7\"}".utf8).base64URL).c2ln"
        let (television, _) = try await self.television { $0.serviceToken = { token } }
        try await television.logoutHousehold()
        #expect(try Self.household(television).membership() == .member)
        await #expect(throws: TVEError(.notAuthenticated)) { try await phone.authorize("DEMO-1") }
    }

    @Test(.row("HH7")) func aLogoutOfTheHousehold_inWhichNobodyIsLoggedIn_succeeds() async throws {
        let (phone, television, _) = try await household()
        try await phone.logoutHousehold()
        #expect(await !desk.isLoggedInAfterAll(television))
        try await television.logoutHousehold()
        #expect(try Self.household(television).membership() == .member)
    }

    @Test(.row("HH7")) func aSecondLogoutOfTheHousehold_hasTheAnswerOfTheFirst() async throws {
        let (phone, television, _) = try await household()
        let gate = hold("/logout/")
        async let first: Void = television.logoutHousehold()
        await gate.arrival()
        let second = Task { try await television.logoutHousehold() }
        while try Self.household(television).householdLogouts.callers < 2, !Task.isCancelled {
            await Task.shortPause()
        }
        gate.open()
        try await first
        try await second.value
        #expect(try Self.household(television).membership() == .member)
        await #expect(throws: TVEError(.notAuthenticated)) { try await phone.authorize("DEMO-1") }
    }

    /// The request of another call carries no token of the household, so it settles the logout of this device alone.
    @Test(.row("HH7", "CL27")) func aLogoutOfTheHousehold_thatWaits_isSent_whateverAnotherCallSettles() async throws {
        let (phone, television, _) = try await household()
        let isDue = Guarded(true)
        desk.transport.setInterception { request, _ in
            guard request.path?.contains("/logout/") == true, isDue.taken() else { return nil }
            _ = try? await television.profiles()
            return .response(status: 429, body: "")
        }
        try await television.logoutHousehold()
        #expect(try Self.household(television).membership() == .member)
        await #expect(throws: TVEError(.notAuthenticated)) { try await phone.authorize("DEMO-1") }
    }

    /// A login gives the service some time to answer, because the logout is not repeated as one of the household.
    @Test(.row("HH7")) func aLoginThatBegins_doesNotStopALogoutOfTheHousehold() async throws {
        let (phone, television, _) = try await household()
        let gate = hold("/logout/")
        async let logout: Void = television.logoutHousehold()
        await gate.arrival()
        let login = await television.begun { session in try await session.authenticate(using: ViewerWhoLogsIn()) }
        gate.open()
        try await logout
        _ = try await login.value
        #expect(try Self.household(television).membership() == .member)
        #expect(await desk.isLoggedInAfterAll(phone), "the new login is valid for both")
    }

    // MARK: - Leaving

    @Test(.row("HH5")) func aDeviceThatHasLeft_losesTheLoginOfTheHousehold_withItsNextRequest() async throws {
        let (phone, television, _) = try await household()
        try await Self.household(television).leave()
        #expect(try Self.household(television).membership() == .none)
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.authorize("DEMO-1") }
        #expect(await !television.isLoggedIn)
        _ = try await phone.authorize("DEMO-1")
        // It can come back.
        _ = try await television.joinHousehold(code: try await Self.household(phone).linkCode())
        _ = try await television.authorize("DEMO-1")
    }

    /// The service unlinks no device for a token that has ended, and the token of an account is renewed at any time.
    @Test(.row("HH3"), arguments: [3_700.0, 432_000])
    func aDeviceThatLeaves_whenItsTokenHasEnded_isUnlinked(later: TimeInterval) async throws {
        let phone = try await phone()
        let (television, _) = try await television()
        for session in [phone, television] { try await Self.household(session).join(account: "account-1") }
        desk.clock.advance(by: later)
        try await Self.household(television).leave()
        #expect(try await Self.household(phone).devices().count == 1)
        #expect(try Self.household(television).membership() == .none)
    }

    @Test(.row("HH6")) func aLogoutOfAnotherProvider_leavesNoHousehold() async throws {
        let (_, television, _) = try await household()
        try await television.logout(of: "demo-fiber")
        #expect(try Self.household(television).membership() == .member)
        _ = try await television.authorize("DEMO-1")
        try await television.logout(of: "demo-cable")
        #expect(try Self.household(television).membership() == .none)
        try await television.start()
        #expect(await !television.isLoggedIn)
    }

    /// A later logout, departure or end of the session overrides a join whose answer is still pending.
    @Test(.row("HH6"), arguments: ["logout", "leave", "end"])
    func aDeviceThatJoinsMeanwhile_isNoMember(word: String) async throws {
        let phone = try await phone()
        try await phone.joinHousehold(account: "viewer@example.com")
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let (television, _) = try await television()
        let gate = hold("/serviceToken")
        let join = Task { try await television.joinHousehold(account: "viewer@example.com") }
        await gate.arrival()
        switch word {
        case "logout": try await television.logout()
        case "leave": try await Self.household(television).leave()
        default: await television.end()
        }
        gate.open()
        await #expect(throws: word == "end" ? TVEError(.requestorNotConfigured) : TVEError(.notInHousehold)) {
            try await join.value
        }
        // The service has linked the device, and hears that it does not belong to the household.
        #expect(await soon { (try? await Self.household(phone).devices().count) == 1 })
        let (again, _) = try await self.television()
        #expect(try Self.household(again).membership() == .none)
        #expect(await !again.isLoggedIn)
    }

    /// The departure finds no membership yet, and the store is about to receive one.
    @Test(.row("HH6")) func aDeviceThatLeaves_whileItsMembershipIsBeingStored_isNoMember() async throws {
        let storage = StorageWithADelay()
        let (session, _) = try await desk.session(device: "television") { $0.storage = storage }
        let household = try Self.household(session)
        let gate = hold("/serviceToken")
        let join = Task { try await household.join(account: "account-1") }
        await gate.arrival()
        storage.beforeNextUpdate { _ = try? household.forget() }
        gate.open()
        await #expect(throws: TVEError(.notInHousehold)) { try await join.value }
        #expect(try household.membership() == .none)
        #expect(await soon { count("unlink") == 1 })
    }

    /// A logout of all providers removes every membership a little later, and with it the only token for the notice.
    @Test(.row("HH6")) func aDeviceThatLogsOut_whileItsMembershipIsBeingStored_isUnlinked() async throws {
        let storage = StorageWithADelay()
        let (session, _) = try await desk.session(device: "television") { $0.storage = storage }
        let household = try Self.household(session)
        let gate = hold("/serviceToken")
        let join = Task { try await household.join(account: "account-1") }
        await gate.arrival()
        storage.beforeNextUpdate {
            _ = try? household.forget()
        } after: { memory in
            memory.apply(memory.keys(under: StorageKey("household")).map { .remove($0) })
        }
        gate.open()
        await #expect(throws: TVEError(.notInHousehold)) { try await join.value }
        #expect(try household.membership() == .none)
        #expect(await soon { count("unlink") == 1 })
    }

    /// The viewer has logged out and joined a household again, while the first join was being stored.
    @Test func aDeviceThatJoinsAgain_afterALogoutDuringTheFirstJoin_isAMember() async throws {
        let storage = StorageWithADelay()
        let (session, _) = try await desk.session(device: "television") { $0.storage = storage }
        let household = try Self.household(session)
        try await household.join(account: "account-2")
        let key = try #require(try storage.keys(under: StorageKey("household")).first)
        let second = try #require(try storage.value(for: key))
        try await household.leave()
        let gate = hold("/serviceToken")
        let join = Task { try await household.join(account: "account-1") }
        await gate.arrival()
        storage.beforeNextUpdate {
            _ = try? household.forget()
        } after: { memory in
            memory.apply([.put(key, second)])
        }
        gate.open()
        await #expect(throws: TVEError(.notInHousehold)) { try await join.value }
        #expect(try household.membership() == .member)
    }

    /// Another process moves the device to a household right before this one moves it on, or leaves.
    @Test(arguments: [true, false])
    func aDevice_isUnlinkedFromTheHousehold_thatAnotherProcessHasJoinedMeanwhile(joins: Bool) async throws {
        let phone = try await phone()
        try await Self.household(phone).join(account: "account-2")
        let storage = StorageWithADelay()
        let (session, _) = try await desk.session(device: "television") { $0.storage = storage }
        let household = try Self.household(session)
        try await household.join(account: "account-1")
        let (other, _) = try await television()
        try await Self.household(other).join(account: "account-2")
        #expect(try await Self.household(phone).devices().count == 2)
        let key = try #require(televisionStorage.keys(under: StorageKey("household")).first)
        let joined = try #require(televisionStorage.value(for: key))
        storage.beforeNextUpdate { try? storage.apply([.put(key, joined)]) }
        if joins { try await household.join(account: "account-3") } else { try await household.leave() }
        #expect(await soon { (try? await Self.household(phone).devices().count) == 1 })
    }

    /// The service hears late that the device has left, and must not take the new membership for the old one.
    @Test func aDeviceThatLeavesAndJoinsAtOnce_isAMember() async throws {
        let (phone, television, _) = try await household()
        let code = try await Self.household(phone).linkCode()
        desk.transport.setInterception { request, _ in
            // Later than the code that is typed right away.
            if request.path?.hasSuffix("/unlink") == true { for _ in 0..<20 { await Task.shortPause() } }
            return nil
        }
        try await television.logout()
        guard case .authenticated = try await television.joinHousehold(code: code) else {
            throw TVEError(.notAuthenticated)
        }
        _ = try await television.authorize("DEMO-1")
        #expect(try await Self.household(television).devices().count == 2)
    }

    @Test func aDeviceThatMoves_isUnlinkedFromTheHouseholdBefore() async throws {
        let (phone, television, _) = try await household()
        try await Self.household(television).join(account: "account-2")
        #expect(await soon { count("unlink") == 1 })
        #expect(count("renewServiceToken") == 0, "The token of the notice is still good.")
        #expect(try await Self.household(phone).devices().count == 1)
        #expect(try await Self.household(television).devices().count == 1)
    }

    /// The notice that a device has left its household would end its new membership as well.
    @Test(arguments: [true, false])
    func aDeviceThatJoinsItsHouseholdAgain_staysInIt(isByCode: Bool) async throws {
        let phone = try await phone()
        let (television, _) = try await television()
        for session in [phone, television] { try await Self.household(session).join(account: "account-1") }
        if isByCode {
            try await Self.household(television).join(code: try await Self.household(phone).linkCode())
        } else {
            try await Self.household(television).join(account: "account-1")
        }
        #expect(try await Self.household(television).devices().count == 2)
        #expect(count("unlink") == 0)
    }

    /// The answer of the request comes too late for the session, and a notice would end the membership that it has.
    @Test func aMemberThatJoinsItsHouseholdAgain_staysInIt_whenTheSessionEndsMeanwhile() async throws {
        let phone = try await phone()
        let (television, _) = try await television()
        for session in [phone, television] { try await Self.household(session).join(account: "account-1") }
        let gate = hold("/serviceToken")
        let join = Task { try await television.joinHousehold(account: "account-1") }
        await gate.arrival()
        await television.end()
        gate.open()
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await join.value }
        let (again, _) = try await self.television()
        let household = try Self.household(again)
        #expect(try await household.devices().count == 2)
        // A notice of the closed session would have been sent before this one.
        try await household.leave()
        #expect(count("unlink") == 1)
    }

    @Test(.row("HH6")) func aForcedLogin_endsNoLoginOfTheHousehold() async throws {
        let (phone, television, _) = try await household()
        try await television.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        #expect(await television.profile?.kind == .regular)
        _ = try await phone.authorize("DEMO-1")
    }
}

/// A store in memory in which something else happens before and after a change, as if another process had kept it
/// locked.
private final class StorageWithADelay: StorageBackend {
    private let memory = MemoryStorage()
    private let event = Guarded<(before: @Sendable () -> Void, after: @Sendable (MemoryStorage) -> Void)?>(nil)

    func beforeNextUpdate(
        _ before: @escaping @Sendable () -> Void, after: @escaping @Sendable (MemoryStorage) -> Void = { _ in }
    ) {
        event.withLock { $0 = (before, after) }
    }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let due = event.withLock { event in
            defer { event = nil }
            return event
        }
        due?.before()
        try memory.update(body)
        due?.after(memory)
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { memory.value(for: key) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { memory.keys(under: ancestor) }
}
