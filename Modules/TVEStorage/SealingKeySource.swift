import Foundation
import TVEModels

/// Where a sealed store has its keys from: the first one seals, all of them open.
final class SealingKeySource: Sendable {
    private enum Origin: Sendable {
        case given([SealingKey])
        case found(@Sendable () throws(StorageError) -> SealingKey)
        case file(SealingKeyFile)
    }

    private struct Known {
        var keys: [SealingKey]
        /// The file they are from.
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

    /// The keys to open values with.
    ///
    /// - Parameter isStale: whether the keys that are known do not open a value, and a file is looked at again.
    /// - Throws: `StorageError.keyMissing` when there is no file; whatever finding the key throws.
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

    /// The key to seal with; called while nobody else can write to the store.
    ///
    /// A key from a file must still be in that file, or what it seals could never be opened again.
    ///
    /// - Parameter isEmpty: whether nothing is in the store yet, so that a new key shuts nothing out.
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
