public import Foundation
public import GRDB
public import TVEStorage

/// A backend over SQLite: one table of keys and values (Documentation/WritingAStorageBackend.md).
public final class SQLiteStorage: StorageBackend {
    private let queue: DatabaseQueue

    /// Opens a database and makes its table.
    ///
    /// - Parameter path: where the file is; made when it is missing.
    /// - Throws: `StorageError.cannotWrite` when it cannot be opened.
    public init(path: String) throws(StorageError) {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { database in
                try database.execute(
                    sql: "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
            }
        } catch {
            throw Self.failure(error, { .cannotWrite(errno: $0) })
        }
    }

    /// The value of a key.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: `StorageError` about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? {
        try reading { database in
            try Data.fetchOne(database, sql: "SELECT value FROM entry WHERE key = ?", arguments: [key.rawValue])
        }
    }

    /// All keys that are this key or lie below it.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: `StorageError` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try reading { try String.fetchAll($0, sql: "SELECT key FROM entry") }
            .map(StorageKey.init(rawValue:)).filter { $0.isInside(ancestor) }
    }

    /// Makes all changes in one transaction.
    ///
    /// - Parameter batch: the changes, made in order.
    /// - Throws: `StorageError` about writing; nothing has changed then.
    public func apply(_ batch: [StorageChange]) throws(StorageError) {
        do {
            try queue.write { database in
                for change in batch { try Self.make(change, in: database) }
            }
        } catch {
            throw Self.failure(error, { .cannotWrite(errno: $0) })
        }
    }

    private static func make(_ change: StorageChange, in database: Database) throws {
        switch change {
        case .put(let key, let value):
            try database.execute(
                sql: "INSERT OR REPLACE INTO entry VALUES (?, ?)", arguments: [key.rawValue, value])
        case .putIfAbsent(let key, let value):
            try database.execute(sql: "INSERT OR IGNORE INTO entry VALUES (?, ?)", arguments: [key.rawValue, value])
        case .remove(let key):
            try database.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [key.rawValue])
        case .removeAll(let ancestor):
            let keys = try String.fetchAll(database, sql: "SELECT key FROM entry")
            for key in keys where StorageKey(rawValue: key).isInside(ancestor) {
                try database.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [key])
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

    private static func failure(_ error: any Error, _ wrap: (Int32) -> StorageError) -> StorageError {
        (error as? DatabaseError)?.resultCode == .SQLITE_BUSY ? .locked : wrap(EIO)
    }
}
