import HTTPTypes
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

@Suite(.fewAtATime)
struct FailingStorageTests {
    @Test(.row("500"), arguments: ServiceDialect.allCases)
    func loseNothing_andSayWhy_whenTheStorageFails(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = FailingStorage()
        let (session, log) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        let kept = Set(storage.memory.keys(under: .everything).map(\.rawValue))
        let failed = TVEError(.storageFailed)

        for fault in FailingStorage.Fault.allCases {
            storage.fail(fault)
            _ = log.take()
            if fault == .reading {
                #expect(await session.authenticationStatus() == .unknown(failed))
                await #expect(throws: failed) { try await session.preauthorize(["DEMO-1"]) }
                await #expect(throws: failed) { try await session.metadata(.user("zip")) }
                await #expect(throws: failed) { try await session.selectedProvider() }
                await #expect(throws: failed) { try await session.authorize("DEMO-2") }
            }
            await #expect(throws: failed) { try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true) }
            await #expect(throws: failed) { try await session.selectProvider("demo-fiber") }
            await #expect(throws: failed) { try await session.logout() }
            #expect(log.take().contains("500"))
        }
        storage.fail(nil)
        #expect(Set(storage.memory.keys(under: .everything).map(\.rawValue)) == kept)
        #expect(await session.isLoggedIn, "The login is gone.")
        _ = try await session.authorize("DEMO-1")
    }

    /// The login waits until the question about the copy has ended, and shows its page after the choice was refused.
    @Test(.row("500", "SP8")) func aChoiceThatCannotBeStored_isNoAnswerToARunningLogin() async throws {
        let fixture = try await FlowFixture(.restV2)
        let storage = FailingStorage()
        let (session, log) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            // In a task of its own, so that nothing ends it but the test.
            if fixture.isAt(.outcome, request), isFirst.taken() { await Task { await answer.pass() }.value }
            return nil
        }
        fixture.clock.advance(by: 60)
        _ = await session.authenticationStatus()
        await answer.arrival()
        _ = log.take()
        let login = Task { try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true) }
        #expect(await soon { await session.hasRunningLogin })
        storage.fail(.writing)
        await #expect(throws: TVEError(.storageFailed)) { try await session.selectProvider("demo-fiber") }
        #expect(log.take() == ["500"])
        storage.fail(nil)
        answer.open()
        _ = try await login.value
        #expect(log.count(of: "authenticated") == 1)
    }

    /// The viewer has just logged in, which is worth some waiting, unless the wait cannot help or has ended.
    @Test(
        arguments: ServiceDialect.both(
            [(.locked, false, 100), (.locked, true, 1), (.writing, false, 0)]
                as [(FailingStorage.Fault, Bool, Int)]))
    func aLogin_waitsFiveSeconds_forAStoreThatStaysLocked(
        dialect: ServiceDialect, fault: FailingStorage.Fault, isCancelled: Bool, count: Int
    ) async throws {
        let fixture = try await FlowFixture(dialect)
        let (storage, waits) = (FailingStorage(), Guarded<[Duration]>([]))
        let clock = fixture.clock.sessionClock
        let (session, _) = try await fixture.session {
            $0.storage = storage
            $0.clock.sleep = { duration in
                waits.withLock { $0.append(duration) }
                if isCancelled, duration == .milliseconds(50) { throw CancellationError() }
                try await clock.sleep(duration)
            }
        }
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.outcome, request) { storage.fail(fault) }
            return nil
        }
        await #expect(throws: TVEError(.storageFailed)) { try await session.authenticate(using: ViewerWhoLogsIn()) }
        #expect(waits.withLock { waits in waits.count { $0 == .milliseconds(50) } } == count)
    }

    /// The classic services keep no login that would have to end first, so the login reads nothing before they answer.
    @Test func aLoginOfThePlatform_readsNothing_beforeAClassicServiceHasAnswered() async throws {
        let fixture = try await FlowFixture(.classic, world: .withPlatform())
        let storage = FailingStorage()
        let (session, _) = try await fixture.session {
            $0.storage = storage
            $0.platform = PlatformThatOutlastsTheStore(storage: storage)
        }
        // The store can be read again as soon as a service is asked.
        fixture.transport.setScript { _, _ in
            storage.fail(nil)
            return nil
        }
        let viewer = ViewerWhoLogsIn()
        #expect(try await session.authenticate(using: viewer).kind == .apple)
        #expect(!viewer.shown.contains { $0.hasPrefix("picker") })
    }

    /// The service would keep a registration that the device has lost.
    @Test func noApplicationRegisters_whenNothingCanBeStored() async throws {
        let fixture = try await FlowFixture(.restV2)
        let storage = FailingStorage()
        storage.fail(.writing)
        let (session, _) = try await fixture.session(started: false) { $0.storage = storage }
        func registrations() -> Int { fixture.transport.requests.count { $0.contains("/o/client/register") } }
        _ = try? await session.start()
        _ = try? await session.authenticate(using: ViewerWhoLogsIn())
        #expect(registrations() == 0)
        storage.fail(nil)
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(registrations() == 1)
    }

    /// The viewer logs out in another process, while the question is on its way and the store is locked.
    @Test(arguments: ServiceDialect.allCases)
    func decisionsOfAViewerWhoHasLoggedOut_areNotReturned(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = FailingStorage()
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (other, _) = try await fixture.session { $0.storage = storage }
        let question = Guarded(true)
        fixture.transport.setInterception { request, _ in
            guard (request.path ?? "").contains("preauthorize"),
                question.withLock({ isFirst in
                    defer { isFirst = false }; return isFirst
                })
            else { return nil }
            try? await other.logout()
            storage.fail(.locked)
            return nil
        }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.preauthorize(["DEMO-1"]) }
    }

    /// Nothing is known of a logout in another process then, and the service has permitted the resources.
    @Test(.row("AZ21"), arguments: ServiceDialect.allCases, [FailingStorage.Fault.reading, .locked])
    func anAnswerOfTheService_counts_ifTheStoreFailsMeanwhile(
        dialect: ServiceDialect, fault: FailingStorage.Fault
    ) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = FailingStorage()
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("authorize") == true { storage.fail(fault) }
            return nil
        }
        #expect(try await session.authorize("DEMO-1").claims.resource == "DEMO-1")
        storage.fail(nil)
        #expect(try await session.preauthorize(["DEMO-1", "DEMO-2"]).map(\.isAuthorized) == [true, true])
    }

    /// An app can give its own services and store to a session.
    @Test func waitsOnlyBrieflyForItsStore_howeverTheSessionIsMade() async throws {
        let fixture = try await FlowFixture(.restV2)
        let storage = FailingStorage()
        let (made, _) = try await fixture.session { $0.storage = storage }
        let (parts, store) = (made.parts, made.parts.store)
        let session = EntitlementSession(
            requestorID: "DEMO", services: parts.services,
            store: EntitlementStore(backend: storage, reader: store.reader, fingerprint: store.fingerprint),
            device: parts.device, clock: parts.clock)
        storage.fail(.locked)
        await #expect(throws: TVEError(.storageFailed)) { try await session.logout() }
        #expect(storage.longestWait == EntitlementSession.longestWaitForStore)
    }

    /// Permission and access token are copies of what the service has said: without them it is asked again.
    @Test(.row("AZ21"), arguments: ServiceDialect.allCases)
    func aFullDisk_stopsNoPlay(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = FailingStorage()
        let (session, log) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let kept = Set(storage.memory.keys(under: .everything).map(\.rawValue))

        storage.fail(.writing)
        _ = log.take()
        for resource: Resource in ["DEMO-1", "DEMO-1", "DEMO-2"] { _ = try await session.authorize(resource) }
        #expect(!log.take().contains("500"))
        let (next, _) = try await fixture.session { $0.storage = storage }
        _ = try await next.authorize("DEMO-1")
        // Until its end, the new access token is used by all that follow.
        fixture.clock.advance(by: 90_000)
        _ = try await next.authorize("DEMO-2")
        let before = fixture.transport.requests.filter { $0.contains("/o/client/token") }.count
        _ = try await next.authorize("DEMO-1")
        #expect(fixture.transport.requests.filter { $0.contains("/o/client/token") }.count == before)

        storage.fail(nil)
        #expect(Set(storage.memory.keys(under: .everything).map(\.rawValue)) == kept)
        _ = try await next.authorize("DEMO-2")
        #expect(storage.memory.keys(under: .everything).count > kept.count, "Nothing is stored again.")
    }
}

/// A platform at whose picker the viewer stays until the store cannot be read.
private struct PlatformThatOutlastsTheStore: PlatformSignOn {
    let storage: FailingStorage
    let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))

    func access(mayAsk: Bool) async -> PlatformAccess { await platform.access(mayAsk: mayAsk) }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        let account = try await platform.account(request, presenter: presenter)
        if presenter != nil, request.samlRequest == nil { storage.fail(.reading) }
        return account
    }
}
