import Crypto
import Foundation
import TVEModels

/// The keys of a sealed store.
///
/// The first one seals values, and all of them open values.
final class SealingKeySource: Sendable {
    enum Origin: Sendable {
        case given([SealingKey])
        case found(@Sendable () throws(StorageError) -> SealingKey)
        case file(SealingKeyFile)
        case stored(in: any StorageBackend)
    }

    private struct Known {
        var keys: [SealingKey]
        /// The file that the keys came from.
        var file: LogFile?
        /// A Boolean value that indicates whether the name of that file is known to be on the medium.
        var isSettled = false
    }

    private let origin: Origin
    private let known = Guarded<Known?>(nil)

    init(_ origin: Origin) {
        self.origin = origin
    }

    /// - Parameter isStale: a Boolean value that indicates whether the known keys do not open a value, so that the key
    ///   is looked up again.
    /// - Throws: `StorageError.keyMissing` if there is no file, or any error of finding the key.
    func keys(isStale: Bool = false) throws(StorageError) -> [SealingKey] {
        try known.withLock { known throws(StorageError) in
            if let known, !isStale { return known.keys }
            switch origin {
            case .given(let keys): return keys
            case .found(let findKey):
                // If this throws, the known keys stay: a key that is unavailable proves nothing about a value.
                let found = try findKey()
                // The earlier keys stay, because they open what this process has sealed.
                let earlier = (known?.keys ?? []).filter { $0.identifier != found.identifier }
                known = Known(keys: [found] + earlier)
            case .file(let file):
                guard let found = try file.key() else { throw .keyMissing }
                known = Known(keys: [found.key], file: found.file)
            case .stored(let keychain): known = Known(keys: [try SealingKey.stored(in: keychain)])
            }
            return known?.keys ?? []
        }
    }

    /// Returns the key for sealing.
    ///
    /// The caller must hold the store's lock.
    ///
    /// A key from a file must still be in that file, because otherwise the values that it seals could never be opened
    /// again.
    ///
    /// - Parameter present: the store. A new key is created only if it makes no value unreadable.
    func sealingKey(in present: any StorageReading) throws(StorageError) -> SealingKey {
        guard case .file(let file) = origin else { return try first(keys()) }
        return try known.withLock { known throws(StorageError) in
            let identity = try file.identity()
            if identity == nil {
                guard try present.keys(under: .everything).isEmpty else { throw .keyMissing }
                let made = try file.keyOrNew()
                known = Known(keys: [made.key], file: made.file, isSettled: true)
            } else if let read = known?.file, read.identity == identity {
                // The file may have been overwritten in place.
                known?.keys = [try file.key(in: read)]
            } else {
                guard let found = try file.key() else { throw .keyMissing }
                known = Known(keys: [found.key], file: found.file)
            }
            if known?.isSettled == false {
                file.removeTemporaryName()
                try file.flushName()
                known?.isSettled = true
            }
            return try first(known?.keys ?? [])
        }
    }

    /// Throws an error if the app supplies the key and does not supply it now.
    ///
    /// Without the key, the records of logouts could not be sealed after everything was removed.
    func checkCanBeReplaced() throws(StorageError) {
        if case .found = origin { _ = try keys() }
    }

    /// Removes a stored key that can never seal or open a value, so that the next value gets a new one.
    ///
    /// - Parameter storage: the sealed store, from which everything was removed.
    func discardUnusable(of storage: any StorageBackend) throws(StorageError) {
        switch origin {
        case .given, .found: return
        case .stored(let keychain): try SealingKey.discardUnusable(in: keychain)
        case .file(let file):
            guard file.isUnusable else { return }
            // Only under the lock of the store is it certain that nobody creates a key meanwhile.
            try storage.update { present throws(StorageError) in
                if file.isUnusable, try present.keys(under: .everything).isEmpty { try file.setAside() }
                return []
            }
        }
    }

    private func first(_ keys: [SealingKey]) throws(StorageError) -> SealingKey {
        guard let key = keys.first else { throw .keyMissing }
        return key
    }
}

/// A file with a sealing key of 32 bytes, which only the owner can access.
struct SealingKeyFile: Sendable {
    /// A key and the file it was read from.
    struct Found {
        let key: SealingKey
        /// The file, which stays open so that the system does not reuse its inode.
        let file: LogFile
    }

    private let path: String
    private let directory: StorageDirectory
    private let system: StorageSystem

    init(_ url: URL, _ system: StorageSystem) {
        path = url.path
        directory = StorageDirectory(path: url.deletingLastPathComponent().path, system: system)
        self.system = system
    }

    /// Returns the current file, or nil if there is none.
    func identity() throws(StorageError) -> FileIdentity? { try system.status(of: path).map(FileIdentity.init) }

    /// Returns the current key, or nil if there is no file.
    func key() throws(StorageError) -> Found? {
        guard let file = try LogFile.open(path, system) else { return nil }
        return Found(key: try key(in: file), file: file)
    }

    /// Returns the key that an open file has now.
    func key(in file: LogFile) throws(StorageError) -> SealingKey {
        try SealingKey(SymmetricKey(data: try file.read(at: 0, count: 33)))
    }

    /// A Boolean value that indicates whether the file has another length than a key.
    var isUnusable: Bool {
        do throws(StorageError) {
            _ = try key()
            return false
        } catch {
            return error == .invalidKey
        }
    }

    /// Gives the file another name, because it may be anything but a key.
    func setAside() throws(StorageError) { try system.rename(path, to: "\(path).damaged") }

    /// Returns the current key, or a new one that is on the medium with its name.
    ///
    /// Two processes that create it at the same time get the same key.
    func keyOrNew() throws(StorageError) -> Found {
        if let found = try key() { return found }
        for parent in try directory.prepare() { try system.flushDirectory(parent) }
        // The file is written under a temporary name, and then linked to its name unless another process was faster.
        let finished = temporaryNames + UUID().uuidString
        let file = try LogFile.create(finished, system)
        defer { try? system.remove(finished) }
        try file.write(SymmetricKey(size: .bits256).withSpan { Data($0) }, at: 0)
        try file.flush()
        _ = try system.link(finished, as: path)
        try flushName()
        guard let found = try key() else { throw .keyMissing }
        return found
    }

    /// The beginning of the names under which new keys are written, which a UUID follows.
    private var temporaryNames: String { "\(path)." }

    /// Removes the temporary name of the current key, if a crash has left it.
    ///
    /// An operator who replaces the key file would not remove this second name, and the old key would remain on the
    /// medium.
    func removeTemporaryName() {
        guard let status = try? system.status(of: path), status.st_nlink > 1,
            let names = try? system.names(in: directory.path)
        else { return }
        for other in names.map({ "\(directory.path)/\($0)" }) where other.hasBytePrefix(temporaryNames) {
            let end = String(decoding: other.utf8.dropFirst(temporaryNames.utf8.count), as: UTF8.self)
            guard UUID(uuidString: end) != nil, let found = try? system.status(of: other) else { continue }
            if FileIdentity(found) == FileIdentity(status) { try? system.remove(other) }
        }
    }

    /// Waits until the file's name is on the medium.
    func flushName() throws(StorageError) { try directory.flush() }
}
