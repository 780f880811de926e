import Foundation

extension StorageError {
    /// Whether the cause is temporary: then nothing is known about the stored values, and nothing is removed.
    ///
    /// Locked, busy, full, out of descriptors or memory, without permission, on a medium that is read-only for now.
    /// Every other failure to read or write lasts (API reference, T-68 and T-74; Documentation/Behaviour.md has the
    /// list).
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
