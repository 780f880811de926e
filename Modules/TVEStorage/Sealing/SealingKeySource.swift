import Foundation
import TVEModels

/// The keys of a sealed store: the first one seals, all of them open.
final class SealingKeySource: Sendable {
    private enum Origin: Sendable {
        case given([SealingKey])
        case found(@Sendable () throws(StorageError) -> SealingKey)
        case file(SealingKeyFile)
    }

    private struct Known {
        var keys: [SealingKey]
        /// The file that the keys came from.
        var file: LogFile?
        /// Whether the name of that file is known to be on the medium.
        var isSettled = false
    }

    private let origin: Origin
    private let known = Guarded<Known?>(nil)

    init(_ keys: [SealingKey]) {
        origin = .given(keys)
    }

    init(_ findKey: @escaping @Sendable () throws(StorageError) -> SealingKey) {
        origin = .found(findKey)
    }

    init(_ file: SealingKeyFile) {
        origin = .file(file)
    }

    /// The keys for opening values.
    ///
    /// - Parameter isStale: whether the known keys do not open a value, so that the file is read again.
    /// - Throws: `StorageError.keyMissing` when there is no file; any error of finding the key.
    func keys(isStale: Bool = false) throws(StorageError) -> [SealingKey] {
        try known.withLock { known throws(StorageError) in
            if let known, !isStale { return known.keys }
            switch origin {
            case .given(let keys): return keys
            case .found(let findKey): return try Self.remember([try findKey()], nil, &known)
            case .file(let file):
                if isStale, let known, try file.inode() == known.file?.inode { return known.keys }
                guard let found = try file.key() else { throw .keyMissing }
                return try Self.remember([found.key], found.file, &known)
            }
        }
    }

    /// The key for sealing; called under the store's lock.
    ///
    /// A key from a file must still be in that file, or the values that it seals could never be opened again.
    ///
    /// - Parameter isEmpty: whether the store is empty, so that a new key makes no value unreadable.
    func sealingKey(_ isEmpty: () throws(StorageError) -> Bool) throws(StorageError) -> SealingKey {
        guard case .file(let file) = origin else { return try first(keys()) }
        return try known.withLock { known throws(StorageError) in
            let inode = try file.inode()
            if inode == nil {
                guard try isEmpty() else { throw .keyMissing }
                let made = try file.keyOrNew()
                known = Known(keys: [made.key], file: made.file, isSettled: true)
            } else if inode != known?.file?.inode {
                guard let found = try file.key() else { throw .keyMissing }
                known = Known(keys: [found.key], file: found.file)
            }
            if known?.isSettled == false {
                try file.flushName()
                known?.isSettled = true
            }
            return try first(known?.keys ?? [])
        }
    }

    private func first(_ keys: [SealingKey]) throws(StorageError) -> SealingKey {
        guard let key = keys.first else { throw .keyMissing }
        return key
    }

    private static func remember(
        _ keys: [SealingKey], _ file: LogFile?, _ known: inout sending Known?
    ) throws(StorageError) -> [SealingKey] {
        known = Known(keys: keys, file: file)
        return keys
    }
}
