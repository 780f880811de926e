import Foundation
import NIOConcurrencyHelpers
@_spi(VerificationService) import TVEModels

/// The numeric addresses of hosts, which the operating system finds without a time limit.
///
/// Each name is looked up on a thread of its own, and only once at a time. An answer that arrives after everybody has
/// given up is used by the next attempt to connect, so that a slow DNS delays a connection and does not prevent it.
final class RedisNames: Sendable {
    private let look: @Sendable (String) -> Result<String, RedisUsesError>
    private let startThread: RedisThread.Starter
    private let lookups = NIOLockedValueBox<[String: Lookup]>([:])

    /// Creates the addresses.
    ///
    /// - Parameters:
    ///   - look: a closure that returns the numeric address of a host, and may take any time. It is called on a thread
    ///     of its own.
    ///   - startThread: a closure that starts the thread of a lookup.
    init(
        _ look: @escaping @Sendable (String) -> Result<String, RedisUsesError> = { RedisSocket.number(of: $0) },
        startThread: @escaping RedisThread.Starter = RedisThread.starter
    ) {
        self.startThread = startThread
        self.look = look
    }

    private final class Lookup: Sendable {
        private let found = NIOLockedValueBox<Result<String, RedisUsesError>?>(nil)
        /// The time after which neither the answer nor the thread is waited for.
        let end = RedisDeadline.now.advanced(by: 120)

        var answer: Result<String, RedisUsesError>? { found.withLockedValue { $0 } }

        func finish(_ answer: Result<String, RedisUsesError>) { found.withLockedValue { $0 = answer } }
    }

    /// Returns each address with a number in place of its name, in the order of the given ones.
    ///
    /// All names are looked up at the same time, so that none costs the others anything.
    ///
    /// - Parameters:
    ///   - addresses: the addresses of servers. A number or a path is returned as it is.
    ///   - seconds: the number of seconds after which a name without an answer is `.unreachable`.
    func numbers(
        of addresses: [RedisAddress], within seconds: TimeInterval
    ) -> [Result<RedisAddress, RedisUsesError>] {
        let deadline = RedisDeadline.now.advanced(by: seconds)
        let lookups = addresses.map(lookup)
        return zip(addresses, lookups).map { address, lookup in
            guard let lookup, case .host(let host, let port) = address else { return .success(address) }
            while lookup.answer == nil, RedisDeadline.now < deadline { usleep(1_000) }
            guard let answer = lookup.answer else {
                return .failure(.unreachable("the name \(host) was not resolved in time; check the network's DNS"))
            }
            // The next attempt to connect looks the name up again.
            self.lookups.withLockedValue { if $0[host] === lookup { $0[host] = nil } }
            return answer.map { RedisAddress.host($0, port: port) }
        }
    }

    /// Returns an address with a number in place of its name; see ``numbers(of:within:)``.
    func number(of address: RedisAddress, within seconds: TimeInterval) throws(RedisUsesError) -> RedisAddress {
        try numbers(of: [address], within: seconds)[0].get()
    }

    /// Returns the lookup of an address, which is begun unless it is running; `nil` if there is nothing to look up.
    private func lookup(_ address: RedisAddress) -> Lookup? {
        guard case .host(let host, _) = address, !Self.isNumber(host) else { return nil }
        let (lookup, isNew): (Lookup, Bool) = lookups.withLockedValue { lookups in
            if let known = lookups[host], RedisDeadline.now < known.end { return (known, false) }
            let lookup = Lookup()
            lookups[host] = lookup
            return (lookup, true)
        }
        guard isNew else { return lookup }
        do throws(RedisUsesError) {
            try startThread("tve-redis-name") { [look] in lookup.finish(look(host)) }
        } catch {
            lookup.finish(.failure(error))
        }
        return lookup
    }

    private static func isNumber(_ host: String) -> Bool {
        let parts = ServiceSupport.parts(of: host[...], separatedBy: ".")
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 || host.utf8.contains(UInt8(ascii: ":"))
    }
}
