import Foundation
import LibSQLite3

/// SQLite through its C interface, with prepared statements, as a careful app would write it by hand.
public final class BareSQLite {
    private var database: OpaquePointer?
    private var put: OpaquePointer?
    private var get: OpaquePointer?
    private var all: OpaquePointer?

    /// Opens a database in write-ahead mode.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - isDurable: `true` if a commit waits for the medium (`synchronous = FULL`).
    public init(path: String, isDurable: Bool) {
        check(sqlite3_open(path, &database))
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
        run("CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        check(sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO entry VALUES (?, ?)", -1, &put, nil))
        check(sqlite3_prepare_v2(database, "SELECT value FROM entry WHERE key = ?", -1, &get, nil))
        check(sqlite3_prepare_v2(database, "SELECT key, value FROM entry", -1, &all, nil))
    }

    deinit {
        for statement in [put, get, all] { sqlite3_finalize(statement) }
        sqlite3_close(database)
    }

    /// Stores a value in its own transaction.
    public func put(_ key: String, _ value: Data) {
        sqlite3_bind_text(put, 1, key, -1, Self.copied)
        _ = value.withUnsafeBytes { sqlite3_bind_blob(put, 2, $0.baseAddress, Int32($0.count), Self.copied) }
        guard sqlite3_step(put) == SQLITE_DONE else { fatalError(message) }
        sqlite3_reset(put)
    }

    /// Stores many values in one transaction.
    public func fill(_ values: [(String, Data)]) {
        run("BEGIN")
        for (key, value) in values { put(key, value) }
        run("COMMIT")
    }

    /// Returns the value of a key.
    public func get(_ key: String) -> Data? {
        sqlite3_bind_text(get, 1, key, -1, Self.copied)
        defer { sqlite3_reset(get) }
        guard sqlite3_step(get) == SQLITE_ROW else { return nil }
        return Self.blob(get, 0)
    }

    /// Calls a closure with every entry.
    public func forEach(_ body: (String, Data) -> Void) {
        defer { sqlite3_reset(all) }
        while sqlite3_step(all) == SQLITE_ROW {
            guard let key = sqlite3_column_text(all, 0) else { continue }
            body(String(cString: key), Self.blob(all, 1))
        }
    }

    private static func blob(_ statement: OpaquePointer?, _ column: Int32) -> Data {
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// The constant that makes SQLite copy the given bytes.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private var message: String { String(cString: sqlite3_errmsg(database)) }

    private func run(_ sql: String) { check(sqlite3_exec(database, sql, nil, nil, nil)) }

    private func check(_ code: Int32) {
        guard code == SQLITE_OK else { fatalError(message) }
    }
}
