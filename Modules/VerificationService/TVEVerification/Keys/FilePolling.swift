package import Foundation
import ServiceLifecycle
@_spi(VerificationService) import TVEModels

/// Does something again and again until the service ends.
package func repeatUntilShutdown(every interval: Duration, _ look: @escaping @Sendable () -> Void) async {
    await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
            look()
            guard (try? await Task.sleep(for: interval)) != nil else { return }
        }
    }
}

/// What a file contains that can be replaced, removed or unreadable at any time.
///
/// What is gone is known to be gone; of what cannot be read nothing is known. The difference decides whether somebody
/// loses access.
package enum FileContent: Sendable, Hashable {
    case bytes(Data)
    /// There is no such file.
    case missing
    /// There may be one, but it cannot be read.
    case unreadable
    case tooLong

    /// Reads a file of at most `limit` bytes.
    package init(path: String, limit: Int) {
        // Without `O_NONBLOCK` a named pipe would stop the thread.
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
