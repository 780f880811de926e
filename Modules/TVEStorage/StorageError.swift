/// Why a storage backend could not do what it was asked.
public enum StorageError: Error, Sendable, Equatable {
    /// Reading failed; the system's error number.
    case cannotRead(errno: Int32)
    /// Writing failed; the system's error number. What was stored before is still there.
    case cannotWrite(errno: Int32)
    /// Another process keeps the store locked.
    case locked
    /// The store is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// Something that is no regular file stands where the store should be.
    case notAFile
    /// Others than the owner may read or write the store.
    case permissionsTooOpen
    /// The store belongs to another user of the system.
    case foreignOwner
    /// The store's bytes do not fit together. They were left as they are.
    case damaged(Damage)
    /// The store was written by a newer version. It was left as it is.
    case unknownLayout
    /// A sealing key has the wrong length.
    case invalidKey
    /// The store is sealed, and its key is not there or another one.
    case keyMissing
    /// One stored value is not what its key promises. It was left as it is.
    case invalidValue(StorageKey)

    /// How a store is damaged.
    public enum Damage: Sendable, Equatable {
        /// The file ends early.
        case truncated
        /// The checksum does not match.
        case checksum
    }
}
