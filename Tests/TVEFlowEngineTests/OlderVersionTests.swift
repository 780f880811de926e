import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of the logins of earlier versions: the ones that an app of this version takes over, and the ones that it
/// leaves to them (API reference, C2, C4 and C5).
///
/// An earlier version is represented by its store: the place and the layout. Only the classic dialect is tested,
/// because earlier versions knew no other services.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OlderVersionTests {
    private static let player = AppIdentity(bundleID: "com.a.player", teamID: "T")
    private static let guide = AppIdentity(bundleID: "com.a.guide", teamID: "T")

    /// A device with a folder for each place in which apps store something.
    private struct Device {
        let fixture: FlowFixture
        let folder: URL

        init() async throws {
            fixture = try await FlowFixture(.classic)
            folder = URL.testFolder.appendingPathComponent("tve-\(UUID().uuidString)")
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        func place(_ name: String) -> FileStorage { FileStorage(directory: folder.appendingPathComponent(name)) }

        /// The new process of an app of this version, whose id of the device the system says.
        func open(
            _ app: AppIdentity = OlderVersionTests.player, store: String = "new", requestor: RequestorID = "DEMO",
            from older: [LegacyStore] = [], foreignTokens: ForeignTokenPolicy = .ignore
        ) async throws -> EntitlementSession {
            try await fixture.session(requestor: requestor) {
                $0.app = app
                $0.device = nil
                // The system returns the same id to all apps of a vendor.
                $0.systemSeed = { DeviceSeed("idfv of \(app.vendorPrefix)", .vendorID) }
                $0.storage = place(store)
                $0.housekeeping = Housekeeping(foreignTokens: foreignTokens, legacyStores: older)
            }.0
        }

        /// The place of versions before 3.7, which an app of this version can name.
        func before3_7(_ name: String = "old") -> LegacyStore {
            LegacyStore(backend: place(name), layout: .nestedMap(StorageKey("tokens")), name: name)
        }

        /// Logs in with an app before 3.7.
        func logInBefore3_7(_ app: AppIdentity = OlderVersionTests.player, place name: String = "old") async throws {
            try place(name).apply([.put(StorageKey("tokens", "DEMO", "demo-cable", "authn"), try await token(of: app))])
        }

        /// A login's text as the service gives it to an app on this device.
        func token(of app: AppIdentity, requestor: RequestorID = "DEMO") async throws -> Data {
            let store = UUID().uuidString
            let session = try await open(app, store: store, requestor: requestor)
            try await session.authenticate(using: ViewerWhoLogsIn())
            let place = place(store)
            let keys = try place.keys(under: StorageKey("requestor"))
            let key = try #require(keys.first { $0.rawValue.hasSuffix("/authn") })
            return try #require(try place.value(for: key))
        }
    }

    private static func onADevice(_ body: (Device) async throws -> Void) async throws {
        let device = try await Device()
        defer { device.remove() }
        try await body(device)
    }

    /// The version of an app that logs in, or that is opened afterwards: this version, or one before 3.7 that was
    /// updated.
    enum Version: Sendable { case before3_7, since3_7 }

    @Test(
        .row("T-24", "T-25", "T-39", "T-40", "T-41", "T-42"),
        arguments: [
            ("T-39", Version.before3_7, Version.before3_7, true), ("T-40", .since3_7, .since3_7, true),
            ("T-41", .since3_7, .before3_7, false), ("T-42", .before3_7, .since3_7, false),
        ])
    func aLoginCounts_inAppsOfOneVendor_onTheSameSideOf3_7(
        row: String, login: Version, opened: Version, isShared: Bool
    ) async throws {
        try await Self.onADevice { device in
            switch login {
            case .before3_7: try await device.logInBefore3_7()
            case .since3_7: try await device.open().authenticate(using: ViewerWhoLogsIn())
            }
            // An app before 3.7 sees what is in its place; this version reads it for the app that names it.
            let session =
                switch opened {
                case .before3_7: try await device.open(Self.guide, store: "updated", from: [device.before3_7()])
                case .since3_7: try await device.open(Self.guide)
                }
            #expect(await session.isLoggedIn == isShared, "\(row)")
        }
    }

    /// The place is that of the team, and the login belongs to the device of one vendor.
    @Test(.row("T-24", "T-30"))
    func aLoginOfAnEarlierVersion_isNotThatOfAnotherVendor() async throws {
        try await Self.onADevice { device in
            try await device.logInBefore3_7()
            let other = AppIdentity(bundleID: "com.b.player", teamID: "T")
            let session = try await device.open(other, store: "other", from: [device.before3_7()])
            #expect(await !session.isLoggedIn)
        }
    }

    @Test(.row("T-43", "T-44", "T-45", "T-46"))
    func anUpdate_takesTheLoginAlong_andLeavesTheOldOneAsItWas() async throws {
        try await Self.onADevice { device in
            let older = device.place("old")
            // A login of this version is none of the earlier one, also where the app names its place.
            try await device.open(store: "first", from: [device.before3_7()]).authenticate(using: ViewerWhoLogsIn())
            #expect(try older.keys(under: .everything).isEmpty, "T-44")

            try await device.logInBefore3_7()
            let key = StorageKey("tokens", "DEMO", "demo-cable", "authn")
            let kept = try #require(try older.value(for: key))
            let session = try await device.open(from: [device.before3_7()])
            #expect(await session.isLoggedIn, "T-43")
            #expect(try older.value(for: key) == kept, "T-45")

            try await session.logout()
            #expect(await !session.isLoggedIn)
            #expect(try older.value(for: key) == kept, "T-46")
            // The earlier version is logged in again; this one is not.
            #expect(try await !device.open(from: [device.before3_7()]).isLoggedIn)
        }
    }

    // MARK: - When older places are read

    @Test(.row("T-53", "T-50"))
    func anOlderPlace_isReadOnce_andOneThatAnUpdateNames_too() async throws {
        try await Self.onADevice { device in
            // The first installation finds nothing, and the older version logs in afterwards.
            #expect(try await !device.open(from: [device.before3_7()]).isLoggedIn)
            try await device.logInBefore3_7()
            #expect(try await !device.open(from: [device.before3_7()]).isLoggedIn)
            // An update names a place in addition.
            try await device.logInBefore3_7(place: "older")
            let places = [device.before3_7(), device.before3_7("older")]
            #expect(try await device.open(from: places).isLoggedIn)
        }
    }

    @Test(.row("T-53"))
    func anOlderPlace_isReadForEachRequestor() async throws {
        try await Self.onADevice { device in
            let token = try await device.token(of: Self.player, requestor: "DEMO2")
            try device.place("old").apply([.put(StorageKey("tokens", "DEMO2", "demo-cable", "authn"), token)])
            let first = try await device.open(from: [device.before3_7()])
            // The other requestor's login is not this one's, and it is still there.
            #expect(await !first.isLoggedIn)
            #expect(try await device.open(requestor: "DEMO2", from: [device.before3_7()]).isLoggedIn)
        }
    }

    @Test(.row("T-50", "T-53"))
    func anOlderPlace_changesNothing_whereAValidLoginIs() async throws {
        try await Self.onADevice { device in
            try await device.logInBefore3_7()
            try await device.open().authenticate(using: ViewerWhoLogsIn(choice: "demo-fiber"))
            let session = try await device.open(from: [device.before3_7()])
            #expect(await session.profile?.mvpdID == "demo-fiber")
        }
    }

    /// The older version stored its logins in this very store, without a part for the device: to the sanitizer they are
    /// nobody's.
    @Test(.row("Q17", "T-55"))
    func aLoginOfAnEarlierVersion_isTakenOver_beforeTheStoreIsTidied() async throws {
        try await Self.onADevice { device in
            let (store, key) = (device.place("new"), StorageKey("requestor", "DEMO", "demo-cable", "authn"))
            try store.apply([.put(key, try await device.token(of: Self.player))])
            let older = LegacyStore(backend: store, layout: .nestedMap(StorageKey("requestor")))
            let session = try await device.open(from: [older], foreignTokens: .remove)
            #expect(await session.isLoggedIn)
            #expect(try store.value(for: key) == nil)
        }
    }
}
