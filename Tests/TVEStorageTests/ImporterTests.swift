import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// The import of logins of older versions (API reference, C2, C4 and C5).
struct ImporterTests {
    private let backend = MemoryStorage()
    private let older = MemoryStorage()
    private let now = Date(timeIntervalSince1970: 1_000)
    private let slot = StorageKey("slot")
    private let map = StorageKey("map")

    private var store: EntitlementStore { EntitlementStore(backend) }

    private func keep(_ text: String, at key: StorageKey) { older.apply([.put(key, Data(text.utf8))]) }

    private func imported(_ layout: LegacyLayout, _ requestor: RequestorID = "P1") throws -> AuthenticationToken? {
        try store.importLogin(of: requestor, from: [LegacyStore(backend: older, layout: layout)], at: now)
    }

    @Test(.row("T-50")) func doesNothing_whenAValidLoginIsThere() throws {
        try store.save(TextTokens.authentication("P1", "A", expires: 2_000), metadata: nil)
        keep("P1,B@2000", at: slot)
        #expect(try imported(.singleSlot(slot)) == nil)
        #expect(try store.currentProvider(of: "P1") == "A")
    }

    @Test(.row("T-19", "T-43", "T-51")) func takesOverALogin_fromEveryOlderLayout() throws {
        keep("P1,A@2000", at: slot)
        keep("P1,A@2000", at: map.appending("P1"))
        keep("P1,A@2000", at: StorageKey("nested", "P1", "mvpd", "A", "authn"))
        for layout in [.singleSlot(slot), .perRequestor(map), .nestedMap(StorageKey("nested"))] as [LegacyLayout] {
            backend.apply([.removeAll(under: .everything)])
            #expect(try imported(layout)?.claims.mvpdID == "A")
            #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A")?.text.rawValue == "P1,A@2000")
            #expect(try store.currentProvider(of: "P1") == "A")
            // T-45: the older version still finds its login.
            #expect(older.keys(under: .everything).count == 3)
        }
    }

    /// Nobody can tell whether that place was read, and the others can still be read.
    @Test(.row("T-53")) func anUnreadableMark_keepsNoOtherPlaceFromTheImport() throws {
        keep("P1,A@2000", at: slot)
        let key = SealingKey.random()
        let sealed = SealedStorage(backend, key: key)
        let first = LegacyStore(backend: MemoryStorage(), layout: .singleSlot(slot), name: "first")
        let second = LegacyStore(backend: older, layout: .singleSlot(slot), name: "second")
        #expect(try EntitlementStore(sealed).importLogin(of: "P1", from: [first], at: now) == nil)
        let mark = try #require(backend.keys(under: StorageKey("imported")).first)
        backend.apply([.put(mark, Data([1, 2, 3]))])
        let token = try EntitlementStore(sealed).importLogin(of: "P1", from: [first, second], at: now)
        #expect(token?.claims.mvpdID == "A")
    }

    @Test(.row("T-52"), arguments: ["P1,A@1000", "P1,A@999", "rubbish", ""])
    func takesOverNothingThatIsNoValidToken(text: String) throws {
        keep(text, at: slot)
        #expect(try imported(.singleSlot(slot)) == nil)
        #expect(try store.currentProvider(of: "P1") == nil)
        #expect(backend.keys(under: StorageKey("requestor")) == [])
    }

    /// Up to 1.6 there was one place for all requestors, so the second login replaced the first one.
    @Test(.row("T-11")) func findsOnlyTheLastLogin_inASingleSlot() throws {
        keep("P1,A@2000", at: slot)
        keep("P2,B@2000", at: slot)
        #expect(try imported(.singleSlot(slot), "P1") == nil)
        #expect(try imported(.singleSlot(slot), "P2")?.claims.mvpdID == "B")
    }

    @Test(.row("T-54")) func takesOverNoLogin_ofAnotherRequestor() throws {
        keep("P2,A@2000", at: slot)
        #expect(try imported(.singleSlot(slot)) == nil)
        #expect(try imported(.singleSlot(slot), "P2") != nil)
    }

    @Test(.row("T-12")) func takesOverNoLogin_ofAnotherDevice() throws {
        keep("P1,A@2000", at: slot)
        let other = EntitlementStore(backend: backend, reader: TextTokens.reader, fingerprint: "another")
        let source = LegacyStore(backend: older, layout: .singleSlot(slot))
        #expect(try other.importLogin(of: "P1", from: [source], at: now) == nil)
    }

    /// Services also write the fingerprint in capitals.
    @Test func takesOverALogin_whoseFingerprintIsInCapitals() throws {
        keep("P1,A@2000", at: slot)
        let capitals = EntitlementStore(backend: backend, reader: TextTokens.reader(ofLogins: "F"), fingerprint: "f")
        let source = LegacyStore(backend: older, layout: .singleSlot(slot))
        #expect(try capitals.importLogin(of: "P1", from: [source], at: now) != nil)
        #expect(capitals.check(.report).problems == [])
    }

    @Test func takesTheNewestStore_andPassesOverThoseItCannotRead() throws {
        let broken = FaultyStorage()
        broken.set { $0.read = .unknownLayout }
        let newest = MemoryStorage()
        newest.apply([.put(slot, Data("P1,new@2000".utf8))])
        keep("P1,old@2000", at: slot)
        let backends: [any StorageBackend] = [broken, newest, older]
        let sources = backends.map { LegacyStore(backend: $0, layout: .singleSlot(slot)) }
        #expect(try store.importLogin(of: "P1", from: sources, at: now)?.claims.mvpdID == "new")
        #expect(try store.currentProvider(of: "P1") == "new")
    }

    @Test func replacesALoginThatHasRunOut_orCannotBeRead() throws {
        keep("P1,B@2000", at: slot)
        try store.save(TextTokens.authentication("P1", "A", expires: 900), metadata: nil)
        #expect(try imported(.singleSlot(slot))?.claims.mvpdID == "B")
        backend.apply([
            .removeAll(under: StorageKey("imported")),
            .put(StorageKey("requestor", "P1", "f", "mvpd", "B", "authn"), Data("rubbish".utf8)),
        ])
        #expect(try imported(.singleSlot(slot))?.claims.mvpdID == "B")
    }

    @Test(.row("T-53")) func takesALoginOverOnce_soThatALogoutIsNotUndone() throws {
        keep("P1,A@2000", at: slot)
        #expect(try imported(.singleSlot(slot)) != nil)
        try store.removeAllEntitlements()
        #expect(try imported(.singleSlot(slot)) == nil)
        #expect(try store.currentProvider(of: "P1") == nil)
    }

    private func imported(_ requestor: RequestorID, from names: [String]) throws -> AuthenticationToken? {
        let stores = names.map { LegacyStore(backend: older, layout: .perRequestor(StorageKey($0)), name: $0) }
        return try store.importLogin(of: requestor, from: stores, at: now)
    }

    /// An update adds a place after a login of this version was ended.
    @Test(arguments: LoginEnd.allCases)
    func whatWasEnded_doesNotComeBack_fromAPlaceThatAnUpdateAdds(end: LoginEnd) throws {
        keep("P1,B@2000", at: StorageKey("places", "P1"))
        try store.save(TextTokens.authentication("P1", "A", expires: 2_000), metadata: nil)
        keep("P2,B@2000", at: StorageKey("places", "P2"))
        try carryOut(end, in: backend)
        #expect(try imported("P1", from: ["places"]) == nil)
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") == nil)
        // Another requestor's login has not ended, unless the end concerns everybody.
        #expect(try (imported("P2", from: ["places"]) == nil) == end.isOfEverybody)
    }

    @Test func whatAFailedCheckHasCleared_doesNotComeBack() throws {
        keep("P1,B@2000", at: StorageKey("places", "P1"))
        try store.save(TextTokens.authentication("P1", "A", expires: 2_000), metadata: nil)
        backend.apply([.put(StorageKey("device", "seed"), Data())])
        #expect(store.check(.all).outcome == .cleared)
        #expect(try imported("P1", from: ["places"]) == nil)
    }

    /// A logout concerns all requestors, so another requestor's old login must not be imported after it.
    @Test(arguments: LoginEnd.allCases.filter(\.isOfEverybody))
    func whatWasEnded_doesNotComeBack_forAnotherRequestor(end: LoginEnd) throws {
        keep("P1,A@2000", at: StorageKey("places", "P1"))
        keep("P2,A@2000", at: StorageKey("places", "P2"))
        #expect(try imported("P1", from: ["places"]) != nil)
        try carryOut(end, in: backend)
        #expect(try imported("P2", from: ["places"]) == nil)
        #expect(try imported("P1", from: ["places", "more"]) == nil)
    }

    @Test(.row("T-53")) func aPlaceThatWasLookedAt_isNotLookedAtAgain_whenTheLoginOfThatTimeIsOver() throws {
        keep("P1,B@2000", at: StorageKey("places", "P1"))
        try store.save(TextTokens.authentication("P1", "A", expires: 1_500), metadata: nil)
        #expect(try imported("P1", from: ["places"]) == nil)
        try store.removeExpired(at: Date(timeIntervalSince1970: 1_600))
        #expect(try imported("P1", from: ["places"]) == nil)
        // A place that was never read is read.
        keep("P1,C@2000", at: StorageKey("more", "P1"))
        #expect(try imported("P1", from: ["places", "more"])?.claims.mvpdID == "C")
    }

    @Test(arguments: [.locked, .damaged(.checksum), .cannotRead(errno: EIO)] as [StorageError])
    func aPlaceThatCannotBeRead_isLookedAtTheNextTime(error: StorageError) throws {
        let broken = FaultyStorage()
        broken.memory.apply([.put(slot, Data("P1,A@2000".utf8))])
        broken.set { $0.read = error }
        let source = LegacyStore(backend: broken, layout: .singleSlot(slot))
        #expect(try store.importLogin(of: "P1", from: [source], at: now) == nil)
        broken.set { $0.read = nil }
        #expect(try store.importLogin(of: "P1", from: [source], at: now)?.claims.mvpdID == "A")
    }

    @Test func aValueThatCannotBeRead_isPassedOver_andThePlaceCountsAsLookedAt() throws {
        let broken = FaultyStorage()
        broken.memory.apply([.put(slot, Data("P1,A@2000".utf8))])
        broken.set { $0.read = .invalidValue(slot) }
        let source = LegacyStore(backend: broken, layout: .singleSlot(slot))
        #expect(try store.importLogin(of: "P1", from: [source], at: now) == nil)
        broken.set { $0.read = nil }
        #expect(try store.importLogin(of: "P1", from: [source], at: now) == nil)
    }

    @Test func aValueOnADamagedPlaceOfTheMedium_keepsNoOtherLoginFromTheImport() throws {
        let broken = FaultyStorage()
        for mvpdID in ["A", "B"] {
            let key = StorageKey("nested", "P1", "mvpd", mvpdID, "authn")
            broken.memory.apply([.put(key, Data("P1,\(mvpdID)@2000".utf8))])
        }
        broken.set { $0.unreadable = StorageKey("nested", "P1", "mvpd", "A", "authn") }
        let source = LegacyStore(backend: broken, layout: .nestedMap(StorageKey("nested")))
        #expect(try store.importLogin(of: "P1", from: [source], at: now)?.claims.mvpdID == "B")
    }

    /// The store has the mark of an earlier version.
    @Test func theMarkOfAnEarlierVersion_counts() throws {
        keep("P1,A@2000", at: slot)
        backend.apply([.put(StorageKey("imported", "P1", "f"), Data("1".utf8))])
        #expect(try imported(.singleSlot(slot)) == nil)
    }
}
