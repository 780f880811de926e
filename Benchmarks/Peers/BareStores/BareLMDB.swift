import Foundation
import LibLMDB

/// LMDB through its C interface, with one read transaction that is renewed for each read.
///
/// Values are copied from a mapping of the file, which is the fastest method of reading for a store between processes.
public final class BareLMDB {
    private var environment: OpaquePointer?
    private var table: MDB_dbi = 0
    private var reader: OpaquePointer?

    /// Opens an environment.
    ///
    /// - Parameter path: the path of a folder, which is created.
    public init(path: String) {
        mkdir(path, 0o700)
        check(mdb_env_create(&environment))
        check(mdb_env_set_mapsize(environment, 4 << 30))
        check(mdb_env_open(environment, path, 0, 0o600))
        var transaction: OpaquePointer?
        check(mdb_txn_begin(environment, nil, 0, &transaction))
        check(mdb_dbi_open(transaction, nil, 0, &table))
        check(mdb_txn_commit(transaction))
        check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &reader))
        mdb_txn_reset(reader)
    }

    deinit {
        mdb_txn_abort(reader)
        mdb_env_close(environment)
    }

    /// Stores values in one transaction, which is on the medium when this method returns.
    public func fill(_ values: [(String, Data)]) {
        var transaction: OpaquePointer?
        check(mdb_txn_begin(environment, nil, 0, &transaction))
        for (key, value) in values {
            var key = key
            var value = value
            key.withUTF8 { key in
                value.withUnsafeMutableBytes { value in
                    var name = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
                    var bytes = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
                    check(mdb_put(transaction, table, &name, &bytes, 0))
                }
            }
        }
        check(mdb_txn_commit(transaction))
    }

    /// Returns the current value of a key.
    public func get(_ key: String) -> Data? {
        check(mdb_txn_renew(reader))
        defer { mdb_txn_reset(reader) }
        var key = key
        return key.withUTF8 { key in
            var name = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
            var bytes = MDB_val()
            guard mdb_get(reader, table, &name, &bytes) == MDB_SUCCESS, let data = bytes.mv_data else { return nil }
            return Data(bytes: data, count: bytes.mv_size)
        }
    }

    private func check(_ code: Int32) {
        guard code == MDB_SUCCESS else { fatalError(String(cString: mdb_strerror(code))) }
    }
}
