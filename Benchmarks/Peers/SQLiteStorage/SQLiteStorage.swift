public import Foundation
import GRDB
public import TVEStorage

/// A backend over SQLite with one table of keys and values (Documentation/WritingAStorageBackend.md).
public final class SQLiteStorage: StorageBackend {
    private let queue: DatabaseQueue

    /// A Boolean value that indicates whether the write-ahead log may contain removed data.
    ///
    /// It is true at first, because another process may have ended before it erased the data. The value is safe because
    /// only the queue's writes use it, and they run one at a time.
    private nonisolated(unsafe) var mustErase = true

    /// The time to wait for another handle, unless the caller has less patience.
    private static let patience = Duration.seconds(5)

    /// Opens a database and creates its table.
    ///
    /// - Parameter path: the path of the file, which is created if it is missing.
    /// - Throws: `StorageError.cannotWrite` if the file cannot be opened.
    public init(path: String) throws(StorageError) {
        var configuration = Configuration()
        // This setting waits for the transaction of another handle.
        configuration.busyMode = .timeout(Self.patience / Duration.seconds(1))
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // This setting overwrites removed data.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { database in
                // Keys are stored as bytes, because GRDB and SQLite end a text at its first zero byte.
                try database.execute(
                    sql: "CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
            }
        } catch {
            throw Self.failure(error, { .cannotWrite(errno: $0) })
        }
    }

    /// Returns the value of a key.
    ///
    /// - Parameter key: the key.
    /// - Returns: the bytes; `nil` if the key has no value.
    /// - Throws: a `StorageError` about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        try reading { try Self.value(for: key, in: $0) }
    }

    /// Returns a key and all keys below it, as far as they have values.
    ///
    /// - Parameter ancestor: the key.
    /// - Returns: the keys that have values.
    /// - Throws: a `StorageError` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try reading { try Self.keys(under: ancestor, in: $0) }
    }

    /// Reads, decides and writes in one transaction, which locks the database from its beginning.
    ///
    /// - Parameter body: a closure that reads the current values and returns the changes to make, in order.
    /// - Throws: the error of `body`, or a `StorageError` about writing. Then nothing has changed.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try update(patience: Self.patience, body)
    }

    /// Reads, decides and writes as ``update(_:)`` does, but waits at most this long for another handle.
    ///
    /// - Parameters:
    ///   - patience: the longest time to wait. A time longer than five seconds has no effect.
    ///   - body: the same as for ``update(_:)``.
    /// - Throws: `StorageError.locked` if another handle was writing all the time, the error of `body`, or a
    ///   `StorageError` about writing. Then nothing has changed.
    public func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        do {
            try queue.writeWithoutTransaction { database in
                let start = ContinuousClock.now
                var removesAll = false
                try Self.waiting(atMost: patience, in: database) {
                    try database.inTransaction(.immediate) {
                        for change in try body(Present(database: database)) {
                            try Self.make(change, in: database)
                            if case .removeAll = change { removesAll = true }
                        }
                        return .commit
                    }
                }
                if removesAll { mustErase = true }
                guard mustErase else { return }
                // The changes are made, so they have not failed if another handle reads from the log at this time. Then
                // the next write tries again, without a wait.
                let left = removesAll ? patience - start.duration(to: .now) : .zero
                let isErased = try? Self.waiting(atMost: left, in: database) {
                    try database.checkpoint(.truncate)
                    return true
                }
                mustErase = isErased != true
            }
        } catch let error as StorageError {
            throw error
        } catch {
            throw Self.failure(error, { .cannotWrite(errno: $0) })
        }
    }

    /// Runs statements, each of which waits at most this long for another handle.
    private static func waiting<Value>(
        atMost patience: Duration, in database: Database, _ body: () throws -> Value
    ) throws -> Value {
        guard patience < Self.patience else { return try body() }
        try setPatience(max(patience, .zero), in: database)
        defer { try? setPatience(Self.patience, in: database) }
        return try body()
    }

    private static func setPatience(_ patience: Duration, in database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = \(Int(patience / Duration.milliseconds(1)))")
    }

    /// The reader of values inside a transaction.
    private struct Present: StorageReading {
        let database: Database

        func value(for key: StorageKey) throws(StorageError) -> Data? {
            try reading { try SQLiteStorage.value(for: key, in: database) }
        }

        func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
            try reading { try SQLiteStorage.keys(under: ancestor, in: database) }
        }

        private func reading<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
            do {
                return try body()
            } catch {
                throw SQLiteStorage.failure(error, { .cannotRead(errno: $0) })
            }
        }
    }

    private static func value(for key: StorageKey, in database: Database) throws -> Data? {
        try Data.fetchOne(database, sql: "SELECT value FROM entry WHERE key = ?", arguments: [bytes(key)])
    }

    private static func keys(under ancestor: StorageKey, in database: Database) throws -> [StorageKey] {
        try Data.fetchAll(database, sql: "SELECT key FROM entry")
            .map { StorageKey(rawValue: String(decoding: $0, as: UTF8.self)) }.filter { $0.isInside(ancestor) }
    }

    private static func bytes(_ key: StorageKey) -> Data { Data(key.rawValue.utf8) }

    private static func make(_ change: StorageChange, in database: Database) throws {
        switch change {
        case .put(let key, let value):
            try database.execute(sql: "INSERT OR REPLACE INTO entry VALUES (?, ?)", arguments: [bytes(key), value])
        case .putIfAbsent(let key, let value):
            try database.execute(sql: "INSERT OR IGNORE INTO entry VALUES (?, ?)", arguments: [bytes(key), value])
        case .remove(let key):
            try database.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [bytes(key)])
        case .removeAll(let ancestor):
            for key in try keys(under: ancestor, in: database) {
                try database.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [bytes(key)])
            }
        }
    }

    private func reading<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
        do {
            return try queue.read(body)
        } catch {
            throw Self.failure(error, { .cannotRead(errno: $0) })
        }
    }

    /// Translates an error, so that a cause that passes by itself leads to no repair (`StorageError.passesByItself`).
    fileprivate static func failure(_ error: any Error, _ wrap: (Int32) -> StorageError) -> StorageError {
        guard let code = (error as? DatabaseError)?.resultCode else { return wrap(EIO) }
        return switch code {
        // The last one is another handle that is opening or closing the log at this time.
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .locked
        case .SQLITE_INTERRUPT: wrap(EINTR)
        case .SQLITE_FULL: wrap(ENOSPC)
        case .SQLITE_READONLY: wrap(EROFS)
        case .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN: wrap(EACCES)
        case .SQLITE_NOMEM: wrap(ENOMEM)
        default: wrap(EIO)
        }
    }
}
