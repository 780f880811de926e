import TVEModels
import TVEStorage

extension TVEError {
    /// Translates a failure of the storage: the one place where storage errors become public ones.
    init(_ error: StorageError) {
        let message =
            switch error {
            case .cannotRead(let number): "The storage cannot be read (error \(number))."
            case .cannotWrite(let number): "The storage cannot be written (error \(number))."
            case .locked: "Another process keeps the storage locked."
            case .tooLarge(let limit): "The storage is larger than \(limit) bytes."
            case .notAFile: "Something else than a file stands where the storage should be."
            case .permissionsTooOpen: "The storage can be read by others than its owner."
            case .foreignOwner: "The storage belongs to another user of the system."
            case .damaged: "The storage is damaged; it was left as it is."
            case .unknownLayout: "The storage was written by a newer version; it was left as it is."
            case .invalidKey: "The key that seals the storage is no key of 256 bits."
            case .keyMissing: "The storage is sealed, and its key is not there."
            case .invalidValue: "A stored value is not what it should be; it was left as it is."
            }
        self.init(.storageFailed, status: .internalError, message: message, underlying: error)
    }
}
