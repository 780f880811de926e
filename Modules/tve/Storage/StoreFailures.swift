import ArgumentParser
import Foundation
import TVEModels
import TVEStorage

/// The locations of a store and its key, with which a failure names the path that is wrong.
struct StorePlaces: Sendable {
    let directory: URL
    /// The location of the sealing key, or `nil` for a store without one.
    let key: URL?

    /// Creates the locations of a store of `tve` itself or of an app, whose key is in its directory.
    init(_ directory: URL) { self.init(directory: directory, key: FileStorage.sealingKey(in: directory)) }

    init(directory: URL, key: URL?) {
        self.directory = directory
        self.key = key
    }

    private var files: [String] {
        let names = ["entitlements.store", "entitlements.lock", "entitlements.damaged"]
        return (key.map { [$0.path] } ?? []) + names.map { directory.path + "/" + $0 }
    }

    /// Returns the first path with a property, in the order of the directory, the key and the other files.
    private func first(where fits: (stat) -> Bool) -> String? {
        ([directory.path] + files).first { path in
            SystemCall.status(of: path, followsLinks: false).map(fits) ?? false
        }
    }

    /// The path to which other users have access.
    var openToOthers: String { first { $0.st_mode & 0o077 != 0 && $0.st_mode & S_IFMT != S_IFLNK } ?? directory.path }
    /// The path that belongs to another user.
    var foreign: String { first { $0.st_uid != geteuid() } ?? directory.path }

    /// A Boolean value that indicates whether the path of the directory leads to something else.
    var isNoDirectory: Bool {
        let status = SystemCall.status(of: directory.path, followsLinks: true)
        return status.map { $0.st_mode & S_IFMT != S_IFDIR } ?? false
    }

    /// The path that is neither the directory nor a regular file.
    var notAFile: String {
        if isNoDirectory { return directory.path }
        let found = files.first { path in
            SystemCall.status(of: path, followsLinks: false).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
        }
        return found ?? directory.path
    }

    /// The error that prevents the use of an existing directory.
    ///
    /// Reading the property changes nothing on the disk.
    var obstacle: StorageError? {
        guard let status = SystemCall.status(of: directory.path, followsLinks: false) else { return nil }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .notAFile }
        guard status.st_uid == geteuid() else { return .foreignOwner }
        return status.st_mode & 0o077 == 0 ? nil : .permissionsTooOpen
    }
}

/// A command with a store, for whose failures the locations of the store are known.
protocol UsesStore {
    var places: StorePlaces { get }
}

/// The explanation of why a store cannot be used, with the next step, for all commands.
struct StoreProblem {
    let cause: String
    let nextStep: String

    var text: String { "\(cause) \(nextStep)" }

    var failure: ToolFailure { ToolFailure(text, code: .unknown) }

    init(_ error: StorageError, at places: StorePlaces) {
        let error = places.isNoDirectory ? .notAFile : error
        let store = places.directory.path
        let key = places.key?.path ?? "the key"
        (cause, nextStep) =
            switch error {
            case .cannotRead(let number):
                ("The store at \(store) cannot be read: \(Self.system(number)).", Self.nextStep(number, store))
            case .cannotWrite(let number):
                ("The store at \(store) cannot be written: \(Self.system(number)).", Self.nextStep(number, store))
            case .locked:
                ("Another process has locked the store at \(store).", "Wait until it has finished, and try again.")
            case .tooLarge(let limit):
                (
                    "A change to the store at \(store), or the store with it, would exceed the limit of "
                        + "\(limit) bytes.",
                    "Write less at a time, or remove entries with \"tve storage rm\"."
                )
            case .notAFile:
                (
                    "\(places.notAFile) cannot be part of a store, which is a directory with regular files and "
                        + "without links.",
                    "Move it away, or name another store with --directory."
                )
            case .permissionsTooOpen:
                (
                    "Other users may read or write \(places.openToOthers), which belongs to a store.",
                    "Run chmod go-rwx on it."
                )
            case .foreignOwner:
                (
                    "\(places.foreign) belongs to another user.",
                    "Run this command as that user, or name another store with --directory."
                )
            case .damaged(.truncated): ("The store at \(store) is damaged: its end is missing.", Self.repair)
            case .damaged(.checksum):
                ("The store at \(store) is damaged: its bytes do not match their checksum.", Self.repair)
            case .unknownLayout:
                ("A newer version wrote the store at \(store).", "Use that version, or a newer one.")
            case .invalidKey:
                ("\(key) is not a sealing key: it must have 32 bytes.", "Put the right file there. \(Self.keyOption)")
            case .keyMissing:
                (
                    "The sealing key at \(key) is missing or is not the key of the store at \(store).",
                    "Put the right file there. \(Self.keyOption)"
                )
            case .invalidValue(let key):
                ("The value of \(key.rawValue) in the store at \(store) is not valid for its key.", Self.repair)
            }
    }

    /// Creates the explanation of a session's error, or returns `nil` if the store did not cause it.
    init?(_ error: TVEError, at places: StorePlaces) {
        guard error.code == .storageFailed else { return nil }
        guard let cause = error.underlying as? StorageError ?? Self.cause(at: places) else { return nil }
        self.init(cause, at: places)
    }

    /// Returns the error that the store itself reports, because some errors of a session no longer contain it.
    private static func cause(at places: StorePlaces) -> StorageError? {
        do throws(StorageError) {
            let store: any StorageBackend =
                places.key.map { SealedStorage.file(places.directory, key: $0) }
                ?? FileStorage(directory: places.directory)
            _ = try store.keys(under: .everything)
            _ = try store.probe()
            return nil
        } catch {
            return error
        }
    }

    static let repair = "\"tve storage check --mode repair\" moves aside what is damaged."
    private static let keyOption = "For a key in another place, \"tve storage\" has the option --key-file."

    private static func nextStep(_ number: Int32, _ store: String) -> String {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: "Make room there, or name another store with --directory."
        case EACCES, EPERM: "Check its owner and permissions, or name another store with --directory."
        case ENOTDIR, ENOENT, EROFS, ENAMETOOLONG, ELOOP: "Name another store with --directory."
        default: "Check the disk, or name another store with --directory."
        }
    }

    /// Returns the text of an error number; the keychain's numbers are negative, and the system has no text for them.
    private static func system(_ number: Int32) -> String { number > 0 ? systemText(number) : "error \(number)" }
}
