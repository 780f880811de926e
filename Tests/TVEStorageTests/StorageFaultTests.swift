import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVEStorage

/// Every system call of every kind of write fails once.
///
/// Then acknowledged changes are stored, failed ones are not, and the next call finds an intact store.
@Suite(.oneAtATime)
struct StorageFaultTests {
    enum Step: CaseIterable, Sendable {
        case put, group, compaction, replacement, firstPut, logOut, firstSealedPut
    }

    enum Kind: CaseIterable, Sendable {
        case once, half, lasting, full
    }

    private static let secret = Data("the secret of a token".utf8)
    private static let token = StorageKey("requestor", "P", "f", "mvpd", "M", "authn")
    private static let later = StorageKey("later")

    private typealias Contents = [StorageKey: Data]

    /// A store with a token and other values, and with handles to read it.
    private final class Store {
        let directory: TemporaryDirectory
        let faults = FaultPlan()
        private let key: SealingKey?

        init(_ step: Step) throws {
            directory = TemporaryDirectory()
            key = step == .firstSealedPut ? nil : .random()
            guard step != .firstPut, step != .firstSealedPut else { return }
            let storage = try clean()
            for number in 0..<3 {
                try storage.apply([.put(StorageKey("\(number)"), Data(repeating: UInt8(number), count: 300))])
            }
            try storage.apply([.put(StorageFaultTests.token, StorageFaultTests.secret)])
            // The step replaces this value with a short one, and the log is rewritten because most of it is outdated.
            if step == .compaction { try storage.apply([.put(StorageKey("0"), Data(count: Self.longValue))]) }
        }

        /// The length of a value in bytes, with which the log is longer than one that is never rewritten.
        private static let longValue = 40_000

        /// A Boolean value that indicates whether the log has no room for the long value.
        var isRewritten: Bool { get throws { try Data(contentsOf: directory.file).count < Self.longValue } }

        /// Returns another process's handle, whose system calls work.
        ///
        /// It does not wait for the disk, which does not matter to any test of this suite.
        func clean() throws -> any StorageBackend {
            let log = FileStorage(directory: directory.store, flushes: false)
            return key == nil ? SealedStorage.file(log, FileStorage.sealingKey(in: directory.store)) : log
        }

        /// Returns the handle whose system calls fail.
        func faulty() -> (any StorageBackend, FileStorage) {
            let log = FileStorage(directory: directory.store, system: faults.system)
            guard key == nil else { return (log, log) }
            return (SealedStorage.file(log, FileStorage.sealingKey(in: directory.store)), log)
        }

        func contents() throws -> Contents { try clean().contents() }
    }

    /// Performs the step, and returns those of its changes that were acknowledged.
    private func run(
        _ step: Step, on storage: any StorageBackend, over log: FileStorage
    ) -> [[StorageChange]] {
        switch step {
        case .put, .compaction, .replacement, .firstPut, .firstSealedPut:
            var batch: [StorageChange] = [
                .put(StorageKey("new"), Data("one".utf8)), .put(StorageKey("1"), Data("two".utf8)),
            ]
            if step == .compaction { batch.append(.put(StorageKey("0"), Data(repeating: 5, count: 300))) }
            return (try? storage.apply(batch)) == nil ? [] : [batch]
        case .logOut:
            let batch: [StorageChange] = [
                .removeAll(under: StorageKey("requestor")), .put(StorageKey("note"), Data([1])),
            ]
            return (try? storage.apply(batch)) == nil ? [] : [batch]
        case .group: return group(log)
        }
    }

    /// Performs three updates that wait while a first one runs its body, and that then are written together.
    private func group(_ log: FileStorage) -> [[StorageChange]] {
        let acknowledged = Guarded<[[StorageChange]]>([])
        let waiting = DispatchGroup()
        try? log.update { _ in
            for number in 0..<3 {
                let batch = [StorageChange.put(StorageKey("group", "\(number)"), Data([UInt8(number)]))]
                waiting.enter()
                Thread.detachNewThread {
                    if (try? log.apply(batch)) != nil { acknowledged.withLock { $0.append(batch) } }
                    waiting.leave()
                }
            }
            // An update waits for this one until it returns, so all of them cannot end before.
            let end = ContinuousClock.now + .hanging
            while log.waiting.withLock(\.count) < 3, ContinuousClock.now < end {
                guard waiting.wait(timeout: .now() + .milliseconds(1)) == .timedOut else { break }
            }
            #expect(log.waiting.withLock(\.count) >= 3)
            return []
        }
        if waiting.wait(timeout: .now() + 600) == .timedOut { Issue.record("An update does not end.") }
        return acknowledged.withLock(\.self)
    }

    /// A partly written record is overwritten with zeros, so that no other process mistakes it for damage.
    @Test func aWriteThatFailed_leavesNothingToReport() throws {
        let store = try Store(.put)
        let isFirst = Guarded(true)
        let failing = FileStorage(
            directory: store.directory.store,
            system: StorageSystem(fault: { call in
                guard call == .write, isFirst.withLock(\.self) else { return nil }
                isFirst.withLock { $0 = false }
                return .half(EIO)
            }))
        #expect(throws: StorageError.self) { try failing.apply([.put(Self.later, Data(repeating: 7, count: 300))]) }
        #expect(try store.clean().damage() == nil)
    }

    /// The old log remains in use, and the new one leaves no file.
    @Test func aRewriteThatFails_leavesNoFile() throws {
        let store = try Store(.logOut)
        let log = FileStorage(
            directory: store.directory.store,
            system: StorageSystem(fault: { $0 == .rename ? .error(EIO) : nil }))
        try log.apply([.removeAll(under: StorageKey("requestor"))])
        let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.store.path)
        #expect(!names.contains { $0.hasSuffix(".new") })
    }

    /// Each call of a repair fails once, in turn, and the next repair finds all values.
    @Test(.timeLimit(.hanging)) func aRepairThatFails_removesNothing() throws {
        let expected = [Self.token: Self.secret, Self.later: Data([1])]
        var number = 0
        while true {
            let directory = TemporaryDirectory()
            try FileStorage(directory: directory.store).apply(expected.map { .put($0, $1) })
            try directory.flip(0)
            let faults = FaultPlan()
            let storage = FileStorage(directory: directory.store, system: faults.system)
            #expect(throws: StorageError.damaged(.checksum)) { try storage.value(for: Self.token) }
            faults.arm(.init(number: number, fault: .error(ENOSPC), lasts: true))
            _ = try? storage.setAside()
            guard faults.isPlayed else { break }
            faults.arm(nil)
            try storage.setAside()
            #expect(try storage.contents() == expected, "call \(number)")
            #expect(try FileStorage(directory: directory.store).contents() == expected, "call \(number)")
            number += 1
        }
        #expect(number > 10)
    }

    /// On a network file system, an open file can no longer be used after another machine has replaced it.
    @Test(arguments: [StorageSystem.Call.status, .read])
    func aFileThatAnotherMachineHasReplaced_isReadAnew(call: StorageSystem.Call) throws {
        let store = try Store(.put)
        let before = try store.contents()
        let isStale = Guarded(false)
        let log = FileStorage(
            directory: store.directory.store,
            system: StorageSystem(fault: { made in
                isStale.withLock { isStale in
                    guard isStale else { return nil }
                    // The path leads to the new file when it is opened, or looked at a second time.
                    if made == .open || (made == .status && call == .status) { isStale = false }
                    return made == call ? .error(ESTALE) : nil
                }
            }))
        #expect(try log.contents() == before)
        isStale.withLock { $0 = true }
        #expect(try log.contents() == before)
        #expect(isStale.withLock(\.self) == false)
        try log.apply([.put(Self.later, Data([1]))])
        #expect(try store.contents() == before.merging([Self.later: Data([1])]) { $1 })
    }

    /// The open file of the lock can no longer be used either if another machine has replaced the whole directory.
    @Test func aLockThatAnotherMachineHasReplaced_isOpenedAnew() throws {
        let store = try Store(.put)
        let before = try store.contents()
        let isStale = Guarded(false)
        let log = FileStorage(
            directory: store.directory.store,
            system: StorageSystem(fault: { made in
                isStale.withLock { isStale in
                    if made == .open { isStale = false }
                    return made == .lock && isStale ? .error(ESTALE) : nil
                }
            }))
        try log.apply([.put(Self.later, Data([1]))])
        isStale.withLock { $0 = true }
        try log.apply([.put(Self.later, Data([2]))])
        #expect(isStale.withLock(\.self) == false)
        #expect(try store.contents() == before.merging([Self.later: Data([2])]) { $1 })
    }

    /// The server no longer knows the directory, which is no lock of another process.
    @Test func aFileThatStaysStale_isReportedAsThat() throws {
        let store = try Store(.put)
        let log = FileStorage(
            directory: store.directory.store,
            system: StorageSystem(fault: { $0 == .read || $0 == .lock ? .error(ESTALE) : nil }))
        #expect(throws: StorageError.cannotRead(errno: ESTALE)) { try log.value(for: Self.token) }
        #expect(throws: StorageError.cannotWrite(errno: ESTALE)) { try log.apply([.put(Self.later, Data([1]))]) }
    }

    /// A log that may become readable again is not replaced by an empty one.
    @Test(arguments: [StorageSystem.Call.open, .status, .read])
    func removesNothingUnread_whileReadingFails(call: StorageSystem.Call) throws {
        let store = try Store(.put)
        let before = try store.contents()
        let log = FileStorage(
            directory: store.directory.store,
            system: StorageSystem(fault: { $0 == call ? .error(ENOMEM) : nil }))
        #expect(throws: StorageError.self) { try log.removeEverything() }
        #expect(try store.contents() == before)
    }

    @Test(.row("SE15"), .timeLimit(.hanging), arguments: Step.allCases, Kind.allCases)
    func keepsWhatWasAcknowledged_andNothingElse(step: Step, kind: Kind) throws {
        var number = 0
        while true {
            let store = try Store(step)
            if step == .replacement { try store.directory.flip(store.directory.records().count - 3) }
            let reader = try store.clean()
            let before = try reader.contents()
            let (storage, log) = store.faulty()
            let fault: StorageSystem.Fault =
                switch kind {
                case .once, .lasting: .error(EIO)
                case .half: .half(EIO)
                case .full: .error(ENOSPC)
                }
            store.faults.arm(.init(number: number, fault: fault, lasts: kind == .lasting))
            let acknowledged = run(step, on: storage, over: log)
            guard store.faults.isPlayed else {
                // The calls that failed were those of a rewrite too.
                if step == .compaction { #expect(try store.isRewritten) }
                break
            }
            let note: Comment = "call \(number)"
            var expected = before
            for change in acknowledged.joined() { expected.apply(change) }
            #expect(try store.contents() == expected, note)
            #expect(try reader.contents() == expected, note)
            store.faults.arm(nil)
            #expect(try storage.contents() == expected, note)
            // The same handle continues, and so does another process.
            try storage.apply([.put(Self.later, Data([9]))])
            expected[Self.later] = Data([9])
            #expect(try store.contents() == expected, note)
            #expect(try reader.contents() == expected, note)
            try store.clean().apply([.put(Self.later, Data([10]))])
            expected[Self.later] = Data([10])
            for handle in [storage, reader] { #expect(try handle.contents() == expected, note) }
            #expect(try store.clean().damage() == nil, note)
            if step == .logOut, !acknowledged.isEmpty { #expect(try !store.directory.holds(Self.secret), note) }
            number += 1
        }
        // The number is that of the step's calls, each of which has failed once.
        #expect(number > 5)
    }
}
