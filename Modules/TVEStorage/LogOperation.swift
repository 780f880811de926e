import Foundation

/// One step of a record: what a log can say.
enum LogOperation {
    /// The key's value are these bytes.
    case put(StorageKey, Data)
    /// The key has no value.
    case remove(StorageKey)
    /// Neither the key nor any key below it has a value.
    case removeAll(StorageKey)

    /// Marker (1 byte), length of the key, the key; for a value its length and the value.
    func encode(into payload: inout Data) {
        switch self {
        case .put(let key, let value):
            Self.encode(1, key, into: &payload)
            payload.append(number: UInt32(value.count))
            payload.append(value)
        case .remove(let key): Self.encode(2, key, into: &payload)
        case .removeAll(let key): Self.encode(3, key, into: &payload)
        }
    }

    private static func encode(_ marker: UInt8, _ key: StorageKey, into payload: inout Data) {
        payload.append(marker)
        payload.append(number: UInt32(key.rawValue.utf8.count))
        payload.append(contentsOf: key.rawValue.utf8)
    }

    /// How many bytes a value takes, its key and a record of its own included.
    static func cost(_ key: StorageKey, _ count: Int) -> Int {
        LogFormat.recordHeaderLength + 9 + key.rawValue.utf8.count + count
    }

    /// Hands over the operations of a payload, with the offset of a value inside it.
    ///
    /// - Returns: false when the payload is not made of operations; some may have been handed over by then.
    static func decode(_ payload: Data, _ body: (_ step: Step) -> Void) -> Bool {
        payload.withUnsafeBytes { bytes in
            var offset = 0
            func number() -> Int? {
                guard offset + 4 <= bytes.count else { return nil }
                defer { offset += 4 }
                return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            }
            while offset < bytes.count {
                let marker = bytes[offset]
                offset += 1
                guard let length = number(), offset + length <= bytes.count,
                    let name = String(validating: bytes[offset..<(offset + length)], as: UTF8.self)
                else { return false }
                offset += length
                let key = StorageKey(rawValue: name)
                switch marker {
                case 1:
                    guard let count = number(), offset + count <= bytes.count else { return false }
                    body(.put(key, offset: offset, count: count))
                    offset += count
                case 2: body(.remove(key))
                case 3: body(.removeAll(key))
                default: return false
                }
            }
            return true
        }
    }

    /// An operation as it stands in a payload.
    enum Step {
        /// The value is at this offset of the payload.
        case put(StorageKey, offset: Int, count: Int)
        case remove(StorageKey)
        case removeAll(StorageKey)
    }
}
