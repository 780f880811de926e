/// The addresses that a cluster announces to clients for its servers (`CLUSTER SLOTS`).
///
/// The operator selects them with `cluster-preferred-endpoint-type`. The addresses in `CLUSTER NODES` are those that
/// the servers use among themselves, and clients cannot always reach them.
struct RedisEndpoints: Sendable, Hashable {
    /// The addresses by the ids of the servers.
    private var addresses: [String: RedisAddress] = [:]

    /// Creates an empty list, which prefers no address.
    init() {}

    /// Reads an answer to `CLUSTER SLOTS`, and ignores any part that does not have the documented form.
    ///
    /// - Parameters:
    ///   - reply: the answer.
    ///   - asked: the address at which the server was reached, which replaces an unknown host.
    init(_ reply: RedisReply, askedAt asked: RedisAddress) {
        guard case .list(let ranges) = reply else { return }
        for case .list(let range) in ranges {
            // The elements are the first slot, the last slot, the primary and its replicas.
            for case .list(let server) in range.dropFirst(2) where server.count >= 3 {
                guard case .number(let port) = server[1], (1...65_535).contains(port), let id = server[2].string else {
                    continue
                }
                addresses[id] = Self.address(server[0], port: Int(port), askedAt: asked)
            }
        }
    }

    /// Returns the preferred address of a server, or `nil` if there is none.
    func address(of id: String) -> RedisAddress? { addresses[id] }

    private static func address(_ host: RedisReply, port: Int, askedAt asked: RedisAddress) -> RedisAddress? {
        // Null stands for the host at which the server was reached. A preferred name that is not set is empty or a
        // question mark.
        if host == .null, case .host(let name, _) = asked { return .host(name, port: port) }
        guard let name = host.string, !name.isEmpty, name != "?", name.utf8.count <= 253 else { return nil }
        return .host(name, port: port)
    }
}
