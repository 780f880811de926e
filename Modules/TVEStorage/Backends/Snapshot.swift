import Foundation
import TVEModels

/// All values of a small store in one block of bytes, which is a log with one record and a generation.
struct Snapshot {
    var values: [StorageKey: Data] = [:]
    /// A number that grows with every change and so distinguishes the newer of two copies.
    var generation: UInt32 = 0

    /// A key made from components never has this text, because `%` is encoded as `%25`.
    private static let generationKey = StorageKey(rawValue: "%generation")

    init() {}

    /// Parses a snapshot, and throws for damaged bytes and for a newer version.
    init(_ bytes: Data) throws(StorageError) {
        var reader = LogRecordReader(version: try LogFormat.check(header: bytes))
        let content = Data(bytes.dropFirst(LogFormat.start(reader.version)))
        guard case .record(let length) = content.withSpan({ reader.read($0, at: 0) }), length == content.count
        else { throw .damaged(.checksum) }
        var values: [StorageKey: Data] = [:]
        for case .put(let key, let entry) in reader.operations {
            values[key] = content.subdata(in: entry.offset..<(entry.offset + entry.count))
        }
        guard let number = values.removeValue(forKey: Self.generationKey), number.count == 4 else {
            throw .damaged(.checksum)
        }
        self.values = values
        generation = number.number(at: 0)
    }

    /// The number of bytes that the values and the generation need at most.
    var size: Int {
        values.reduce(LogRecord.cost(Self.generationKey, 4)) { $0 + LogRecord.cost($1.key, $1.value.count) }
    }

    var bytes: Data {
        var record = LogRecord()
        var number = Data()
        number.append(number: generation)
        record.appendValue(number, for: Self.generationKey)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { record.appendValue(value, for: key) }
        return LogFormat.header + record.bytes()
    }
}
