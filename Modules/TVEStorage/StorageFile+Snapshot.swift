import Foundation

extension StorageFile {
    /// An open snapshot.
    ///
    /// As long as it is open the system gives its inode to no other file, so that an unchanged identity at the path
    /// really means an unchanged file.
    final class Snapshot: Sendable {
        let identity: Identity
        private let descriptor: Int32

        /// Largest file that is read: far more than a viewer's entitlements ever take.
        private static let maximumBytes = 256 << 20

        /// Opens the file at a path; a symbolic link in its place would lead elsewhere and is not followed.
        convenience init(_ url: URL) throws(StorageError) {
            let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw errno == ELOOP ? .notAFile : .cannotRead(errno: errno) }
            try self.init(descriptor)
        }

        /// Takes an open file over, and closes it when that fails.
        init(_ descriptor: Int32) throws(StorageError) {
            self.descriptor = descriptor
            var status = stat()
            do throws(StorageError) {
                guard fstat(descriptor, &status) == 0 else { throw .cannotRead(errno: errno) }
                identity = try StorageFile.identity(status)
            } catch {
                close(descriptor)
                throw error
            }
        }

        deinit {
            close(descriptor)
        }

        /// All bytes of the file.
        func read() throws(StorageError) -> Data {
            guard identity.size <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
            do {
                let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                return try handle.readToEnd() ?? Data()
            } catch {
                throw .cannotRead(errno: StorageFile.systemError(error))
            }
        }
    }
}
