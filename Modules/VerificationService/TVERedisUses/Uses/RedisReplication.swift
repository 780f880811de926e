/// The number of replicas that must confirm a token before it is granted.
///
/// A network can be partitioned so that two servers act as the primary. At most one side of the partition has the
/// majority of all servers. A token is therefore safe when the primary and the replicas that confirm the token are
/// together more than half of the primary and **all** of its replicas. The total is a setting, because a primary that
/// was cut off reports only the replicas that it still has.
///
/// A replica that goes to the other side, confirms tokens there, and comes back has forgotten them. Such tokens can be
/// granted twice.
public struct RedisReplication: Sendable, Hashable {
    /// The number of replicas that must confirm a token; 0 for ``primaryAlone``.
    public let required: Int
    /// The number of replicas that belong to a primary, connected or not; 0 for ``primaryAlone``.
    public let count: Int

    /// The setting under which the primary grants tokens without confirmation by a replica.
    ///
    /// A replica that takes over may lack the latest tokens, and a primary that was cut off grants tokens that its
    /// successor does not know.
    public static let primaryAlone = RedisReplication()

    private init() {
        required = 0
        count = 0
    }

    /// Creates a setting that requires a majority of all servers, or more.
    ///
    /// - Parameters:
    ///   - required: the number of replicas that must confirm a token.
    ///   - count: the number of replicas that belong to a primary; in a cluster, to each primary.
    /// - Returns: `nil` unless `required` is at least half of `count`, rounded up, and not larger than `count`.
    public init?(required: Int, of count: Int) {
        guard count > 0, required <= count, required >= Self.smallest(of: count) else { return nil }
        self.required = required
        self.count = count
    }

    /// Returns the smallest number of replicas that is a majority together with the primary.
    ///
    /// - Parameter count: the number of replicas that belong to a primary, from 0 on.
    public static func smallest(of count: Int) -> Int { (count + 1) / 2 }
}
