import NIOConcurrencyHelpers
import TVEModels

/// A reader of the files of an encrypted connection.
///
/// The files are read for each attempt to connect, so that new certificates work without a restart. While the files
/// cannot be trusted, new connections use the content that was read last.
package final class RedisTLSFiles: Sendable {
    private let areTrusted: @Sendable (RedisTLS) -> Bool
    private let last = NIOLockedValueBox((tls: RedisTLS, context: RedisTLSContext)?.none)

    /// Creates a reader.
    ///
    /// - Parameter areTrusted: a closure that returns whether the files may be read now. It is called on the thread of
    ///   a connection.
    package init(areTrusted: @escaping @Sendable (RedisTLS) -> Bool = { _ in true }) {
        self.areTrusted = areTrusted
    }

    /// Returns the context for a new connection.
    ///
    /// - Throws: `.tls` if a file cannot be read or does not match, or if the files have never been trusted.
    func context(_ tls: RedisTLS) throws(RedisUsesError) -> RedisTLSContext {
        // Connections take turns, so that none keeps an older content than another one has read.
        let found: Result<RedisTLSContext, RedisUsesError> = last.withLockedValue { last in
            Result { () throws(RedisUsesError) in try context(tls, &last) }
        }
        return try found.get()
    }

    private func context(
        _ tls: RedisTLS, _ last: inout (tls: RedisTLS, context: RedisTLSContext)?
    ) throws(RedisUsesError) -> RedisTLSContext {
        guard areTrusted(tls) else {
            guard let last, last.tls == tls else { throw .tls("another user can change its files") }
            return last.context
        }
        let context = try RedisTLSContext(tls)
        last = (tls, context)
        return context
    }
}
