import NIOConcurrencyHelpers
import TVEModels

/// Reads the files of an encrypted connection for each attempt to connect, so that new certificates work without a restart.
///
/// While the files are not to be trusted, connections go on with what was read before.
package final class RedisTLSFiles: Sendable {
    private let areTrusted: @Sendable (RedisTLS) -> Bool
    private let last = NIOLockedValueBox((tls: RedisTLS, context: RedisTLSContext)?.none)

    /// Makes a reader.
    ///
    /// - Parameter areTrusted: whether the files may be read now; called on the thread of a connection.
    package init(areTrusted: @escaping @Sendable (RedisTLS) -> Bool = { _ in true }) {
        self.areTrusted = areTrusted
    }

    /// Returns the settings for a new connection.
    ///
    /// - Throws: `.tls` when a file cannot be read, does not match, or was never to be trusted.
    func context(_ tls: RedisTLS) throws(RedisUsesError) -> RedisTLSContext {
        guard areTrusted(tls) else {
            guard let last = last.withLockedValue({ $0 }), last.tls == tls else {
                throw .tls("another user can change its files")
            }
            return last.context
        }
        let context = try RedisTLSContext(tls)
        last.withLockedValue { $0 = (tls, context) }
        return context
    }
}
