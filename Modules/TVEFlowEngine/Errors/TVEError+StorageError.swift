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
        let message =
            switch error {
            case .cannotRead(let number): "The storage cannot be read (error \(number))."
            case .cannotWrite(let number): "The storage cannot be written (error \(number))."
            case .locked: "Another process keeps the storage locked."
            case .tooLarge(let limit): "The storage is larger than \(limit) bytes."
            case .notAFile: "There is something other than a file in the storage's place."
            case .permissionsTooOpen: "Other users can read the storage."
            case .foreignOwner: "The storage belongs to another user of the system."
            case .damaged: "The storage is damaged; it was not changed."
            case .unknownLayout: "The storage was written by a newer version; it was not changed."
            case .invalidKey: "The sealing key of the storage does not have 256 bits."
            case .keyMissing: "The storage is sealed, and its key is missing."
            case .invalidValue: "A stored value is not of the expected kind; it was not changed."
            }
        self.init(.storageFailed, status: .internalError, message: message, underlying: error)
    }
}
