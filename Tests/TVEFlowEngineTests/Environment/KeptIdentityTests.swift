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
