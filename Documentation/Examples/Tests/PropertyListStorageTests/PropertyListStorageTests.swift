import Foundation
import PropertyListStorage
import TVEStorage
import TVETestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
final class PropertyListStorageTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let key = StorageKey("a")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @Test
    func keepsThePromisesOfABackend() throws {
        let violations = try StorageConformance.violations(isPersistent: true) { PropertyListStorage(folder: folder) }
        #expect(violations == [])
    }

    @Test
    func givesUpAtOnce_whenTheCallerHasNoPatience() throws {
        let other = PropertyListStorage(folder: folder)
        // While this body runs, the handle holds `values.lock`.
        try PropertyListStorage(folder: folder).update { _ throws(StorageError) in
            let time = ContinuousClock().measure {
                #expect(throws: StorageError.locked) { try other.update(patience: .zero) { _ in [] } }
            }
            // Without a limit, the call waits for five seconds.
            #expect(time < .seconds(4))
            return []
        }
    }

    @Test(arguments: [Data(), Data("garbage".utf8)])
    func canBeEmptied_whenTheListCannotBeRead(bytes: Data) throws {
        try bytes.write(to: folder.appendingPathComponent("values.plist"))
        let storage = PropertyListStorage(folder: folder)
        #expect(throws: StorageError.damaged(.checksum)) { try storage.apply([.put(key, Data([1]))]) }
        try storage.removeEverything()
        try storage.apply([.put(key, Data([1]))])
        #expect(try storage.value(for: key) == Data([1]))
    }

    @Test
    func keepsAListThatCannotBeRead_untilValuesAreRemoved() throws {
        let garbage = Data("garbage".utf8)
        let damaged = folder.appendingPathComponent("values.damaged")
        try garbage.write(to: folder.appendingPathComponent("values.plist"))
        let storage = PropertyListStorage(folder: folder)
        try storage.setAside()
        #expect(try Data(contentsOf: damaged) == garbage)
        try storage.apply([.put(key, Data([1]))])
        // This list can be read, so it stays.
        try storage.setAside()
        #expect(try storage.value(for: key) == Data([1]))
        try storage.apply([.removeAll(under: key)])
        #expect(!FileManager.default.fileExists(atPath: damaged.path))
    }
}
