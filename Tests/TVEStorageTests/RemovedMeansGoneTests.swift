import Foundation
import TVEModels
import TVEStorage
import TVETestTraits
import Testing

/// No file of the store's directory contains permanently removed values any more.
@Suite(.oneAtATime)
struct RemovedMeansGoneTests {
    private let directory = TemporaryDirectory()
    private let secret: MVPDID = "the-secret-text-of-a-token"

    private func store() -> EntitlementStore { EntitlementStore(FileStorage(directory: directory.store)) }

    private var isInAnyFile: Bool { get throws { try directory.holds(Data(secret.text.utf8)) } }

    /// Stores a login whose token contains the secret, together with a larger amount of other values.
    private func plant(others: Int) throws {
        let backend = FileStorage(directory: directory.store, flushes: false)
        try backend.apply(
            (0..<others).map { number in
                .put(StorageKey("registration", "\(number)"), Data(repeating: UInt8(number & 255), count: 900))
            })
        let text = "P1,\(secret)"
        try store().save(TextTokens.authentication("P1", secret, text: text), metadata: nil)
        let permission = TextTokens.authorization("P1", secret, for: "R1", text: "P1,\(secret),R1")
        try store().save(permission, mvpdID: secret, metadata: nil)
        // A replaced token leaves its text in the log too.
        try store().save(TextTokens.authentication("P1", secret, text: "\(text)@5"), metadata: nil)
        #expect(try isInAnyFile)
    }

    enum Way: CaseIterable, Sendable {
        static let allCases = LoginEnd.allCases.map { Self.end($0) } + [.removeEverything, .failedCheck]

        case end(LoginEnd), removeEverything, failedCheck

        /// A Boolean value that indicates whether this way also removes the registrations of this test, which are
        /// invalid.
        var removesRegistrations: Bool {
            switch self {
            case .end(let end): end == .cleared
            case .removeEverything, .failedCheck: true
            }
        }
    }

    private func remove(_ way: Way) throws {
        let backend = FileStorage(directory: directory.store)
        switch way {
        case .end(let end):
            // Some ends retain names of the provider, in the choice and in a record, but its tokens are removed.
            try store().setCurrentProvider(nil, of: "P1")
            try store().clearCanAuthenticate(requestorID: "P1", mvpdID: secret)
            try carryOut(end, in: backend, mvpdID: secret)
        case .removeEverything: try backend.removeEverything()
        case .failedCheck:
            try backend.apply([.put(StorageKey("device", "seed"), Data())])
            #expect(store().check(.all).outcome == .cleared)
        }
    }

    @Test(arguments: Way.allCases, [0, 3, 200])
    func leavesNoByte_howeverMuchElseIsThere(way: Way, others: Int) throws {
        try plant(others: others)
        try remove(way)
        #expect(try !isInAnyFile)
        let left = FileStorage(directory: directory.store)
        let registrations = try left.keys(under: StorageKey("registration"))
        if !way.removesRegistrations { #expect(registrations.count == others) }
        #expect(try left.damage() == nil)
    }

    @Test(arguments: Way.allCases)
    func leavesNoByte_inWhatWasKeptAsideBefore(way: Way) throws {
        try plant(others: 3)
        // There is damage after the tokens, and a write sets the damaged log aside.
        try store().setCurrentProvider("other", of: "P2")
        try directory.flip(try directory.records().count - 3)
        try store().setCurrentProvider("another", of: "P2")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.store.path)
        #expect(names.contains("entitlements.damaged"))
        // A crash in the middle of a rewrite leaves these files.
        for name in ["entitlements.store.new", "entitlements.damaged.new", "entitlements.damaged-before"] {
            try Data(secret.text.utf8).write(to: directory.store.appendingPathComponent(name))
        }
        try remove(way)
        #expect(try !isInAnyFile)
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: directory.store.path)) == [
                "entitlements.store", "entitlements.lock",
            ])
    }

    /// A value that was removed in the ordinary way, or replaced, disappears with the next permanent removal of any
    /// value.
    @Test func takesOutdatedBytesAlong() throws {
        let backend = FileStorage(directory: directory.store)
        try backend.apply([.put(StorageKey("a"), Data(secret.text.utf8))])
        try backend.apply([.remove(StorageKey("a"))])
        #expect(try isInAnyFile)
        try FileStorage(directory: directory.store).apply([.removeAll(under: StorageKey("nothing"))])
        #expect(try !isInAnyFile)
    }

    /// The token of a household may be valid for long after the device has moved to another one.
    @Test(arguments: [false, true]) func aMembershipThatIsReplaced_leavesNoToken(isUnreadable: Bool) throws {
        let backend = FileStorage(directory: directory.store)
        let store = InstallationStore(backend: backend)
        func join(_ token: String) throws {
            let membership = StoredMembership(token: token, expires: Date(timeIntervalSince1970: 1), account: nil)
            try store.setMembership(membership, requestorID: "P1", fingerprint: "f")
        }
        try join(secret.text)
        #expect(try isInAnyFile)
        if isUnreadable {
            let key = try #require(try backend.keys(under: StorageKey("household")).first)
            try backend.apply([.put(key, Data("{}\(secret.text)".utf8))])
        }
        try join("another")
        #expect(try !isInAnyFile)
        #expect(try store.membership(requestorID: "P1", fingerprint: "f")?.token == "another")
    }

    /// A renewal that ends the membership leaves no token either, and one that does not stores the new token.
    @Test(arguments: [StoredMembership.State.left, .unlinked, .member])
    func aMembershipThatARenewalEnds_leavesNoToken(state: StoredMembership.State) throws {
        let store = InstallationStore(backend: FileStorage(directory: directory.store))
        let household = KeptMembership(in: store, requestorID: "P1", fingerprint: "f")
        let old = StoredMembership(token: secret.text, expires: Date(timeIntervalSince1970: 1), account: nil)
        #expect(try household.writeMembership(old, isFirst: true).isStored)
        #expect(try isInAnyFile)
        let token = state == .member ? "another" : ""
        var settled = StoredMembership(token: token, expires: Date(timeIntervalSince1970: 2), account: nil)
        settled.state = state
        #expect(household.replaceMembership(old, by: settled))
        if state != .member { #expect(try !isInAnyFile) }
        #expect(try store.membership(requestorID: "P1", fingerprint: "f") == settled)
    }

    /// Without a stored login, the logout removes nothing that would erase the token along with it.
    @Test func aMembershipThatALogoutEnds_leavesNoToken() throws {
        let installation = InstallationStore(backend: FileStorage(directory: directory.store))
        let membership = StoredMembership(token: secret.text, expires: Date(timeIntervalSince1970: 1), account: nil)
        try installation.setMembership(membership, requestorID: "P1", fingerprint: "f")
        #expect(try isInAnyFile)
        try store().change { entitlements throws(StorageError) in
            try entitlements.removeAllEntitlements()
            try entitlements.leaveHouseholds(but: nil)
        }
        #expect(try !isInAnyFile)
        #expect(try installation.membership(requestorID: "P1", fingerprint: "f") == nil)
    }

    /// A key that is rotated because others know it must open nothing that is valid now.
    @Test(arguments: [["a"], ["a", "a/b"], ["a/b", "c"]])
    func aRotation_leavesNoValueOfTheOldKey(names: [String])
        throws
    {
        let (old, new) = (SealingKey.random(), SealingKey.random())
        let backend = FileStorage(directory: directory.store)
        let keys = names.map { StorageKey(rawValue: $0) }
        try SealedStorage(backend, key: old).apply(keys.map { .put($0, Data(secret.text.utf8)) })
        let sealed = try keys.compactMap { try backend.value(for: $0) }
        #expect(try sealed.count == names.count && sealed.allSatisfy(directory.holds))
        #expect(try SealedStorage(backend, key: new, olderKeys: [old]).reseal() == names.count)
        #expect(try !sealed.contains(where: directory.holds))
        let rotated = SealedStorage(backend, key: new)
        #expect(try keys.allSatisfy { try rotated.value(for: $0) == Data(secret.text.utf8) })
    }

    @Test func theSanitizer_leavesNoByteOfAnotherDevice() throws {
        try plant(others: 3)
        let backend = FileStorage(directory: directory.store)
        let other = EntitlementStore(backend: backend, reader: TextTokens.reader, fingerprint: "another")
        #expect(try other.sanitize(.remove) > 0)
        #expect(try !isInAnyFile)
    }

    /// A damaged key belongs to nobody, and the logins of this device may be below it.
    @Test func theSanitizer_keepsWhatIsBelowAKeyOfNobody() throws {
        try store().save(TextTokens.authentication("P1", "A"), metadata: nil)
        try FileStorage(directory: directory.store).apply([.put(StorageKey("requestor", "P1"), Data([1]))])
        #expect(try store().sanitize(.remove) == 1)
        #expect(try store().authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
    }

    /// A key beside the log is not a leftover, whatever its name is.
    @Test(arguments: ["sealing.key", "entitlements.key", "entitlements.store.key"])
    func keepsTheSealingKey(name: String) throws {
        let key = directory.store.appendingPathComponent(name)
        let backend = SealedStorage.file(directory.store, key: key)
        try backend.apply([.put(StorageKey("a"), Data([1])), .put(StorageKey("b"), Data([2]))])
        let bytes = try Data(contentsOf: key)
        try backend.apply([.removeAll(under: StorageKey("a"))])
        try backend.removeEverything()
        #expect(try Data(contentsOf: key) == bytes)
    }

    /// The next write completes an erasure that a crash has interrupted.
    @Test func erasesWhatACrashHasLeft() throws {
        let faults = FaultPlan()
        let backend = FileStorage(directory: directory.store, system: faults.system)
        try backend.apply([.put(StorageKey("a"), Data(secret.text.utf8)), .put(StorageKey("b"), Data([1]))])
        // The first calls are those for the lock, two checks of the log, and one of the directory's names. Then the
        // record is written and flushed, and all later calls fail.
        var number = 0
        repeat {
            number += 1
            faults.arm(.init(number: number, fault: .error(EIO), lasts: true))
        } while (try? backend.apply([.removeAll(under: StorageKey("a"))])) == nil
        faults.arm(nil)
        #expect(try backend.value(for: StorageKey("a")) == nil)
        try FileStorage(directory: directory.store).apply([.put(StorageKey("b"), Data([2]))])
        #expect(try !isInAnyFile)
    }
}
