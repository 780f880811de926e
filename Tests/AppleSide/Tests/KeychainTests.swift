import AppleDevice
import Foundation
import Security
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

extension AppleSide {
    struct KeychainTests {
        private let device = AppleDevice.takeNew()
        private let key = StorageKey("a")
        private static let shared = "TEAM1.com.example.tv"

        init() {
            device.run(.player)
        }

        @Test(arguments: [nil, shared, "TEAM1.com.example.tv.Player"])
        func keepsTheContract(group: String?) throws {
            #expect(
                try StorageConformance.violations(isPersistent: true) {
                    KeychainStorage(service: "s", accessGroup: group)
                }
                    == [])
            #expect(device.with(\.keychain).map(\.group) == [group ?? Self.shared])
        }

        @Test func anItemWithoutBytes_isDamaged_andCanBeEmptied() throws {
            let storage = KeychainStorage(service: "s")
            try storage.apply([.put(key, Data([1]))])
            device.with { state in
                state.keychain[0].value = Data()
                state.keychain[0].generic = nil
            }
            #expect(throws: StorageError.damaged(.truncated)) { try storage.apply([.put(key, Data([2]))]) }
            try storage.removeEverything()
            try storage.apply([.put(key, Data([2]))])
            #expect(try KeychainStorage(service: "s").value(for: key) == Data([2]))
        }

        /// This is also true on a device that was not unlocked yet.
        @Test(arguments: [(shared, true), ("TEAM1.com.example.news", false)], [false, true])
        func knowsItsGroups(group: (name: String, isMine: Bool), isLocked: Bool) throws {
            try KeychainStorage(service: "s").apply([.put(key, Data([1]))])
            if isLocked { device.restart() }
            #expect(KeychainStorage.mayUse(group.name) == group.isMine)
        }

        @Test(.row("T-27")) func T25_T27_readsAndWrites_onALockedDevice() throws {
            let storage = KeychainStorage(service: "s")
            try storage.apply([.put(key, Data([1]))])
            device.with { $0.passcode = .locked }
            #expect(try storage.value(for: key) == Data([1]))
            try storage.apply([.put(key, Data([2]))])
            #expect(try storage.value(for: key) == Data([2]))
            #expect(device.with(\.keychain).map(\.accessible) == [kSecAttrAccessibleAfterFirstUnlock])
        }

        @Test func T74_isLocked_andNotDamaged_beforeTheFirstUnlock() throws {
            let storage = KeychainStorage(service: "s")
            device.restart()
            // The store is empty, or has values.
            #expect(throws: StorageError.locked) { try storage.apply([.put(key, Data([1]))]) }
            device.with { $0.passcode = .unlocked }
            try storage.apply([.put(key, Data([1]))])
            device.restart()
            #expect(throws: StorageError.locked) { try storage.value(for: key) }
            #expect(throws: StorageError.locked) { try storage.damage() }
            #expect(throws: StorageError.locked) { try storage.removeEverything() }
            device.with { $0.passcode = .unlocked }
            #expect(try storage.value(for: key) == Data([1]))
            #expect(try storage.damage() == nil)
        }

        /// The device is restarted during a change, so any call of the keychain may be the first that fails.
        @Test(arguments: [KeychainCall.copyMatching, .update, .add], [false, true])
        func losesNothing_whenTheDeviceIsRestarted(at call: KeychainCall, isFilled: Bool) throws {
            let storage = KeychainStorage(service: "s")
            if isFilled { try storage.apply([.put(key, Data([1]))]) }
            device.with { $0.beforeKeychainCall = { [device] in if $0 == call { device.restart() } } }
            let happens = call == .copyMatching || (call == .update) == isFilled
            if happens {
                #expect(throws: StorageError.locked) { try storage.apply([.put(key, Data([2]))]) }
            } else {
                try storage.apply([.put(key, Data([2]))])
            }
            device.with { $0.beforeKeychainCall = nil }
            device.with { $0.passcode = .unlocked }
            #expect(try storage.value(for: key) == (happens ? (isFilled ? Data([1]) : nil) : Data([2])))
        }

        /// The last call reads the mark of an item, and may be the one that fails.
        @Test func isLocked_whenTheDeviceIsRestarted_beforeAMarkIsLookedAt() throws {
            let storage = KeychainStorage(service: "s")
            try storage.apply([.put(key, Data([1]))])
            let device = device
            let key = key
            let hasRestarted = Once()
            #expect(throws: StorageError.locked) {
                try storage.update { _ throws(StorageError) in
                    // Another process replaces the item, so that the update finds none with the mark that was read.
                    try KeychainStorage(service: "s").apply([.put(key, Data([3]))])
                    device.with {
                        $0.beforeKeychainCall = { if $0 == .copyMatching, hasRestarted.isFirst { device.restart() } }
                    }
                    return [.put(key, Data([2]))]
                }
            }
            device.with { $0.passcode = .unlocked }
            #expect(try storage.value(for: key) == Data([3]))
        }

        @Test(arguments: ["TEAM2.com.example.tv", "com.example.tv"])
        func saysWhatIsMissing_whenTheGroupIsNotTheApps(group: String) throws {
            let storage = KeychainStorage(service: "s", accessGroup: group)
            #expect(throws: StorageError.cannotRead(errno: errSecMissingEntitlement)) { try storage.value(for: key) }
            #expect(throws: StorageError.cannotRead(errno: errSecMissingEntitlement)) {
                try storage.apply([.put(key, Data())])
            }
            #expect(device.with(\.keychain).isEmpty)
        }

        /// An app loses its entitlement between reading and writing, as when a newer build replaces the app.
        @Test func saysWhatIsMissing_whenTheGroupIsLost() throws {
            let storage = KeychainStorage(service: "s", accessGroup: Self.shared)
            let device = device
            let key = key
            #expect(throws: StorageError.cannotWrite(errno: errSecMissingEntitlement)) {
                try storage.update { _ throws(StorageError) in
                    device.run(App("com.example.tv.Player", team: "TEAM1"))
                    return [.put(key, Data())]
                }
            }
        }

        @Test func undoesNoChange_ofAnotherApp() throws {
            let storage = KeychainStorage(service: "s")
            let other = StorageKey("b")
            let hasRun = Once()
            for value in [Data([1]), Data([2])] {
                // The first write is into an empty keychain, where the other app's item makes ours a second one. The
                // second write is into a keychain with an item.
                try storage.update { [key, device] present throws(StorageError) in
                    let count = try present.value(for: other)?.count ?? 0
                    if value != Data([2]) ? count == 0 : hasRun.isFirst {
                        device.run(.guide)
                        try KeychainStorage(service: "s").apply([.put(other, Data(count: count + 1))])
                        device.run(.player)
                    }
                    return [.put(key, value)]
                }
                #expect(try storage.value(for: key) == value)
            }
            #expect(try storage.value(for: other) == Data(count: 2))
            #expect(device.with(\.keychain).count == 1)
        }

        @Test func decidesAnew_whenTheItemIsRemoved_beforeItIsReplaced() throws {
            let storage = KeychainStorage(service: "s")
            try storage.apply([.put(key, Data([1]))])
            let hasRun = Once()
            try storage.update { [key, device] present throws(StorageError) in
                if hasRun.isFirst { device.with { $0.keychain = [] } }
                return [.put(key, (try present.value(for: key) ?? Data()) + Data([2]))]
            }
            #expect(try storage.value(for: key) == Data([2]))
        }

        /// Early versions wrote items without marks, and those before 3.7 wrote another accessibility.
        @Test func T43_takesOverAnItemWithoutAMark() throws {
            let storage = KeychainStorage(service: "s")
            try storage.apply([.put(key, Data([1]))])
            device.with { state in
                state.keychain[0].generic = nil
                state.keychain[0].accessible = kSecAttrAccessibleWhenUnlocked
            }
            #expect(try storage.value(for: key) == Data([1]))
            try storage.apply([.put(StorageKey("b"), Data([2]))])
            #expect(try storage.value(for: key) == Data([1]))
            let item = try #require(device.with(\.keychain).first)
            #expect(item.generic != nil && item.accessible == kSecAttrAccessibleAfterFirstUnlock)
        }

        /// The older keychain of a Mac ignores the access group and the accessibility.
        @Test func areInTheKeychainWithGroups_onAMac() throws {
            device.with { $0.isMac = true }
            let storage = KeychainStorage(service: "s", accessGroup: Self.shared)
            for value in 1...2 as ClosedRange<UInt8> { try storage.apply([.put(key, Data([value]))]) }
            #expect(try storage.value(for: key) == Data([2]) && KeychainStorage.mayUse(Self.shared))
            #expect(device.with(\.keychain).map(\.group) == [Self.shared])
        }

        /// A test without a host app, or a tool without a signature, has no keychain.
        @Test func saysWhatIsMissing_inAProgramWithoutEntitlements() throws {
            var program = App.player
            program.hasKeychain = false
            device.run(program)
            let storage = KeychainStorage(service: "s")
            #expect(throws: StorageError.cannotRead(errno: errSecMissingEntitlement)) { try storage.value(for: key) }
            #expect(throws: StorageError.cannotRead(errno: errSecMissingEntitlement)) {
                try storage.apply([.put(key, Data())])
            }
            #expect(!KeychainStorage.mayUse(Self.shared))
        }

        // MARK: - An update of the app that adds the group

        private static let own = "TEAM1.com.example.tv.Player"
        private static let withoutGroup = App("com.example.tv.Player", team: "TEAM1")

        /// Stores a value in a build of the app that does not have the group.
        private func storeWithoutGroup(_ changes: [StorageChange]) throws {
            device.run(Self.withoutGroup)
            try KeychainStorage(service: "s").apply(changes)
            device.run(.player)
        }

        /// Opens the item of the group as the updated app does.
        private static func updated(from group: String = Self.own) -> KeychainStorage {
            KeychainStorage(service: "s", accessGroup: shared, takingOver: group, staysOnDevice: false)
        }

        @Test(arguments: [own, "TEAM2.com.example.tv.Player"])
        func keepsTheContract_afterAnUpdate(group: String) throws {
            let violations = try StorageConformance.violations(isPersistent: true) { Self.updated(from: group) }
            #expect(violations == [] && device.with(\.keychain).map(\.group) == [Self.shared])
        }

        /// A value that the apps of the group share already stays.
        @Test(arguments: [false, true])
        func movesTheAppsOwnValues_intoTheGroup(isFilled: Bool) throws {
            let other = StorageKey("b")
            try storeWithoutGroup([.put(key, Data([1])), .put(other, Data([2]))])
            if isFilled { try KeychainStorage(service: "s", accessGroup: Self.shared).apply([.put(key, Data([3]))]) }
            let storage = Self.updated()
            #expect(try storage.value(for: key) == Data([isFilled ? 3 : 1]))
            #expect(try storage.value(for: other) == Data([2]))
            #expect(device.with(\.keychain).map(\.group) == [Self.shared])
            // After a logout, not even a build without the group finds a login.
            try storage.removeEverything()
            device.run(Self.withoutGroup)
            #expect(try KeychainStorage(service: "s").value(for: key) == nil)
        }

        @Test func isLocked_whileTheValuesCannotMove() throws {
            try storeWithoutGroup([.put(key, Data([1]))])
            let items = device.with(\.keychain)
            device.restart()
            let storage = Self.updated()
            #expect(throws: StorageError.locked) { try storage.value(for: key) }
            #expect(device.with(\.keychain) == items)
            device.with { $0.passcode = .unlocked }
            #expect(try storage.value(for: key) == Data([1]))
        }

        @Test(arguments: [KeychainCall.copyMatching, .add, .delete])
        func losesNothing_whenTheDeviceIsRestarted_whileValuesMove(at call: KeychainCall) throws {
            try storeWithoutGroup([.put(key, Data([1]))])
            device.with { $0.beforeKeychainCall = { [device] in if $0 == call { device.restart() } } }
            _ = try? Self.updated().value(for: key)
            device.with { $0.beforeKeychainCall = nil }
            device.with { $0.passcode = .unlocked }
            #expect(try Self.updated().value(for: key) == Data([1]))
            #expect(device.with(\.keychain).map(\.group) == [Self.shared])
        }

        @Test func movesValuesAnew_whenAnotherAppComesFirst() throws {
            try storeWithoutGroup([.put(key, Data([1]))])
            let other = StorageKey("b")
            let group = Self.shared
            let hasRun = Once()
            device.with {
                $0.beforeKeychainCall = { call in
                    guard call == .add, hasRun.isFirst else { return }
                    try? KeychainStorage(service: "s", accessGroup: group).apply([.put(other, Data([2]))])
                }
            }
            let storage = Self.updated()
            #expect(try storage.value(for: key) == Data([1]))
            #expect(try storage.value(for: other) == Data([2]))
            #expect(device.with(\.keychain).map(\.group) == [Self.shared])
        }

        /// The keychain does not find an item that it cannot decrypt any more, and does not add another one.
        @Test func isLocked_whileTheItemOfTheGroupIsNeitherFoundNorAdded() throws {
            try storeWithoutGroup([.put(key, Data([1]))])
            let group = Self.shared
            device.with {
                $0.beforeKeychainCall = { [device] call in
                    device.with { state in
                        state.keychain.removeAll { $0.group == group }
                        guard call == .add, var item = state.keychain.first else { return }
                        item.group = group
                        state.keychain.append(item)
                    }
                }
            }
            #expect(throws: StorageError.locked) { try Self.updated().value(for: key) }
            device.with { $0.beforeKeychainCall = nil }
            #expect(try Self.updated().value(for: key) == Data([1]))
        }

        /// Nothing moves, so that a repair of the damaged item loses nothing.
        @Test(arguments: [own, shared])
        func movesNothing_whileAnItemIsDamaged(group: String) throws {
            try storeWithoutGroup([.put(key, Data([1]))])
            try KeychainStorage(service: "s", accessGroup: Self.shared).apply([.put(key, Data([2]))])
            device.with { state in
                for index in state.keychain.indices where state.keychain[index].group == group {
                    state.keychain[index].value = Data([9])
                }
            }
            let items = device.with(\.keychain)
            #expect((try? Self.updated().value(for: key)) == (group == Self.own ? Data([2]) : nil))
            #expect(device.with(\.keychain) == items)
        }

        @Test func services_doNotSeeEachOther() throws {
            try KeychainStorage(service: "s").apply([.put(key, Data([1]))])
            #expect(try KeychainStorage(service: "t").value(for: key) == nil)
        }

        @Test func gives_up_asLocked_whenOthersAlwaysComeFirst() throws {
            let storage = KeychainStorage(service: "s")
            try storage.apply([.put(key, Data([1]))])
            #expect(throws: StorageError.locked) {
                try storage.update { [key] present throws(StorageError) in
                    let next = (try present.value(for: key)?.first ?? 0) &+ 1
                    try KeychainStorage(service: "s").apply([.put(key, Data([next]))])
                    return [.put(StorageKey("b"), Data())]
                }
            }
            #expect(try storage.value(for: StorageKey("b")) == nil)
        }

        @Test func survivesTheApp() throws {
            try KeychainStorage(service: "s").apply([.put(key, Data([1]))])
            device.delete(.player)
            device.run(.player)
            #expect(try KeychainStorage(service: "s").value(for: key) == Data([1]))
        }
    }
}
