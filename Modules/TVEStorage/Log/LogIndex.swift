import Foundation
import TVEModels

/// The locations of the values in a log.
struct LogIndex {
    /// The location of a value in the file, and the value's checksum.
    struct Entry: Equatable {
        let offset: Int
        let count: Int
        let checksum: UInt32
    }

    private(set) var entries: [StorageKey: Entry] = [:]
    /// The number of bytes that the values would need in a log that contains nothing else.
    private(set) var liveBytes = 0

    /// Applies an operation of a record.
    ///
    /// Operations about the file have no effect here.
    mutating func apply(_ operation: LogOperation) {
        switch operation {
        case .put(let key, let entry): setEntry(entry, for: key)
        case .remove(let key): setEntry(nil, for: key)
        case .removeAll(let ancestor):
            for key in entries.keys.filter({ $0.isInside(ancestor) }) { setEntry(nil, for: key) }
        case .void, .note: break
        }
    }

    private mutating func setEntry(_ entry: Entry?, for key: StorageKey) {
        let old = if let entry { entries.updateValue(entry, forKey: key) } else { entries.removeValue(forKey: key) }
        if let old { liveBytes -= LogRecord.cost(key, old.count) }
        if let entry { liveBytes += LogRecord.cost(key, entry.count) }
    }
}

/// The place of a value in one handle's view of a log, which no other value ever has.
struct ValuePlace: Sendable, Equatable {
    let generation: UInt64
    /// The offset of the value, or nil if the key has none.
    let offset: Int?
}

/// The locations of several keys' values in a log.
///
/// Written bytes never change, and an open file remains readable after its name was removed. Therefore the values can
/// be read while others write.
struct LogLocations: Sendable {
    let file: LogFile?
    let keys: [StorageKey]
    let entries: [LogIndex.Entry?]

    /// The longest gap, in bytes, that is read together with its neighbours, because reading it is cheaper than
    /// skipping it.
    private static let smallGap = 4_096

    /// Reads the values, adjacent ones together.
    func values() -> [Result<Data?, StorageError>] {
        var values: [Result<Data?, StorageError>] = []
        values.reserveCapacity(keys.count)
        var piece = Data()
        var start = 0
        for number in keys.indices {
            guard let entry = entries[number], let file else {
                values.append(.success(nil))
                continue
            }
            if entry.offset < start || entry.offset + entry.count > start + piece.count {
                start = entry.offset
                do throws(StorageError) {
                    piece = try file.read(at: start, count: pieceLength(from: number, entry))
                } catch {
                    piece = Data()
                    values.append(.failure(error))
                    continue
                }
            }
            values.append(Self.value(in: piece, at: entry.offset - start, entry, key: keys[number]))
        }
        return values
    }

    private static func value(
        in piece: Data, at offset: Int, _ entry: LogIndex.Entry, key: StorageKey
    ) -> Result<Data?, StorageError> {
        guard offset + entry.count <= piece.count else { return .failure(.damaged(.truncated)) }
        return piece.withSpan { bytes in
            let value = bytes.extracting(offset..<(offset + entry.count))
            guard CRC32C.checksum(value) == entry.checksum else { return .failure(.invalidValue(key)) }
            return .success(Data(value))
        }
    }

    /// Returns the number of bytes to read at once, which extends as far as the next keys' values follow closely.
    private func pieceLength(from number: Int, _ first: LogIndex.Entry) -> Int {
        var end = first.offset + first.count
        for next in entries[(number + 1)...] {
            guard let next, next.offset >= end, next.offset - end <= Self.smallGap,
                next.offset + next.count - first.offset <= StorageLog.chunk
            else { break }
            end = next.offset + next.count
        }
        return end - first.offset
    }
}
