import Foundation
import TVEDeviceBinding
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// One device id over updates, restarts and new installations (acceptance list of REST API v2, CL23).
@Suite(.fewAtATime, .timeLimit(.hanging))
struct KeptIdentityTests {
    private struct Desk {
        let fixture: FlowFixture
        /// Outlives the app, as a keychain does.
        let keychain = MemoryStorage()

        init() async throws { fixture = try await FlowFixture(.restV2) }

        /// The device id of a new process.
        func deviceID(
            storage: any StorageBackend = MemoryStorage(),
            _ seed: @escaping @Sendable () async throws(MachineSeed.NotYetKnown) -> DeviceSeed?
        ) async throws -> String {
            try await fixture.session(started: false) {
                $0.storage = storage
                $0.device = nil
                $0.identityStorage = keychain
                $0.systemSeed = seed
            }.0.parts.device.deviceID
        }
    }

    private static func vendor(_ id: String) -> DeviceSeed { DeviceSeed(id, .vendorID) }

    @Test(.row("CL23", "T-63")) func theFirstIDStays_whenTheSystemHasAnother() async throws {
        let desk = try await Desk()
        let first = try await desk.deviceID { Self.vendor("A") }
        #expect(first == DeviceIdentity(seed: "A", app: nil).deviceID, "the id that earlier versions computed")
        // The last app of the vendor was deleted, and installed again.
        #expect(try await desk.deviceID { Self.vendor("B") } == first)
        // Before the first unlock the system has none.
        #expect(
            try await desk.deviceID { () async throws(MachineSeed.NotYetKnown) in throw MachineSeed.NotYetKnown() }
                == first)
    }

    /// The app checks the store before it has a session, and has requested no check.
    @Test func noIDIsRead_forACheckThatNobodyHasRequested() async throws {
        var environment = SessionEnvironment(
            storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            redirectURL: try #require(FlowFixture.redirect))
        let isRead = Guarded(false)
        environment.systemSeed = { () async throws(MachineSeed.NotYetKnown) -> DeviceSeed? in
            isRead.withLock { $0 = true }
            return nil
        }
        let report = await environment.checkStore()
        #expect(report == nil && isRead.withLock(\.self) == false)
    }

    @Test(.row("CL23")) func noIDIsMade_whileTheSystemDoesNotSayItsOwn() async throws {
        let desk = try await Desk()
        await #expect(throws: TVEError(.storageFailed)) {
            try await desk.deviceID { () async throws(MachineSeed.NotYetKnown) in throw MachineSeed.NotYetKnown() }
        }
        #expect(desk.keychain.keys(under: StorageKey("device")).isEmpty)
        #expect(try await desk.deviceID { Self.vendor("A") } == DeviceIdentity(seed: "A", app: nil).deviceID)
    }

    /// A machine's id is its own: a store that was copied to another machine does not bring it along.
    @Test func aMachinesID_isNotKept() async throws {
        let desk = try await Desk()
        let first = try await desk.deviceID { DeviceSeed("A", .machineID) }
        #expect(try await desk.deviceID { DeviceSeed("B", .machineID) } != first)
        #expect(desk.keychain.keys(under: StorageKey("device")).isEmpty)
    }

    @Test(.row("T-63")) func aSystemWithoutAnID_keepsARandomOne() async throws {
        let desk = try await Desk()
        let first = try await desk.deviceID { nil }
        #expect(try await desk.deviceID { nil } == first)
    }

    /// A check that clears does not need the key, so a lost key does not stop the app.
    @Test(.row("T-71", "T-72"), arguments: [false, true], [nil, Data()] as [Data?])
    func aStoreWithoutItsKey_isCleared_andTheDeviceIsANewOne(isCheckedEarlier: Bool, left: Data?) async throws {
        let folder = URL.testFolder.appendingPathComponent("tve-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixture = try await FlowFixture(.restV2)
        func device(_ check: IntegrityMode) async throws -> EntitlementSession {
            try await fixture.session {
                $0.storage = SealedStorage.file(folder)
                $0.device = nil
                $0.systemSeed = { nil }
                $0.housekeeping.integrityCheck = check
            }.0
        }
        let first = try await device(.none)
        try await first.authenticate(using: ViewerWhoLogsIn())
        await first.end()

        let key = FileStorage.sealingKey(in: folder)
        if let left { try left.write(to: key) } else { try FileManager.default.removeItem(at: key) }
        await #expect(throws: TVEError(.storageFailed)) { try await device(.none) }
        if isCheckedEarlier {
            var environment = SessionEnvironment(
                storage: SealedStorage.file(folder), app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                redirectURL: try #require(FlowFixture.redirect))
            environment.systemSeed = { nil }
            environment.housekeeping.integrityCheck = .clear
            let report = await environment.checkStore()
            #expect(report?.outcome == .cleared)
        }
        let second = try await device(.clear)
        #expect(await !second.isLoggedIn)
        #expect(second.parts.device != first.parts.device)
        try await second.authenticate(using: ViewerWhoLogsIn())
        await second.end()
        let third = try await device(.none)
        #expect(await third.isLoggedIn)
        #expect(third.parts.device == second.parts.device)
    }

    /// The system returns its own identifier later, so no random one replaces it.
    @Test func aStoreWithoutItsKey_isNotCleared_whileTheSystemDoesNotSayItsOwnID() async throws {
        let folder = URL.testFolder.appendingPathComponent("tve-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = SealedStorage.file(folder)
        _ = try InstallationStore(backend: storage).keepFirstDeviceID("A")
        try FileManager.default.removeItem(at: FileStorage.sealingKey(in: folder))
        let fixture = try await FlowFixture(.restV2)
        await #expect(throws: TVEError(.storageFailed)) {
            try await fixture.session(started: false) {
                $0.storage = SealedStorage.file(folder)
                $0.device = nil
                $0.systemSeed = { () async throws(MachineSeed.NotYetKnown) in throw MachineSeed.NotYetKnown() }
                $0.housekeeping.integrityCheck = .clear
            }
        }
        #expect(try !storage.keys(under: .everything).isEmpty)
    }

    /// The check would clear the logins, and the text that cannot be read is in another place.
    @Test(arguments: [.keyMissing, .invalidKey] as [StorageError])
    func noStoreIsCleared_forALostKeyOfAnotherOne(error: StorageError) async throws {
        let desk = try await Desk()
        _ = try await desk.fixture.loggedIn()
        let logins = desk.fixture.entitlements
        await #expect(throws: TVEError(.storageFailed)) {
            try await desk.fixture.session(started: false) {
                $0.device = nil
                $0.identityStorage = UnreadableStorage(error: error)
                $0.systemSeed = { nil }
                $0.housekeeping.integrityCheck = .clear
            }
        }
        #expect(logins > 0 && desk.fixture.entitlements == logins)
    }

    /// The system's identifier may be another one than the stored one, which a keychain that answers again returns.
    @Test(.row("T-63", "T-74"), arguments: [-25_291, -25_293, EACCES] as [Int32])
    func noOtherIDIsUsed_whileTheFirstOneCannotBeRead(number: Int32) async throws {
        let desk = try await Desk()
        let first = try await desk.deviceID { Self.vendor("A") }
        await #expect(throws: TVEError(.storageFailed)) {
            try await desk.fixture.session(started: false) {
                $0.device = nil
                $0.identityStorage = UnreadableStorage(error: .cannotRead(errno: number))
                $0.systemSeed = { Self.vendor("B") }
            }
        }
        #expect(try await desk.deviceID { Self.vendor("B") } == first)
    }

    /// If the first id can never be read, the system's id is used, and the logins of the first id are not removed.
    @Test(arguments: [.cannotRead(errno: -34_018), .cannotRead(errno: EIO), .keyMissing] as [StorageError])
    func noLoginIsRemoved_whenTheFirstIDCannotBeRead(error: StorageError) async throws {
        let desk = try await Desk()
        let storage = MemoryStorage()
        func start(_ system: String, identity: any StorageBackend) async throws -> EntitlementSession {
            try await desk.fixture.session {
                $0.storage = storage
                $0.device = nil
                $0.identityStorage = identity
                $0.systemSeed = { Self.vendor(system) }
                $0.housekeeping.foreignTokens = .remove
            }.0
        }
        let first = try await start("A", identity: desk.keychain)
        try await first.authenticate(using: ViewerWhoLogsIn())
        await first.end()
        let second = try await start("B", identity: UnreadableStorage(error: error))
        #expect(second.parts.device == DeviceIdentity(seed: "B", app: nil))
        #expect(await !second.isLoggedIn)
        await second.end()
        let third = try await start("B", identity: desk.keychain)
        #expect(await third.isLoggedIn)
    }

    /// An identifier that cannot be stored does not stop the app, because the system's identifier is usually right.
    @Test func theSystemsIDIsUsed_whenNoneCanBeKept() async throws {
        let desk = try await Desk()
        let full = FailingStorage()
        full.fail(.writing)
        let session = try await desk.fixture.session(started: false) {
            $0.device = nil
            $0.identityStorage = full
            $0.systemSeed = { Self.vendor("A") }
        }.0
        let used = session.parts.device.deviceID
        #expect(used == DeviceIdentity(seed: "A", app: nil).deviceID)
    }
}

/// A place that cannot be read.
private struct UnreadableStorage: StorageBackend {
    let error: StorageError

    func value(for key: StorageKey) throws(StorageError) -> Data? { throw error }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { throw error }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        throw error
    }
}
