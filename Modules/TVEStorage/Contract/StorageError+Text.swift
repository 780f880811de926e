import TVEModels

extension StorageError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without names and values of the store.
    public var description: String {
        switch self {
        case .cannotRead(let number):
            "The store cannot be read: \(Self.reason(number)). Check the medium and the permissions of the store."
        case .cannotWrite(let number):
            "The store cannot be written: \(Self.reason(number)). Check the space and the permissions of the store."
        case .locked: "The store is locked by another process, or by a device that is locked. Try again later."
        case .tooLarge(let limit):
            "A change, or the store with it, would exceed the limit of \(limit) bytes. "
                + "Write less at a time, or remove values from the store."
        case .notAFile:
            "A store is a directory with regular files and without links, and something else is in its place. "
                + "Move it away, or name another folder."
        case .permissionsTooOpen:
            "Other users may read or write the store. "
                + "Make its file private with chmod 600, and its folder with chmod 700."
        case .foreignOwner: "The store belongs to another user. Name another folder, or change the owner."
        case .damaged(.truncated): "The store is damaged: its file ends early. \(Self.repair)"
        case .damaged(.checksum): "The store is damaged: its checksum does not match. \(Self.repair)"
        case .unknownLayout:
            "A newer version has written the store. Update this program, or name another folder for it."
        case .invalidKey: "A sealing key is not 32 bytes long. Use a key of this length."
        case .keyMissing:
            "The store is sealed, and its key is missing or is not the one that sealed it. Provide the right key."
        case .invalidValue:
            "A stored value is damaged, or was sealed with another key. \(Self.repair)"
        }
    }

    private static let repair = "Check the store in the mode `repair`, which moves aside what cannot be used."

    /// Returns the system's reason; a negative number is the keychain's.
    private static func reason(_ number: Int32) -> String {
        number < 0 ? "the keychain's error is \(number)" : "\(SystemCall.message(number)) (error \(number))"
    }
}
