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
            "A change is longer than \(limit) bytes, or would make the store longer. "
                + "Change less at a time, or remove values from the store."
        case .notAFile:
            "Something other than a file is in the place of the store. Move it away, or name another folder."
        case .permissionsTooOpen:
            "Other users may read or write the store. "
                + "Make its file private with chmod 600, and its folder with chmod 700."
        case .foreignOwner: "The store belongs to another user. Name another folder, or change the owner."
        case .damaged(.truncated): "The store is damaged: its file ends early. Let the store's check repair it."
        case .damaged(.checksum): "The store is damaged: its checksum does not match. Let the store's check repair it."
        case .unknownLayout:
            "A newer version has written the store. Update this program, or name another folder for it."
        case .invalidKey: "A sealing key does not have 32 bytes. Use a key of this length."
        case .keyMissing: "The store is sealed, and its key is missing or another one. Give the key that sealed it."
        case .invalidValue:
            "A stored value was damaged, or was sealed with another key. Let the store's check remove it."
        }
    }

    /// Returns the system's reason; a negative number is the keychain's.
    private static func reason(_ number: Int32) -> String {
        number < 0 ? "the keychain's error is \(number)" : "\(SystemCall.message(number)) (error \(number))"
    }
}
