import AppleDevice
import Foundation
import TVEStorage
import TVETestSupport
import Testing

extension AppleSide {
    struct PasteboardTests {
        private let device = AppleDevice.takeNew()
        private let key = StorageKey("a")

        init() {
            device.run(.player)
        }

        private func board(_ generation: PasteboardGeneration = .team("TEAM1")) -> PasteboardStorage {
            PasteboardStorage(name: "entitlements", generation: generation)
        }

        @Test(arguments: [PasteboardGeneration.team("TEAM1"), .systemWide])
        func keepTheContract(generation: PasteboardGeneration) throws {
            #expect(try StorageConformance.violations(isPersistent: true) { board(generation) } == [])
        }

        @Test func T21_T34_areShared_byAppsOfATeam() throws {
            try board().apply([.put(key, Data([1]))])
            device.run(.guide)
            #expect(try board().value(for: key) == Data([1]))
            // The system separates teams, regardless of what an app claims.
            device.run(App("com.example.tv.Player", team: "TEAM2"))
            #expect(try board().value(for: key) == nil)
            try board().apply([.put(key, Data([2]))])
            device.run(.player)
            #expect(try board().value(for: key) == Data([1]))
        }

        @Test func T20_areSharedByAll_beforeIOS7() throws {
            device.with { $0.systemVersion = 6 }
            try board(.systemWide).apply([.put(key, Data([1]))])
            device.run(App("org.example.Other", team: "TEAM2"))
            #expect(try board(.systemWide).value(for: key) == Data([1]))
        }

        @Test func T22_areGone_afterTheUpgradeToIOS10() throws {
            device.with { $0.systemVersion = 9 }
            try board().apply([.put(key, Data([1]))])
            device.quit(.player)
            device.run(.player)
            #expect(try board().value(for: key) == Data([1]))
            device.upgrade(to: 10)
            #expect(try board().value(for: key) == nil)
            #expect(try board().damage() == nil)
        }

        @Test func areGone_whenTheAppThatMadeThemQuits() throws {
            try board().apply([.put(key, Data([1]))])
            device.quit(.guide)
            #expect(try board().value(for: key) == Data([1]))
            device.quit(.player)
            #expect(try board().value(for: key) == nil)
        }

        @Test func sayThatTheyAreAway() throws {
            try board().apply([.put(key, Data([1]))])
            device.with { $0.hasPasteboards = false }
            #expect(throws: StorageError.cannotRead(errno: EACCES)) { try board().value(for: key) }
            #expect(throws: StorageError.cannotRead(errno: EACCES)) { try board().apply([.put(key, Data([2]))]) }
            device.with { $0.hasPasteboards = true }
            #expect(try board().value(for: key) == Data([1]))
        }

        @Test func undoNoChange_thatCameBetween() throws {
            let hasRun = Once()
            try board().update { [key] _ throws(StorageError) in
                if hasRun.isFirst { try board().apply([.put(StorageKey("b"), Data([9]))]) }
                return [.put(key, Data([1]))]
            }
            #expect(try board().value(for: StorageKey("b")) == Data([9]))
            #expect(try board().value(for: key) == Data([1]))
        }
    }
}
