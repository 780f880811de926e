public import Foundation
import Synchronization

/// A backend that keeps its values in one file, for one or several processes of the same user.
///
/// A batch is written as a new snapshot beside the old one, flushed to disk and renamed over it, under an advisory lock
/// that all processes take: a reader sees the snapshot before or after a batch, never one in between, and an
/// acknowledged batch survives a power cut. A snapshot carries a checksum; a damaged, foreign or newer file is reported
/// and left untouched. The directory gets mode 0700, the files 0600.
public final class FileStorage: StorageBackend {
    private let directory: URL
    private let patience: Int
    private let snapshot: Mutex<Cache>

    /// The last snapshot read, and the file it came from.
    private struct Cache {
        var values: [StorageKey: Data] = [:]
        var file: StorageFile.Snapshot?
    }

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameters:
    ///   - directory: a directory for this store alone; made with its parents when it is missing.
    ///   - patience: milliseconds a write waits for another process that is writing.
    public init(directory: URL, patience: Int = 5_000) {
        self.directory = directory
        self.patience = max(0, patience)
        self.snapshot = Mutex(Cache())
    }

    /// Where an app's store lives by convention.
    ///
    /// - Parameter name: the app's bundle id or another name that is its own.
    /// - Returns: `$XDG_DATA_HOME/swift-access-enabler/NAME`, by default below `~/.local/share`; on Apple systems
    ///   `Application Support/swift-access-enabler/NAME`.
    public static func defaultDirectory(name: String) -> URL {
        let environment = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = environment.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? systemDirectory
        return base.appendingPathComponent("swift-access-enabler", isDirectory: true)
            .appendingPathComponent(name.replacing("/", with: "_"), isDirectory: true)
    }

    private static var systemDirectory: URL {
        #if canImport(Darwin)
        return URL.applicationSupportDirectory
        #else
        return URL.homeDirectory.appendingPathComponent(".local/share", isDirectory: true)
        #endif
    }

    /// The value of a key, from the newest snapshot of any process.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        try read { $0[key] }
    }

    /// All keys that are this key or lie below it, from the newest snapshot of any process.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try read { $0.keys.filter { $0.isInside(ancestor) } }
    }

    /// Writes a new snapshot with all changes; returns once it is on disk.
    ///
    /// - Parameter batch: the changes, made in order.
    /// - Throws: any ``StorageError``; the old snapshot is still there then.
    public func apply(_ batch: [StorageChange]) throws(StorageError) {
        try snapshot.withLock { cache throws(StorageError) in
            try StorageFile.prepare(directory)
            let lock = try StorageFile.Lock(lockURL, patience: patience)
            defer { lock.release() }
            // What another process wrote since our last look must not be lost.
            try Self.refresh(&cache, from: fileURL)
            var values = cache.values
            for change in batch { values.apply(change) }
            guard values != cache.values else { return }
            let file = try StorageFile.replace(fileURL, with: SnapshotFormat.encode(values))
            cache = Cache(values: values, file: file)
        }
    }

    private var fileURL: URL { directory.appendingPathComponent("entitlements.store") }
    private var lockURL: URL { directory.appendingPathComponent("entitlements.lock") }

    private func read<Value: Sendable>(_ body: ([StorageKey: Data]) -> Value) throws(StorageError) -> Value {
        try snapshot.withLock { cache throws(StorageError) in
            try Self.refresh(&cache, from: fileURL)
            return body(cache.values)
        }
    }

    /// Reads the file again when it is not the one that was read last.
    private static func refresh(_ cache: inout Cache, from url: URL) throws(StorageError) {
        guard let identity = try StorageFile.identity(of: url) else {
            cache = Cache()
            return
        }
        guard identity != cache.file?.identity else { return }
        let file = try StorageFile.Snapshot(url)
        cache = Cache(values: try SnapshotFormat.decode(try file.read()), file: file)
    }
}
