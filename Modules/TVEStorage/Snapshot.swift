import Foundation

/// All values of a small store in one piece of bytes: a log with one record, and how often it was written.
struct Snapshot {
    var values: [StorageKey: Data] = [:]
    /// Counts up with every change, so that of two copies the newer one is known.
    var generation: UInt32 = 0

    /// No key that is made of components has this text: they write `%` as `%25`.
    private static let generationKey = StorageKey(rawValue: "%generation")

    init() {}

    /// Reads a snapshot; bytes that are none, damaged or of a newer version are an error.
    init(_ bytes: Data) throws(StorageError) {
        try LogFormat.check(header: bytes)
        let record = Data(bytes.dropFirst(LogFormat.headerLength))
        guard case .record(let payload, let length) = LogFormat.parse(record), length == record.count else {
            throw .damaged(.checksum)
        }
        // Offsets count from the payload's beginning.
        let content = Data(payload)
        var values: [StorageKey: Data] = [:]
        let isWhole = LogOperation.decode(content) { step in
            if case .put(let key, let offset, let count) = step {
                values[key] = content.subdata(in: offset..<(offset + count))
            }
        }
        guard isWhole, let number = values.removeValue(forKey: Self.generationKey), number.count == 4 else {
            throw .damaged(.checksum)
        }
        self.values = values
        generation = number.number(at: 0)
    }

    var bytes: Data {
        var payload = Data()
        var number = Data()
        number.append(number: generation)
        LogOperation.put(Self.generationKey, number).encode(into: &payload)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            LogOperation.put(key, value).encode(into: &payload)
        }
        return LogFormat.header + LogFormat.record(payload)
    }
}
