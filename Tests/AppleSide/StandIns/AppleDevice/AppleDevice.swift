// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
import Synchronization

/// A device as Apple's documents describe it, on which this process runs one app after the other.
///
/// The class holds the state of the device. The modules that replace the frameworks contain their functions.
public final class AppleDevice: Sendable {
    public struct State: Sendable {
        /// A Boolean value that indicates whether the device is a Mac, which has a second, older keychain.
        public var isMac = false
        public var passcode = Passcode.unlocked
        public var systemVersion = 18
        public fileprivate(set) var apps: [String: App] = [:]
        public fileprivate(set) var running: App?
        public fileprivate(set) var vendorIDs: [String: UUID] = [:]
        public var keychain: [KeychainItem] = []
        /// A closure that is called before each call of the keychain, to simulate another process at that moment.
        public var beforeKeychainCall: (@Sendable (KeychainCall) -> Void)?
        public var boards: [Board.Place: Board] = [:]
        /// A Boolean value that indicates whether the pasteboard service answers.
        public var hasPasteboards = true
        public var account = TVAccount()
        public var questions: [TVAccountQuestion] = []
        public var safari = Safari()
        public var pages: [URL] = []
        /// The number of pages that were opened with cookies of their own.
        public var privatePages = 0
        /// The number of times that the viewer was asked whether the app may use a site to sign in.
        public var alerts = 0
        public var network = DeviceNetwork.none
        var networkObservers: [Int: NetworkObserver] = [:]
        var networkObservations = 0
        /// The state of the app's scene, and its windows.
        public var scene = DeviceScene()
        /// A closure that returns the number of dialogs that the app reports to show now; `nil` if a test does not
        /// count them.
        public var dialogsOnScreen: (@Sendable () -> Int)?
        /// A Boolean value that indicates whether a request for the TV provider account is running.
        public var isAskingAccount = false
        /// The requests for the account that wait for the running one.
        public var waitingForAccount: [@Sendable () -> Void] = []
        /// The lines of the system's log, each of which begins with subsystem, category and level.
        public var log: [String] = []
    }

    private let state = Mutex(State())
    private static let inUse = Mutex(AppleDevice())

    /// The device of this process.
    public static var current: AppleDevice { inUse.withLock { $0 } }

    /// Replaces the device with a new one.
    public static func takeNew() -> AppleDevice {
        let device = AppleDevice()
        inUse.withLock { $0 = device }
        return device
    }

    /// Reads and changes the device in one step.
    public func with<Value>(_ work: (inout State) throws -> Value) rethrows -> Value {
        try state.withLock { state in try work(&state) }
    }

    /// Installs an app if necessary, and lets this process continue as that app.
    ///
    /// On Linux the bundle id of a process without a bundle is its process name, so this sets the name.
    public func run(_ app: App) {
        with { state in
            state.apps[app.bundleID] = app
            state.running = app
            if state.vendorIDs[app.vendor] == nil { state.vendorIDs[app.vendor] = UUID() }
        }
        ProcessInfo.processInfo.processName = app.bundleID
    }

    /// Ends an app.
    ///
    /// Source: developer.apple.com/documentation/uikit/uipasteboard/init(name:create:). Boards of apps exist until the
    /// app quits, and since iOS 10 no other kind may be used.
    public func quit(_ app: App) {
        with { state in
            guard state.systemVersion >= 10 else { return }
            state.boards = state.boards.filter { $0.value.maker != app.bundleID }
        }
    }

    /// Deletes an app.
    ///
    /// Source: developer.apple.com/documentation/uikit/uidevice/identifierforvendor. The id changes when all apps of
    /// the vendor were deleted. Keychain items remain, which is what the system does although no page promises it.
    public func delete(_ app: App) {
        quit(app)
        with { state in
            state.apps[app.bundleID] = nil
            if !state.apps.values.contains(where: { $0.vendor == app.vendor }) { state.vendorIDs[app.vendor] = nil }
        }
    }

    /// Restarts the device, which the viewer does not unlock.
    public func restart() { with { $0.passcode = .neverEntered } }

    /// Continues as another device that was set up from a backup of this one.
    ///
    /// Sources: developer.apple.com/documentation/security/restricting-keychain-item-accessibility (an encrypted backup
    /// restores all items that are not restricted to one device) and
    /// developer.apple.com/documentation/uikit/uidevice/identifierforvendor (the id belongs to the device).
    public func moveToAnotherDevice(isEncrypted: Bool = true) {
        with { state in
            state.keychain.removeAll {
                !isEncrypted || $0.accessible == KeychainItem.afterFirstUnlockThisDeviceOnly
            }
            state.vendorIDs = state.vendorIDs.mapValues { _ in UUID() }
            state.boards = [:]
        }
    }

    /// Installs a newer system.
    ///
    /// Source: API reference, row T-22. With iOS 10 all named boards disappear.
    public func upgrade(to version: Int) {
        with { state in
            if state.systemVersion < 10, version >= 10 { state.boards = [:] }
            state.systemVersion = version
        }
    }

    /// Runs a request for the TV provider account once all earlier ones have ended.
    public func beginAccountRequest(_ request: @escaping @Sendable () -> Void) {
        let isFirst = with { state in
            if state.isAskingAccount {
                state.waitingForAccount.append(request)
                return false
            }
            state.isAskingAccount = true
            return true
        }
        if isFirst { request() }
    }

    /// Ends the running request for the TV provider account, and runs the next one.
    public func endAccountRequest() {
        let next = with { state -> (@Sendable () -> Void)? in
            if state.waitingForAccount.isEmpty {
                state.isAskingAccount = false
                return nil
            }
            return state.waitingForAccount.removeFirst()
        }
        next?()
    }

    /// The access groups of the running app.
    public var accessGroups: [String] { with { $0.running?.accessGroups ?? [] } }
}
