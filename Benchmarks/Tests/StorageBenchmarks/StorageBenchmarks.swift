import Crypto
import Foundation
import Harness
import Stores
import TVEModels
import TVEStorage
import TVETokenCodec
import XCTest

/// The cost of checking stored tokens.
///
/// `StoragePeerBenchmarks` compares stores with databases.
final class StorageBenchmarks: XCTestCase {
    private let folder = StorePopulation.folder()

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func path(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Measures everything that a start checks: each value is read, decrypted and parsed, and its key and expiry are
    /// checked.
    func testStartUpValidation_againstItsParts() throws {
        let key = SealingKey.random()
        let partsKey = SymmetricKey(size: .bits256)
        for (size, goal) in zip(StorePopulation.sizes, [4, 1.2, 1.2, 1.2]) {
            let entries = StorePopulation.entries(size)
            let directory = path("sealed-\(size)")
            _ = try StorePopulation.fill(SealedStorage(FileStorage(directory: directory), key: key), with: entries)
            var contest = Contest("start-up check of \(size)", rounds: 11) { repetitions in
                for _ in 0..<repetitions { Self.check(directory, key: key, count: size) }
            }
            let reading = "4.5 to 5.6 of 10, 1.4 to 2.2 of 1,000, 1.4 to 1.5 of 10,000: the parts read no file."
            contest.peer(
                "its parts: open and parse values in memory",
                goal: .atMost(goal, knownUpTo: 2 * goal, because: reading)
            ) { repetitions in
                for _ in 0..<repetitions { Self.parts(entries, key: partsKey) }
            }
            XCTAssertEqual(contest.compare(), [])
        }
    }

    private static func check(_ directory: URL, key: SealingKey, count: Int) {
        let store = EntitlementStore(
            backend: SealedStorage(FileStorage(directory: directory), key: key),
            reader: StorePopulation.reader, fingerprint: StorePopulation.fingerprint)
        let report = store.check(.all)
        guard report.checked == count, report.problems.isEmpty else { return XCTFail("\(report)") }
    }

    /// The cost per token of the typed store is the same in a large store as in a small one, except for cache effects.
    ///
    /// A login is linear too, because it looks for what earlier logins with its provider have left behind.
    func testEntitlementStoreIsLinear() throws {
        let isLarge = ProcessInfo.processInfo.environment["TVE_LARGE"] != nil
        // So far apart that a quadratic call misses the goal by a factor of three.
        let sizes = isLarge ? [10_000, 100_000] : [2_000, 20_000]
        var seconds: [String: [Double]] = [:]
        for size in sizes {
            let entries = StorePopulation.entries(size)
            let backend = try StorePopulation.fill(
                FileStorage(directory: path("linear-\(size)"), flushes: false), with: entries)
            let store = EntitlementStore(
                backend: backend, reader: StorePopulation.reader, fingerprint: StorePopulation.fingerprint)
            let token = try XCTUnwrap(store.authenticationToken(requestorID: "REQ-7", mvpdID: "demo-cable"))
            let calls: [(String, () throws -> Void)] = [
                (
                    "login",
                    {
                        try store.change { entitlements throws(StorageError) in
                            try entitlements.save(token, metadata: nil)
                        }
                    }
                ),
                ("logins of all requestors", { XCTAssertEqual(try store.authenticationTokens().count, size) }),
                ("check", { XCTAssertEqual(store.check(.all).problems, []) }),
                ("sanitizing", { XCTAssertEqual(try store.sanitize(.remove), 0) }),
                ("expiry of none", { XCTAssertEqual(try store.removeExpired(at: .distantPast), 0) }),
                ("expiry of all", { XCTAssertEqual(try store.removeExpired(at: .distantFuture), size) }),
                (
                    "logout",
                    {
                        try store.change { entitlements throws(StorageError) in try entitlements.removeAllEntitlements()
                        }
                    }
                ),
            ]
            for (name, call) in calls {
                if name == "logout" {
                    // The expiry has left nothing to remove.
                    _ = try StorePopulation.fill(backend, with: entries)
                    XCTAssertEqual(try store.authenticationTokens().count, size)
                }
                var failure: (any Error)?
                let time = Contest.time {
                    do { try call() } catch { failure = error }
                }
                if let failure { throw failure }
                seconds[name, default: []].append(time / Double(size))
            }
            XCTAssertEqual(try store.authenticationTokens().count, 0)
        }
        for (name, times) in seconds.sorted(by: { $0.key < $1.key }) {
            let score = Score(
                question: "\(name), a token of \(sizes[1])", peer: "a token of \(sizes[0])",
                ours: Contest.text(times[1]), theirs: Contest.text(times[0]), ratio: times[1] / times[0],
                goal: .atMost(3))
            XCTAssertNil(Scoreboard.record(score))
        }
    }

    func testValidationOnAllCores_againstOneCore() throws {
        let size = 10_000
        let backend = try StorePopulation.fill(
            SealedStorage(FileStorage(directory: path("cores")), key: .random()), with: StorePopulation.entries(size))
        let store = EntitlementStore(
            backend: backend, reader: StorePopulation.reader, fingerprint: StorePopulation.fingerprint)
        let keys = try backend.keys(under: .everything)
        var contest = Contest("check of \(size) on \(ProcessInfo.processInfo.activeProcessorCount) cores", rounds: 11) {
            for _ in 0..<$0 {
                guard store.check(.all).problems.isEmpty else { return XCTFail() }
            }
        }
        // One thread decrypts and parses the same values, a portion at a time.
        contest.peer("values opened and parsed on one", goal: .atMost(1)) { repetitions in
            for _ in 0..<repetitions {
                for start in stride(from: 0, to: keys.count, by: 256) {
                    let portion = Array(keys[start..<min(start + 256, keys.count)])
                    for value in (try? backend.values(for: portion)) ?? [] {
                        guard let bytes = try? value.get(),
                            (try? TokenDecoder().authenticationToken(String(decoding: bytes, as: UTF8.self))) != nil
                        else { return XCTFail() }
                    }
                }
            }
        }
        XCTAssertEqual(contest.compare(), [])
    }

    /// The sealed values of the last population, which are stored so that sealing is not measured.
    private nonisolated(unsafe) static var boxes: [(key: Data, box: Data)] = []

    /// Does the least possible work, which is to decrypt and parse bytes in memory.
    private static func parts(_ entries: [(key: StorageKey, value: Data)], key: SymmetricKey) {
        if boxes.count != entries.count {
            boxes = entries.compactMap { entry in
                let name = Data(entry.key.rawValue.utf8)
                return (try? AES.GCM.seal(entry.value, using: key, authenticating: name).combined).map { (name, $0) }
            }
        }
        for (name, box) in boxes {
            guard let sealed = try? AES.GCM.SealedBox(combined: box),
                let value = try? AES.GCM.open(sealed, using: key, authenticating: name),
                (try? TokenDecoder().authenticationToken(String(decoding: value, as: UTF8.self))) != nil
            else { return XCTFail() }
        }
    }

    // MARK: - XCTest's own measurements: validation of each backend

    private func measureCheck(_ make: () throws -> any StorageBackend) throws {
        _ = try StorePopulation.fill(try make(), with: StorePopulation.entries(1_000))
        let store = EntitlementStore(
            backend: try make(), reader: StorePopulation.reader, fingerprint: StorePopulation.fingerprint)
        measure { XCTAssertEqual(store.check(.all).checked, 1_000) }
    }

    func testValidatesMemory() throws {
        let memory = MemoryStorage()
        try measureCheck { memory }
    }

    func testValidatesALog() throws { try measureCheck { FileStorage(directory: path("log")) } }

    func testValidatesASealedLog() throws {
        let key = SealingKey.random()
        try measureCheck { SealedStorage(FileStorage(directory: path("sealed")), key: key) }
    }

    func testValidatesAPasteboard() throws {
        try measureCheck { PasteboardStorage(name: "b", generation: .team("T"), boards: folder) }
    }
}
