import Foundation

/// Why a call to a storage backend failed.
public enum StorageError: Error, Sendable, Equatable {
    /// Reading failed; with the system's error number.
    case cannotRead(errno: Int32)
    /// Writing failed; with the system's error number. Earlier values are still stored.
    case cannotWrite(errno: Int32)
    /// Another process keeps the store locked.
    case locked
    /// The store is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// There is something other than a regular file in the place of the store.
    case notAFile
    /// Other users may read or write the store.
    case permissionsTooOpen
    /// The store belongs to another user of the system.
    case foreignOwner
    /// The store's bytes are not consistent. They were not changed.
    case damaged(Damage)
    /// The store was written by a newer version. It was not changed.
    case unknownLayout
    /// A sealing key has the wrong length.
    case invalidKey
    /// The store is sealed, and its key is missing or another one.
    case keyMissing
    /// One stored value is not of the kind that its key requires. It was not changed.
    case invalidValue(StorageKey)

    /// How a store is damaged.
    public enum Damage: Sendable, Equatable {
        /// The file ends early.
        case truncated
        /// The checksum does not match.
        case checksum
    }
}

extension StorageError {
    /// Whether the cause is temporary: then nothing is known about the stored values, and nothing is removed.
    ///
    /// Locked, busy, full, out of descriptors or memory, without permission, on a medium that is read-only for now.
    /// Every other failure to read or write lasts (API reference, T-68 and T-74).
    public var passesByItself: Bool {
        switch self {
        case .locked, .permissionsTooOpen, .foreignOwner, .unknownLayout, .keyMissing, .invalidKey, .tooLarge,
            .notAFile:
            true
        case .cannotRead(let number), .cannotWrite(let number): Self.passing.contains(number)
        case .damaged, .invalidValue: false
        }
    }

    /// Error numbers of the system; the negative ones are the keychain's.
    private static let passing: Set<Int32> = [
        EAGAIN, EWOULDBLOCK, EBUSY, EINTR, ETXTBSY, ENOLCK, EDEADLK, ETIMEDOUT,
        ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM,
        EACCES, EPERM, EROFS,
        // errSecAuthFailed, errSecNotAvailable, errSecInteractionNotAllowed, errSecInteractionRequired,
        // errSecMissingEntitlement.
        -25_293, -25_291, -25_308, -25_315, -34_018,
    ]
}
