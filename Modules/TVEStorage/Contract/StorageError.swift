import Foundation

/// An error of a call to a storage backend.
public enum StorageError: Error, Sendable, Equatable {
    /// Reading failed with this error number of the system.
    case cannotRead(errno: Int32)
    /// Writing failed with this error number of the system, and the earlier values are still stored.
    case cannotWrite(errno: Int32)
    /// Another process holds the lock of the store, or the device has not been unlocked since its restart.
    case locked
    /// A change is larger than the limit, in bytes, or would make the store larger, and the earlier values are still
    /// stored.
    case tooLarge(limit: Int)
    /// The store is not a directory with regular files and without links.
    case notAFile
    /// Other users may read or write the store.
    case permissionsTooOpen
    /// The store belongs to another user of the system.
    case foreignOwner
    /// The store's bytes are not consistent, and were not changed.
    case damaged(Damage)
    /// The store was written by a newer version, and was not changed.
    case unknownLayout
    /// A sealing key has the wrong length.
    case invalidKey
    /// The store is sealed, and the key is missing or belongs to another store.
    case keyMissing
    /// The stored value of this key cannot be used, and was not changed.
    ///
    /// It has the wrong type, does not match its checksum, or was sealed with another key.
    case invalidValue(StorageKey)

    /// The damage of a store.
    public enum Damage: Sendable, Equatable {
        /// The file ends early.
        case truncated
        /// The checksum does not match.
        case checksum
    }
}

extension StorageError {
    /// A Boolean value that indicates whether the cause is temporary, so that nothing is known about the values and
    /// nothing is removed.
    ///
    /// Temporary causes are a store that is locked, busy or full, missing descriptors, memory or permissions, a network
    /// that fails, and a medium that is read-only for now. Every other failure to read or write is permanent (API
    /// reference, T-68 and T-74).
    public var passesByItself: Bool {
        switch self {
        case .locked, .permissionsTooOpen, .foreignOwner, .unknownLayout, .keyMissing, .invalidKey, .tooLarge,
            .notAFile:
            true
        case .cannotRead(let number), .cannotWrite(let number): Self.passing.contains(number)
        case .damaged, .invalidValue: false
        }
    }

    /// The temporary error numbers of the system.
    ///
    /// The negative ones are the keychain's.
    private static let passing: Set<Int32> = [
        EAGAIN, EWOULDBLOCK, EBUSY, EINTR, ETXTBSY, ENOLCK, EDEADLK,
        ETIMEDOUT, ECONNREFUSED, ECONNRESET, ECONNABORTED, ENOTCONN, EPIPE, ENETDOWN, ENETUNREACH, ENETRESET,
        EHOSTDOWN, EHOSTUNREACH, ESTALE,
        ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM,
        EACCES, EPERM, EROFS,
        // errSecAuthFailed, errSecNotAvailable, errSecInteractionNotAllowed, errSecInteractionRequired,
        // errSecInDarkWake, errSecMissingEntitlement.
        -25_293, -25_291, -25_308, -25_315, -25_320, -34_018,
        // errSecDiskFull, errSecAllocate, errSecReadOnly.
        -34, -108, -25_292,
    ]
}
