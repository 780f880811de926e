import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVEStorage

/// Stores with a limit, above all the user defaults of tvOS.
@Suite(.oneAtATime)
struct CapacityTests {
    private let defaults = TemporaryDefaults()
    /// The preference in both suites.
    private let preference = "swift-access-enabler.entitlements"

    private var suite: String { defaults.suite }
    private var suites: [String] { defaults.suites }

    /// Returns a store in memory with a limit, and with a login.
    private func store(_ capacity: Int) throws -> (EntitlementStore, SmallStorage) {
        let backend = SmallStorage(capacity: capacity)
        let store = EntitlementStore(backend)
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        return (store, backend)
    }

    private func save(_ resource: Resource, until end: Int64, bytes: Int = 0, _ store: EntitlementStore) throws {
        let text = "P1,A,\(resource.text),\(String(repeating: "x", count: bytes))@\(end)"
        let token = TextTokens.authorization("P1", "A", for: resource, text: text, expires: end)
        try store.save(token, mvpdID: "A", metadata: nil)
    }

    private func has(_ resource: Resource, _ store: EntitlementStore) throws -> Bool {
        try store.authorizationToken(for: resource, requestorID: "P1", mvpdID: "A") != nil
    }

    /// An app shows ten new clips on each day, each with a permission for a day, and is never closed.
    ///
    /// The test covers two months, or a year with `TVE_LONG_TESTS=1`.
    @Test func anAppOfClipsThatIsNeverClosed_fits() throws {
        let (store, backend) = try store(8_192)
        var largest = 0
        for day in 1...Int64(LongTests.areOn ? 365 : 60) {
            let clips = (0..<10).map { Resource("clip \(day)/\($0)") }
            for clip in clips {
                try save(clip, until: day * 86_400, store)
                largest = max(largest, backend.size)
            }
            for clip in clips { #expect(try has(clip, store)) }
        }
        #expect(largest <= 8_192 && largest > 4_096)
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
        #expect(try store.currentProvider(of: "P1") == "A")
    }

    /// The first of two values is removed before the second one, for a new value that is stored although it expires
    /// before both.
    @Test(
        arguments: [
            ("expired before valid", 1_000, 9_000), ("oldest before newest", 9_000, 9_001),
            ("unreadable before expired", nil, 1),
        ] as [(String, Int64?, Int64)])
    func makesRoom(row: (name: String, first: Int64?, second: Int64)) throws {
        let (store, backend) = try store(10_000)
        let first = StoredEntry.authorization(store.login("P1", "A"), .text("first")).key
        if let end = row.first {
            try save("first", until: end, bytes: 4_000, store)
        } else {
            try backend.apply([.put(first, Data(count: 4_000))])
        }
        try save("second", until: row.second, bytes: 1_000, store)
        try save("new", until: 0, bytes: 6_000, store)
        #expect(try backend.value(for: first) == nil, "\(row.name)")
        #expect(try has("second", store) && has("new", store), "\(row.name)")
        #expect(backend.size <= 7_500)
    }

    @Test func whatARepairPutAside_goesFirst() throws {
        let (store, backend) = try store(10_000)
        let aside = StoredEntry.quarantine.appending("requestor")
        try backend.apply([.put(aside, Data(count: 4_000))])
        try save("kept", until: 1, bytes: 1_000, store)
        try save("new", until: 0, bytes: 6_000, store)
        #expect(try backend.value(for: aside) == nil && has("kept", store) && has("new", store))
    }

    /// A permission is only a copy of the service's answer, but a login is not.
    @Test func aPermissionThatDoesNotFit_isNotKept_andALoginIsRefused() throws {
        let (store, backend) = try store(1_000)
        let large = String(repeating: "x", count: 2_000)
        let permission = TextTokens.authorization("P1", "A", for: "R", text: "P1,A,R,\(large)")
        try store.save(permission, mvpdID: "A", metadata: nil)
        #expect(try !has("R", store))
        let before = backend.size
        #expect(throws: StorageError.tooLarge(limit: 1_000)) {
            try store.save(TextTokens.authentication("P2", "A", text: "P2,A@\(large)"), metadata: nil)
        }
        #expect(backend.size == before)
        // A store that is too large already can become smaller.
        try backend.apply([.put(StorageKey("other"), Data(large.utf8))])
        try store.removeAllEntitlements()
        #expect(backend.size < before + 2_100)
    }

    // MARK: - Keys

    /// The token contains the text of a resource, and the key contains it only if it is short.
    @Test(arguments: [64, 65])
    func longResourcesAreHashed(length: Int) throws {
        let (store, backend) = try store(100_000)
        let resource = Resource(String(repeating: "x", count: length))
        try save(resource, until: 1, store)
        let key = try #require(
            try backend.keys(under: StoredEntry.entitlements).first { $0.rawValue.contains("authz") })
        #expect(key.rawValue.contains(resource.text) == (length == 64))
        #expect(key.rawValue.utf8.count < 110)
        #expect(try has(resource, store))
        #expect(store.check(.report).problems.isEmpty && store.check(.report).unknownEntries.isEmpty)
        try store.change { entitlements throws(StorageError) in
            try entitlements.removeAuthorization(for: resource, requestorID: "P1", mvpdID: "A")
        }
        #expect(try !has(resource, store))
    }

    @Test func permissionsOfEarlierVersions_areReadAndReplaced() throws {
        let (store, backend) = try store(100_000)
        let resource = Resource(String(repeating: "x", count: 100))
        let old = StoredEntry.authorization(store.login("P1", "A"), .text(resource)).key
        try backend.apply([.put(old, Data(TextTokens.authorization("P1", "A", for: resource).text.rawValue.utf8))])
        #expect(try has(resource, store) && store.check(.report).problems.isEmpty)
        try save(resource, until: 1, store)
        #expect(try backend.value(for: old) == nil && has(resource, store))
        try store.removeEntitlements(of: "P1")
        #expect(try !has(resource, store))
    }

    // MARK: - User defaults

    /// tvOS warns an app at 512 KB.
    @Test(arguments: [false, true])
    func userDefaultsStayBelowTheSystemsLimit(isMRSS: Bool) throws {
        let storage = UserDefaultsStorage(suiteName: suite, capacity: 256 << 10, keepsCopy: false)
        let store = EntitlementStore(storage)
        try store.save(TextTokens.authentication("P1", "A"), metadata: nil)
        let token = String(repeating: "t", count: 700)
        for portion in 0..<10 {
            try store.change { entitlements throws(StorageError) in
                for number in 0..<100 {
                    let name = "clip \(portion)-\(number)"
                    let resource = isMRSS ? Resource.mrss(channel: name) : Resource(name)
                    let text = "P1,A,\(resource.text),\(token)@\(portion * 100 + number + 1)"
                    try entitlements.save(
                        TextTokens.authorization("P1", "A", for: resource, text: text), mvpdID: "A", metadata: nil)
                }
            }
        }
        let sizes = suites.map { UserDefaults(suiteName: $0)?.data(forKey: preference)?.count }
        let size = try #require(sizes[0])
        #expect(size < 300 << 10 && size > 128 << 10 && sizes[1] == nil)
        #expect(try store.authenticationToken(requestorID: "P1", mvpdID: "A") != nil)
    }

    /// Apple's systems need one copy, but an earlier version wrote two.
    @Test(arguments: [false, true])
    func theSecondCopyOfAnEarlierVersion_isReadAndRemoved(firstIsLost: Bool) throws {
        let key = StorageKey("a")
        try UserDefaultsStorage(suiteName: suite, capacity: nil, keepsCopy: true).apply([.put(key, Data([1]))])
        if firstIsLost { UserDefaults(suiteName: suite)?.removeObject(forKey: preference) }
        let storage = UserDefaultsStorage(suiteName: suite, capacity: nil, keepsCopy: false)
        #expect(try storage.value(for: key) == Data([1]))
        // Even an empty change removes the second copy.
        try storage.apply([])
        #expect(UserDefaults(suiteName: suites[1])?.data(forKey: preference) == nil)
        #expect(try UserDefaultsStorage(suiteName: suite, capacity: nil, keepsCopy: false).value(for: key) == Data([1]))
        try storage.apply([.put(key, Data([2]))])
        #expect(UserDefaults(suiteName: suites[1])?.data(forKey: preference) == nil)
        #expect(try storage.value(for: key) == Data([2]))
    }

    @Test func wrappersHaveTheLimitOfWhatTheyWrap() {
        let inner = UserDefaultsStorage(suiteName: suite)
        #expect(SealedStorage(inner, key: .random()).capacity == 256 << 10)
        #expect(MemoryStorage().capacity == nil)
    }
}

/// A store in memory with a limit.
private final class SmallStorage: StorageBackend {
    private let memory = MemoryStorage()
    let capacity: Int?

    init(capacity: Int) {
        self.capacity = capacity
    }

    var size: Int {
        memory.keys(under: .everything).reduce(0) { $0 + $1.rawValue.utf8.count + (memory.value(for: $1)?.count ?? 0) }
    }

    func value(for key: StorageKey) throws(StorageError) -> Data? { memory.value(for: key) }
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { memory.keys(under: ancestor) }
    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try memory.update(body)
    }
}
