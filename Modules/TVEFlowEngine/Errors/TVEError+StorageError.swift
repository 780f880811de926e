import TVEModels
import TVEStorage

extension TVEError {
    /// Performs an operation on the storage and translates its error.
    static func storing<Value>(_ body: () throws -> Value) throws(TVEError) -> Value {
        do {
            return try body()
        } catch let error as StorageError {
            throw TVEError(error)
        } catch {
            throw TVEError(.storageFailed, status: .internalError, underlying: error)
        }
    }

    /// Translates a failure of the storage.
    ///
    /// This is the only place where storage errors become public errors.
    init(_ error: StorageError) {
        self.init(.storageFailed, status: .internalError, message: "\(error)", underlying: error)
    }
}
