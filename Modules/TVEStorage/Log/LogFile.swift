import Foundation
import TVEModels

/// An open log file.
final class LogFile: Sendable {
    let identity: FileIdentity
    /// A Boolean value that indicates whether the file was opened for writing too.
    let isWritable: Bool
    private let descriptor: Int32
    private let system: StorageSystem

    /// Opens the file at a path.
    ///
    /// A symbolic link could lead elsewhere, so links are not followed.
    ///
    /// - Returns: the file, or nil if there is none.
    static func open(_ path: String, _ system: StorageSystem) throws(StorageError) -> LogFile? {
        switch system.open(path, O_RDWR) {
        case .success(let descriptor): return try LogFile(descriptor, isWritable: true, system)
        case .failure(let error):
            switch error.number {
            case ENOENT: return nil
            case ELOOP, EISDIR: throw .notAFile
            // A read-only store is readable, and a write reports the error.
            case EACCES, EPERM, EROFS: return try openForReading(path, system)
            case let number: throw .cannotRead(errno: number)
            }
        }
    }

    private static func openForReading(_ path: String, _ system: StorageSystem) throws(StorageError) -> LogFile? {
        switch system.open(path, O_RDONLY) {
        case .success(let descriptor): return try LogFile(descriptor, isWritable: false, system)
        case .failure(let error):
            if error.number == ENOENT { return nil }
            throw .cannotRead(errno: error.number)
        }
    }

    /// Creates a new file that only the owner can access, after removing a leftover of a crash.
    static func create(_ path: String, _ system: StorageSystem) throws(StorageError) -> LogFile {
        try system.remove(path)
        switch system.open(path, O_RDWR | O_CREAT | O_EXCL) {
        case .success(let descriptor): return try LogFile(descriptor, isWritable: true, system)
        case .failure(let error): throw .cannotWrite(errno: error.number)
        }
    }

    /// Takes ownership of an open file, and closes it if that fails.
    private init(_ descriptor: Int32, isWritable: Bool, _ system: StorageSystem) throws(StorageError) {
        self.descriptor = descriptor
        self.isWritable = isWritable
        self.system = system
        do throws(StorageError) {
            let status = try system.status(of: descriptor)
            try StorageDirectory.check(status, system)
            identity = FileIdentity(status)
        } catch {
            system.close(descriptor)
            throw error
        }
    }

    deinit {
        system.close(descriptor)
    }

    func status() throws(StorageError) -> stat { try system.status(of: descriptor) }

    /// Returns the file's length in bytes, or nil if no directory contains the file any more.
    func length() throws(StorageError) -> Int? {
        let status = try status()
        return status.st_nlink == 0 ? nil : Int(status.st_size)
    }

    /// Returns the file's length in bytes, without reading its status.
    func end() throws(StorageError) -> Int { try system.length(of: descriptor) }

    /// Returns the bytes from an offset on, which are fewer than requested if the file ends earlier.
    func read(at offset: Int, count: Int) throws(StorageError) -> Data {
        try system.read(descriptor, at: offset, count: count)
    }

    /// Returns a Boolean value that indicates whether the last byte of a record precedes an offset.
    func hasRecordEnd(before offset: Int) throws(StorageError) -> Bool {
        try read(at: offset - 1, count: 1).first == LogRecord.Marker.end
    }

    /// Returns a Boolean value that indicates whether nothing was written at an offset, where the file ends or contains
    /// zeros.
    func isBlank(at offset: Int) throws(StorageError) -> Bool {
        // The head of a record has this length and is never all zeros.
        try read(at: offset, count: LogFormat.recordHeaderLength).allSatisfy { $0 == 0 }
    }

    /// Returns a Boolean value that indicates whether nothing was written at an offset and the record before it, if
    /// there is one, still ends there.
    func isBlank(at offset: Int, isAfterRecord: Bool) throws(StorageError) -> Bool {
        try system.isBlank(descriptor, at: offset, isAfterRecord: isAfterRecord)
    }

    func write(_ bytes: some ContiguousBytes, at offset: Int) throws(StorageError) {
        // The closure returns the error, because an error thrown by the closure would lose its type.
        try bytes.withSpan { system.write(descriptor, $0, at: offset) }.get()
    }

    /// Extends the file with zeros.
    func lengthen(from start: Int, to length: Int) throws(StorageError) {
        try system.lengthen(descriptor, from: start, to: length)
    }

    /// Waits until all written bytes are on the medium.
    func flush() throws(StorageError) { try system.flush(descriptor) }
}
