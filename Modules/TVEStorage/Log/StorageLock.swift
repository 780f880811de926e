import Foundation
import TVEModels

/// An advisory lock between processes, and between handles of one process, on a file as a whole.
///
/// The file also contains the number of times that the log was replaced.
final class StorageLock: Sendable {
    let identity: FileIdentity
    private let descriptor: Int32
    private let system: StorageSystem

    /// Opens the lock without taking it.
    init(_ path: String, _ system: StorageSystem) throws(StorageError) {
        switch system.open(path, O_RDWR | O_CREAT) {
        case .failure(let error): throw .cannotWrite(errno: error.number)
        case .success(let opened): descriptor = opened
        }
        self.system = system
        do throws(StorageError) {
            identity = FileIdentity(try system.status(of: descriptor))
        } catch {
            system.close(descriptor)
            throw error
        }
    }

    deinit {
        system.close(descriptor)
    }

    /// Takes the lock if it is free.
    func takeIfFree() throws(StorageError) -> Bool { try system.lock(descriptor) }

    func release() { system.unlock(descriptor) }

    /// Returns the number of times that the log was replaced, from the lock's file.
    ///
    /// The caller must hold the lock.
    ///
    /// A change of the number tells a writer that its open file was replaced.
    func replacements() throws(StorageError) -> UInt64 {
        let bytes = try system.read(descriptor, at: 0, count: 8)
        // If another process has truncated the lock's file, nothing is known about earlier replacements.
        return bytes.count == 8 ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0
    }

    /// Records that the log is about to be replaced.
    ///
    /// The caller must hold the lock.
    func noteReplacement() throws(StorageError) {
        // If the number is unreadable, any other number serves the purpose.
        let next = (try? replacements()).map { $0 &+ 1 } ?? system.uptime
        try next.littleEndianBytes.withSpan { bytes in system.write(descriptor, bytes, at: 0) }.get()
    }
}
