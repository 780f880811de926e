import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVEStorage
import TVETestTraits
import TVETokenCodec
import Testing

/// Tests of the logins that each of two apps on one device can read (API reference, C2 to C4).
@Suite(.fewAtATime)
struct SharingMatrixTests {
    /// A device with the stores of one storage generation, which are removed with it.
    private final class Device {
        let boards = URL.testFolder.appendingPathComponent("tve-\(UUID().uuidString)")
        /// A Boolean value that indicates whether the device runs iOS 6, with one pasteboard and one device id for all
        /// apps.
        let hasIOS6: Bool

        init(hasIOS6: Bool = false) { self.hasIOS6 = hasIOS6 }

        deinit { try? FileManager.default.removeItem(at: boards) }

        func app(team: String, bundle: String, policy: ForeignTokenPolicy = .ignore) -> App {
            // Later systems say an id for each vendor; a machine's id becomes one.
            let seed = DeviceSeed("id", hasIOS6 ? .vendorID : .machineID)
            let backend = PasteboardStorage(
                name: "tokens", generation: hasIOS6 ? .systemWide : .team(team), boards: boards)
            return App(
                device: self, identity: DeviceIdentity(seed, app: AppIdentity(bundleID: bundle, teamID: team)),
                backend: backend, policy: policy)
        }
    }

    /// One app: its store, its device id, and how its version treats foreign tokens when it is opened.
    private struct App {
        /// The device, for an app whose store is on one.
        var device: Device?
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
    }

    @Test(.row("T-20", "T-28"), arguments: [("T1", "com.a.x"), ("T2", "org.b.y")])
    func untilIOS6_everyAppSharesEverything(team: String, bundle: String) throws {
        let device = Device(hasIOS6: true)
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

    /// A location in which apps store data that they do not share.
    enum OwnPlace: CaseIterable, Sendable {
        /// The user defaults, on tvOS.
        case userDefaults
        /// The app's folder, for apps without a common keychain group.
        case folder
    }

    /// Two apps of one vendor, to which the system says the same id of the device: the places alone part them.
    @Test(.row("T-23", "T-37", "T-49"), arguments: OwnPlace.allCases)
    func appsWithStoresOfTheirOwn_shareNothing(place: OwnPlace) throws {
        let root = URL.testFolder.appendingPathComponent("tve-\(UUID().uuidString)")
        let suites = ["com.a.x", "com.a.y"].map { "\(root.lastPathComponent).\($0)" }
        defer {
            try? FileManager.default.removeItem(at: root)
            for suite in suites.flatMap({ [$0, "\($0).copy"] }) {
                UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite)
                try? FileManager.default.removeItem(at: .homeDirectory.appendingPathComponent(".config/\(suite).plist"))
            }
        }
        /// A process of an app.
        func app(_ index: Int) -> App {
            let bundle = ["com.a.x", "com.a.y"][index]
            // Its usual folder, but not in the home folder of whoever runs the tests.
            let folder = FileStorage.defaultDirectory(name: bundle).lastPathComponent
            let backend: any StorageBackend =
                switch place {
                case .userDefaults: UserDefaultsStorage(suiteName: suites[index])
                case .folder: FileStorage(directory: root.appendingPathComponent(folder))
                }
            let identity = DeviceIdentity(
                DeviceSeed("idfv", .vendorID), app: AppIdentity(bundleID: bundle, teamID: "T"))
            return App(identity: identity, backend: backend)
        }
        try app(0).logIn()
        #expect(try !app(1).open() && app(0).open())
        try app(1).logIn()
        try app(1).logOut()
        #expect(try !app(1).open() && app(0).open())
    }

    @Test func aStoredSeed_isOneDevice_toTheAppsOfOneVendor() {
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
