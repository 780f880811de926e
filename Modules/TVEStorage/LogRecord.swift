import Foundation

/// One record as it is written: the operations of one or several batches, there as a whole or not at all.
struct LogRecord {
    /// What an operation begins with.
    enum Marker {
        static let putWithoutChecksum: UInt8 = 1
        static let remove: UInt8 = 2
        static let removeAll: UInt8 = 3
        /// The last byte of every record, so that a record whose end is missing in a file of zeros is known as such.
        static let end: UInt8 = 4
        static let void: UInt8 = 5
        static let put: UInt8 = 6
        static let moved: UInt8 = 7
        static let note: UInt8 = 8
    }

    private var payload = Data()
    /// Over the payload without its values, so far.
    private var checksum: UInt32 = 0
    /// What the record does, with offsets from the beginning of its payload.
    private var steps: [LogStep] = []

    /// Whether nothing was added.
    var isEmpty: Bool { payload.isEmpty }

    /// How long the payload is.
    var count: Int { payload.count }

    mutating func put(_ key: StorageKey, _ value: Data, checksum: UInt32? = nil) {
        let checksum = checksum ?? LogFormat.checksum(value)
        add(Self.head(Marker.put, key) { head in
            head.append(number: UInt32(value.count))
            head.append(number: checksum)
        })
        steps.append(.put(key, LogIndex.Entry(offset: payload.count, count: value.count, checksum: checksum)))
        payload.append(value)
    }

    mutating func remove(_ key: StorageKey) {
        add(Self.head(Marker.remove, key))
        steps.append(.remove(key))
    }

    mutating func removeAll(under key: StorageKey) {
        add(Self.head(Marker.removeAll, key))
        steps.append(.removeAll(key))
    }

    /// A record of bytes that mean nothing.
    static func note(_ bytes: Data) -> LogRecord {
        var record = LogRecord()
        var head = Data([Marker.note])
        head.append(number: UInt32(bytes.count))
        record.add(head + bytes)
        record.steps.append(.note)
        return record
    }

    /// A record that takes back those from an offset on.
    static func void(from start: Int) -> LogRecord {
        var record = LogRecord()
        var head = Data([Marker.void])
        head.append(number: UInt32(truncatingIfNeeded: start))
        head.append(number: UInt32(truncatingIfNeeded: start >> 32))
        record.add(head)
        return record
    }

    /// A record that says that another file takes this one's place.
    static var moved: LogRecord {
        var record = LogRecord()
        record.add(Data([Marker.moved]))
        record.steps.append(.moved)
        return record
    }

    /// The bytes of the record.
    var bytes: Data {
        let length = payload.count + 1
        var bytes = Data(capacity: LogFormat.recordHeaderLength + length)
        let whole = CRC32C.checksum(Marker.end, continuing: checksum)
        bytes.append(number: UInt32(length))
        bytes.append(number: whole)
        bytes.append(number: LogFormat.checksum(bytes))
        bytes.append(payload)
        bytes.append(Marker.end)
        return bytes
    }

    /// What the record does when it stands at an offset of a file.
    func steps(at start: Int) -> [LogStep] {
        let start = start + LogFormat.recordHeaderLength
        return steps.map { step in
            guard case .put(let key, let entry) = step else { return step }
            return .put(
                key, LogIndex.Entry(offset: start + entry.offset, count: entry.count, checksum: entry.checksum))
        }
    }

    /// How many bytes a value takes, its key and a record of its own included.
    static func cost(_ key: StorageKey, _ count: Int) -> Int {
        LogFormat.recordHeaderLength + 14 + key.rawValue.utf8.count + count
    }

    private mutating func add(_ bytes: Data) {
        checksum = bytes.withUnsafeBytes { CRC32C.checksum($0, continuing: checksum) }
        payload.append(bytes)
    }

    private static func head(_ marker: UInt8, _ key: StorageKey, _ more: (inout Data) -> Void = { _ in }) -> Data {
        var head = Data(capacity: 16 + key.rawValue.utf8.count)
        head.append(marker)
        head.append(number: UInt32(key.rawValue.utf8.count))
        head.append(contentsOf: key.rawValue.utf8)
        more(&head)
        return head
    }
}
