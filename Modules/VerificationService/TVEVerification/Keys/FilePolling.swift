package import Foundation
import ServiceLifecycle
@_spi(VerificationService) import TVEModels

/// Calls a closure at an interval until the service shuts down.
package func repeatUntilShutdown(every interval: Duration, _ look: @escaping @Sendable () -> Void) async {
    await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
            look()
            guard (try? await Task.sleep(for: interval)) != nil else { return }
        }
    }
}

/// The content of a file that can be replaced, removed or become unreadable at any time.
///
/// A missing file is known to be gone, whereas nothing is known about a file that cannot be read. The difference
/// decides whether somebody loses access.
package enum FileContent: Sendable, Hashable {
    case bytes(Data)
    /// There is no such file.
    case missing
    /// There may be a file, but it cannot be read.
    case unreadable
    case tooLong

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - limit: the maximum length of the file, in bytes.
    package init(path: String, limit: Int) {
        // Without `O_NONBLOCK` a named pipe would block the thread.
        let descriptor = ServiceSupport.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            self = [ENOENT, ENOTDIR].contains(errno) ? .missing : .unreadable
            return
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let bytes = try? handle.read(upToCount: limit + 1) ?? Data() else {
            self = .unreadable
            return
        }
        self = bytes.count > limit ? .tooLong : .bytes(bytes)
    }
}
