/// The addresses under which a cluster wants its servers to be reached (`CLUSTER SLOTS`), by the ids of the servers.
///
/// The operator decides with `cluster-preferred-endpoint-type`; `CLUSTER NODES` has addresses of servers, which clients
/// cannot always reach.
struct RedisEndpoints: Sendable, Hashable {
    private var addresses: [String: RedisAddress] = [:]

    /// No preference.
    init() {}

    /// Reads an answer; what is not understood gives no preference.
    ///
    /// - Parameter asked: where the server was reached; it is meant where the host is unknown.
    init(_ reply: RedisReply, askedAt asked: RedisAddress) {
        guard case .list(let ranges) = reply else { return }
        for case .list(let range) in ranges {
            // first slot, last slot, primary, replicas…
            for case .list(let server) in range.dropFirst(2) where server.count >= 3 {
                guard case .number(let port) = server[1], (1...65_535).contains(port), let id = server[2].string else {
                    continue
                }
                addresses[id] = Self.address(server[0], Int(port), asked)
            }
        }
    }

    /// Returns the preferred address of a server; nil where there is none.
    func address(of id: String) -> RedisAddress? { addresses[id] }

    private static func address(_ host: RedisReply, _ port: Int, _ asked: RedisAddress) -> RedisAddress? {
        // Null means the host that was asked. A name that is preferred and not set is empty or a question mark.
        if host == .null, case .host(let name, _) = asked { return .host(name, port: port) }
        guard let name = host.string, !name.isEmpty, name != "?", name.utf8.count <= 253 else { return nil }
        return .host(name, port: port)
    }
}
