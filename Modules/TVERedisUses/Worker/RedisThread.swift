#if VerificationService
import Foundation

/// Threads that wait for sockets, so that no thread of Swift's pool does.
enum RedisThread {
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // OpenSSL writes without MSG_NOSIGNAL; a closed peer must end a connection, not the process.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
            body()
        }
        thread.name = name
        thread.stackSize = 512 << 10
        thread.start()
    }
}
#endif
