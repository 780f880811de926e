import Foundation

/// Several values at once.
extension StorageLog {
    /// The keys below another one, in the order in which their values stand in the file.
    func keys(under ancestor: StorageKey) -> [StorageKey] {
        let found = index.entries.filter { $0.key.isInside(ancestor) }
        return found.sorted { $0.value.offset < $1.value.offset }.map(\.key)
    }

    /// The values of several keys; those that stand close together are read in one piece.
    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        var values: [Result<Data?, StorageError>] = []
        values.reserveCapacity(keys.count)
        var (piece, start) = (Data(), 0)
        for (number, key) in keys.enumerated() {
            guard let entry = index.entries[key], let file else {
                values.append(.success(nil))
                continue
            }
            if entry.offset < start || entry.offset + entry.count > start + piece.count {
                start = entry.offset
                let count = pieceLength(keys[number...], from: entry)
                do throws(StorageError) {
                    piece = try file.read(at: start, count: count)
                } catch {
                    values.append(.failure(error))
                    continue
                }
            }
            let offset = entry.offset - start
            guard offset + entry.count <= piece.count else {
                values.append(.failure(.damaged(.truncated)))
                continue
            }
            let value = piece.subdata(in: offset..<(offset + entry.count))
            values.append(LogFormat.checksum(value) == entry.checksum ? .success(value) : .failure(.invalidValue(key)))
        }
        return values
    }

    /// How many bytes to read at once: as far as the next keys' values follow closely.
    private func pieceLength(_ keys: ArraySlice<StorageKey>, from first: LogIndex.Entry) -> Int {
        var end = first.offset + first.count
        for key in keys.dropFirst() {
            guard let entry = index.entries[key], entry.offset >= end, entry.offset - end <= Self.smallGap,
                entry.offset + entry.count - first.offset <= Self.chunk
            else { break }
            end = entry.offset + entry.count
        }
        return end - first.offset
    }

    /// Bytes between two values that are cheaper to read than to leave out.
    private static let smallGap = 4_096
}
