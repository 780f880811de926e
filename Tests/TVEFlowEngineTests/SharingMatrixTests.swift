import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVEStorage
import TVETokenCodec
import TestTraits
import Testing

/// Which logins which app sees, with two apps on one device (API reference, C2 to C4).
@Suite(.fewAtATime)
struct SharingMatrixTests {
    /// A device with the stores of one storage generation.
    private struct Device {
        let boards = FileManager.default.temporaryDirectory.appendingPathComponent("tve-\(UUID().uuidString)")
        var isSystemWide = false

        func app(team: String, bundle: String, policy: ForeignTokenPolicy = .ignore) -> App {
            let identity = DeviceIdentity(
                seed: "machine", app: isSystemWide ? nil : AppIdentity(bundleID: bundle, teamID: team))
            let backend = PasteboardStorage(
                name: "tokens", generation: isSystemWide ? .systemWide : .team(team), boards: boards)
            return App(identity: identity, backend: backend, policy: policy)
        }
    }

    /// One app: its store, its device id, and how its version treats foreign tokens when it is opened.
    private struct App {
        let identity: DeviceIdentity
        let backend: any StorageBackend
        var policy = ForeignTokenPolicy.ignore

        private var store: EntitlementStore {
            EntitlementStore(backend: backend, reader: .codec, fingerprint: identity.fingerprint.hexadecimal)
        }

        /// Opens the app, and returns whether the viewer is logged in there.
        func open() throws -> Bool {
            try store.sanitize(policy)
            return try store.authenticationToken(requestorID: "P", mvpdID: "M").map {
                identity.binding(of: $0.claims.fingerprint) == .mine
            } ?? false
        }

        func logIn() throws {
            let claims = AuthenticationToken.Claims(
                authenticationGUID: "g", requestorID: "P", expires: TokenDate(secondsSince1970: 4_000_000_000),
                mvpdID: "M", fingerprint: identity.fingerprint.hexadecimal)
            let text = TokenEnvelope(signature: Data([1]), body: TokenWriter.body(claims)).text
            let token = AuthenticationToken(text: text, claims: claims)
            try store.change { entitlements throws(StorageError) in try entitlements.save(token, metadata: nil) }
        }

        func logOut() throws {
            try store.change { entitlements throws(StorageError) in try entitlements.removeAllEntitlements() }
        }

        func importing(from older: any StorageBackend) throws {
            let map = LegacyStore(backend: older, layout: .nestedMap(StorageKey("requestor")))
            try store.importLogin(of: "P", from: [map], at: Date(timeIntervalSince1970: 2_000_000_000))
        }
    }

    @Test(.row("T-20", "T-28"), arguments: [("T1", "com.a.x"), ("T2", "org.b.y")])
    func untilIOS6_everyAppSharesEverything(team: String, bundle: String) throws {
        let device = Device(isSystemWide: true)
        try device.app(team: "T1", bundle: "com.a.x").logIn()
        #expect(try device.app(team: team, bundle: bundle).open())
    }

    @Test(.row("T-29")) func sameTeamAndPrefix_shareALogin() throws {
        let device = Device()
        let (first, second) = (device.app(team: "T", bundle: "com.a.x"), device.app(team: "T", bundle: "com.a.y"))
        try first.logIn()
        #expect(try second.open() && first.open())
    }

    @Test(.row("T-30", "T-31", "T-48")) func sameTeam_otherPrefix_keepTheirLoginsApart() throws {
        let device = Device()
        let (first, second) = (device.app(team: "T", bundle: "com.a.x"), device.app(team: "T", bundle: "com.b.x"))
        try first.logIn()
        #expect(try !second.open())
        try second.logIn()
        #expect(try first.open() && second.open())
    }

    @Test(.row("T-32", "T-33", "T-61")) func version1_8_erasesTheOthersLogin_backAndForth() throws {
        let device = Device()
        let first = device.app(team: "T", bundle: "com.a.x", policy: .removeEverything)
        let second = device.app(team: "T", bundle: "com.b.x", policy: .removeEverything)
        try first.logIn()
        #expect(try !second.open())
        #expect(try !first.open())
        try second.logIn()
        #expect(try !first.open())
        #expect(try !second.open())
    }

    @Test(.row("T-34", "T-35"), arguments: ["com.a.y", "org.b.y"])
    func otherTeams_shareNothing(bundle: String) throws {
        let device = Device()
        let (first, second) = (device.app(team: "T1", bundle: "com.a.x"), device.app(team: "T2", bundle: bundle))
        try first.logIn()
        #expect(try !second.open())
        try second.logIn()
        #expect(try first.open() && second.open())
        try first.logOut()
        #expect(try !first.open() && second.open())
    }

    /// tvOS stores everything in user defaults, and apps without a common keychain group have separate stores.
    @Test(.row("T-23", "T-37", "T-49")) func appsWithStoresOfTheirOwn_shareNothing() throws {
        let identity = DeviceIdentity(
            DeviceSeed("machine", .machineID), app: AppIdentity(bundleID: "com.a.x", teamID: "T"))
        let (first, second) = (
            App(identity: identity, backend: MemoryStorage()), App(identity: identity, backend: MemoryStorage())
        )
        try first.logIn()
        #expect(try !second.open() && first.open())
    }

    /// Versions before and after 3.7 store their tokens in separate places.
    @Test(.row("T-24", "T-25", "T-39", "T-40", "T-41", "T-42")) func versionsBeforeAndAfter3_7_doNotShare() throws {
        let identity = DeviceIdentity(DeviceSeed("idfv", .vendorID), app: AppIdentity(bundleID: "com.a.x", teamID: "T"))
        let places = [MemoryStorage(), MemoryStorage()]
        for (login, open, expected) in [(0, 0, true), (1, 1, true), (1, 0, false), (0, 1, false)] {
            for place in places { place.apply([.removeAll(under: .everything)]) }
            try App(identity: identity, backend: places[login]).logIn()
            #expect(try App(identity: identity, backend: places[open]).open() == expected)
        }
    }

    @Test(.row("T-43", "T-44", "T-45", "T-46")) func upgradesTakeTheLoginAlong_andDowngradesFindTheOldOne() throws {
        let identity = DeviceIdentity(DeviceSeed("idfv", .vendorID), app: AppIdentity(bundleID: "com.a.x", teamID: "T"))
        let (old, new) = (MemoryStorage(), MemoryStorage())
        let (before, after) = (App(identity: identity, backend: old), App(identity: identity, backend: new))
        try App(identity: identity, backend: MemoryStorage()).logIn()
        #expect(try !before.open())
        try before.logIn()
        try after.importing(from: old)
        #expect(try after.open() && before.open())
        try after.logOut()
        #expect(try !after.open() && before.open())
    }

    @Test(.row("T-63")) func aStoredSeed_survivesTheVendorsLastApp() {
        let app = AppIdentity(bundleID: "com.a.x", teamID: "T")
        #expect(
            DeviceIdentity(DeviceSeed("kept", .stored), app: AppIdentity(bundleID: "com.a.y", teamID: "T"))
                == DeviceIdentity(DeviceSeed("kept", .stored), app: app))
        #expect(
            DeviceIdentity(DeviceSeed("new", .stored), app: app)
                != DeviceIdentity(DeviceSeed("kept", .stored), app: app))
        #expect(
            DeviceIdentity(DeviceSeed("kept", .stored), app: AppIdentity(bundleID: "org.b.x", teamID: "T"))
                != DeviceIdentity(DeviceSeed("kept", .stored), app: app))
    }
}
