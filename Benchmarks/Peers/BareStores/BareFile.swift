import Foundation

/// A file to which bytes are appended, which is the least work that any durable store must do.
public final class BareFile {
    private let descriptor: Int32
    private var end = 0

    /// Creates a file.
    ///
    /// - Parameter path: the path of the file. An existing file is removed.
    public init(path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { fatalError("\(path) cannot be made") }
    }

    deinit {
        close(descriptor)
    }

    /// Appends bytes and, if requested, waits until they are on the medium.
    public func append(_ bytes: Data, flushes: Bool) {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(end)) }
        guard count == bytes.count else { fatalError("a write failed") }
        end += count
        if flushes, fdatasync(descriptor) != 0 { fatalError("a flush failed") }
        // The file may become as long as the logs with which it is compared.
        if end > 16 << 20 { end = 0 }
    }

    /// Returns the bytes of the whole file.
    public func read() -> Data {
        var bytes = Data(count: end)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, end, 0) }
        guard count == end else { fatalError("a read failed") }
        return bytes
    }
}
