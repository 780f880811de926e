import AccessEnabler
import AppleDevice
import Crypto
import Foundation
import Security
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import Testing

extension AppleSide {
    /// Tests of the device's id, of a sealing key and of a login in the keychain, case by case.
    struct KeychainCaseTests {
        private let device = AppleDevice.takeNew()
        private static let shared = "TEAM1.com.example.tv"

        /// An event after a login, and the values that an app finds afterwards.
        struct Case: Sendable, CustomTestStringConvertible {
            enum ID { case same, other, none }
            enum Login { case kept, none, unknown }

            var testDescription: String
            /// The app with which the viewer logs in.
            var first = App.player
            /// The app that looks for the login later.
            var second = App.player
            /// The access group that the second app names.
            var group: String?
            var happens: @Sendable (AppleDevice) -> Void = { _ in }
            var id = ID.same
            /// The reason for which the sealing key is not found; `nil` if it is found.
            var keyFailure: StorageError?
            var login = Login.kept

            init(
                _ testDescription: String, id: ID = .same, keyFailure: StorageError? = nil, login: Login,
                first: App = .player, second: App = .player, group: String? = nil,
                _ happens: @escaping @Sendable (AppleDevice) -> Void = { _ in }
            ) {
                self.testDescription = testDescription
                self.id = id
                self.keyFailure = keyFailure
                self.login = login
                self.first = first
                self.second = second
                self.group = group
                self.happens = happens
            }
        }

        private static let cases = [
            Case("before the first unlock", id: .none, keyFailure: .locked, login: .unknown) { $0.restart() },
            Case("locked again", login: .kept) { $0.with { $0.passcode = .locked } },
            Case(
                "an update without the access group", keyFailure: .keyMissing, login: .none,
                second: .withoutGroup),
            Case(
                "an update with a new access group", keyFailure: .keyMissing, login: .kept, first: .withoutGroup,
                group: shared),
            Case(
                "the app's own group, by its name", login: .kept, first: .withoutGroup, second: .withoutGroup,
                group: "TEAM1.com.example.tv.Player"),
            Case(
                "a group of another team", keyFailure: .cannotRead(errno: errSecMissingEntitlement), login: .unknown,
                group: "TEAM2.com.example.tv"),
            Case("another device, from an encrypted backup", id: .other, login: .none) { $0.moveToAnotherDevice() },
            Case("another device, from another backup", id: .other, keyFailure: .keyMissing, login: .none) {
                $0.moveToAnotherDevice(isEncrypted: false)
            },
            Case("the app deleted, while another one of the vendor stays", login: .kept) {
                $0.run(.guide)
                $0.delete(.player)
            },
            // The system then has another id, but the library has stored the first one.
            Case("the vendor's last app deleted", id: .other, login: .kept) { $0.delete(.player) },
            Case("an extension that Xcode installed", id: .other, login: .none, second: .widget()),
            Case(
                "an extension from the App Store", login: .none, first: .store(.player),
                second: .widget(isFromAppStore: true)),
        ]

        @Test(arguments: cases, ServiceDialect.allCases)
        func finds(row: Case, dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            try await PhoneApp(row.first, sandbox: sandbox, service: dialect).logIn()
            let id = try #require(try await MachineSeed.read()).value
            let place = FileManager.default.temporaryDirectory.appending(path: "tve-test-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: place) }
            let sealed = FileStorage(directory: place)
            let key = SymmetricKey(size: .bits256)
            let name = StorageKey("key")
            try KeychainStorage(service: "key").apply([.put(name, key.withUnsafeBytes { Data($0) })])
            try SealedStorage(sealed, key: SealingKey(key)).apply([.put(name, Data([1]))])

            row.happens(device)
            device.run(row.second)
            let before = device.with(\.keychain)

            let found = (try? await MachineSeed.read())?.value
            #expect((found == nil ? .none : found == id ? .same : .other) == row.id)
            let storage = SealedStorage(sealed) { () throws(StorageError) in
                guard let bytes = try KeychainStorage(service: "key", accessGroup: row.group).value(for: name) else {
                    throw .keyMissing
                }
                return try SealingKey(SymmetricKey(data: bytes))
            }
            let value = Result { () throws(StorageError) in try storage.value(for: name) }
            #expect(value == (row.keyFailure.map { .failure($0) } ?? .success(Data([1]))))

            let app = await PhoneApp(row.second, sandbox: sandbox, service: dialect, keychainGroup: row.group)
            // Over REST API v2 the answer of the service suffices to establish the requestor, if the device is known.
            let isRefused = row.login == .unknown && (dialect == .classic || row.id == .none)
            let status = isRefused ? ACCESS_ENABLER_STATUS_ERROR : ACCESS_ENABLER_STATUS_SUCCESS
            #expect(app.recorder.callbacks.contains(.requestorComplete(status)))
            guard row.login != .unknown else {
                // The viewer is reported as not logged in, nothing is written, and nothing is lost once the cause is
                // gone.
                if !isRefused { #expect(await !app.isLoggedIn()) }
                #expect(device.with(\.keychain) == before)
                device.with { $0.passcode = .unlocked }
                #expect(await PhoneApp(row.second, sandbox: sandbox, service: dialect).isLoggedIn())
                return
            }
            #expect(await app.isLoggedIn() == (row.login == .kept))
            if row.login == .none {
                try await app.logIn()
                #expect(await app.isLoggedIn())
            }
        }

        /// An extension that names its app and the app's group shares the login, if the system gives both the same id.
        @Test(arguments: [true, false], ServiceDialect.allCases)
        func anExtensionShares_whenItNamesItsApp(isFromAppStore: Bool, dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            try await PhoneApp(isFromAppStore ? .store(.player) : .player, sandbox: sandbox, service: dialect).logIn()
            device.run(.widget(isFromAppStore: isFromAppStore))
            let environment = SessionEnvironment(
                storage: KeychainStorage(service: "tve.com.example.tv", accessGroup: Self.shared),
                app: AppIdentity(bundleID: "com.example.tv.Player", teamID: "TEAM1"),
                redirectURL: AccessEnabler.redirectURL)
            let widget = AccessEnabler(sandbox.softwareStatement, service: dialect, environment: environment)
            let recorder = CallbackRecorder()
            widget.delegate = recorder
            widget.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString + "/adobe-services"])
            widget.checkAuthentication()
            let status = await recorder.callbacks(until: \.isAuthenticationStatus).last
            #expect((status == .authenticationStatus(1, code: "")) == isFromAppStore)
        }

        /// The device keeps its identity if the keychain is locked and the app's own storage is not.
        @Test(arguments: ServiceDialect.allCases)
        func makesNoID_beforeTheFirstUnlock(dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            device.run(.player)
            device.restart()
            let storage = MemoryStorage()
            let environment = SessionEnvironment(
                storage: storage, app: AppIdentity(bundleID: "com.example.tv.Player", teamID: "TEAM1"),
                redirectURL: AccessEnabler.redirectURL)
            let services = [try ServiceProvider(sandbox.baseURL.absoluteString + "/adobe-services")]
            await #expect(throws: TVEError.self) {
                _ = try await EntitlementSession(
                    requestorID: "DEMO", softwareStatement: sandbox.softwareStatement, serviceProviders: services,
                    service: dialect, environment: environment)
            }
            #expect(storage.keys(under: .everything).isEmpty)
        }
    }
}

extension App {
    /// A build of the player without the keychain group.
    fileprivate static let withoutGroup = App("com.example.tv.Player", team: "TEAM1")

    /// Returns an extension of the player.
    fileprivate static func widget(isFromAppStore: Bool = false) -> App {
        App(
            "com.example.tv.Player.Widget", team: "TEAM1", keychainGroups: ["com.example.tv"],
            isFromAppStore: isFromAppStore)
    }

    /// Returns the same app from the App Store.
    fileprivate static func store(_ app: App) -> App {
        var app = app
        app.isFromAppStore = true
        return app
    }
}
