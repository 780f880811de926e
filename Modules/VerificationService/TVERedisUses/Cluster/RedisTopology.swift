@_spi(VerificationService) import TVEModels

/// A server of a cluster.
struct RedisNode: Sendable, Hashable {
    /// The id of the server, which stays the same when its address changes.
    let id: String
    let address: RedisAddress
}

/// The view that one server of a cluster has of all its servers (`CLUSTER NODES`).
struct RedisTopology: Sendable {
    /// The id of the server that reported the view.
    let source: String
    /// The highest configuration epoch of a primary.
    ///
    /// It grows with each failover, and with each slot that moves to a server whose epoch is not the highest already.
    let epoch: Int64
    /// All servers with a known address.
    let nodes: [RedisNode]
    /// The ids of all servers, with those whose addresses are unknown.
    private let ids: Set<String>
    /// The primary of each slot; `nil` for a slot without one.
    private let primaries: [RedisNode?]

    /// Requests the view of a server.
    ///
    /// - Parameters:
    ///   - socket: the connection to the server.
    ///   - address: the address at which the server was reached. A server that knows no other one may not know its own
    ///     address.
    ///   - configuration: the rules for using the servers.
    ///   - deadline: the time by which the answers must have arrived.
    /// - Throws: `.unreadableAnswer`, `.refused`, and the errors of the connection.
    init(
        of socket: RedisSocket, _ address: RedisAddress, _ configuration: RedisUsesConfiguration,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        let answer = try RedisMemory.accepted(socket.ask("CLUSTER", "NODES", until: deadline))
        // If the access list forbids the second command, the addresses in the answer to the first one are used.
        let endpoints = RedisEndpoints(try socket.ask("CLUSTER", "SLOTS", until: deadline), askedAt: address)
        guard let text = answer.string,
            let topology = RedisTopology(
                text, askedAt: address, prefersNames: configuration.tls != nil, endpoints: endpoints)
        else { throw .unreadableAnswer }
        self = topology
    }

    /// Reads an answer to `CLUSTER NODES`, or returns `nil` if it does not have the documented form.
    ///
    /// - Parameters:
    ///   - text: the answer.
    ///   - address: the address at which the server was reached.
    ///   - prefersNames: `true` to use the announced host name of a server, if it has one, instead of its IP address.
    ///     Certificates more often contain the name.
    ///   - endpoints: the addresses that the cluster announces to clients.
    init?(
        _ text: String, askedAt address: RedisAddress, prefersNames: Bool, endpoints: RedisEndpoints = RedisEndpoints()
    ) {
        var source: String?
        var epoch: Int64 = 0
        var nodes: [RedisNode] = []
        var ids: Set<String> = []
        var primaries = [RedisNode?](repeating: nil, count: RedisSlot.count)
        for line in ServiceSupport.parts(of: text[...], separatedBy: "\n", keepsEmpty: false) {
            // The words are: id host:port@bus,name flags primary ping pong epoch link slots…
            let words = ServiceSupport.parts(of: line, separatedBy: " ", keepsEmpty: false)
            guard words.count >= 8 else { return nil }
            let flags = Set(ServiceSupport.parts(of: words[2], separatedBy: ","))
            if flags.contains("myself") { source = String(words[0]) }
            // During a handshake, the id is only a random one.
            if !flags.contains("handshake") { ids.insert(String(words[0])) }
            guard flags.isDisjoint(with: ["noaddr", "handshake"]) else { continue }
            let place = ServiceSupport.parts(of: words[1], separatedBy: ",")
            let hostAndPort = ServiceSupport.divided(place[0], at: "@").before
            guard let (host, port) = ServiceSupport.dividedAtLast(hostAndPort, ":"), let port = Int(port),
                (1...65_535).contains(port)
            else { return nil }
            var node = RedisNode(id: String(words[0]), address: .host(String(host), port: port))
            if prefersNames, place.count > 1, !place[1].isEmpty, !place[1].utf8.contains(UInt8(ascii: "=")) {
                node = RedisNode(id: node.id, address: .host(String(place[1]), port: port))
            } else if let preferred = endpoints.address(of: node.id) {
                node = RedisNode(id: node.id, address: preferred)
            } else if host.isEmpty {
                guard flags.contains("myself") else { continue }
                node = RedisNode(id: node.id, address: address)
            }
            nodes.append(node)
            guard flags.contains("master") else { continue }
            epoch = max(epoch, Int64(words[6]) ?? 0)
            // Slots that are moving are listed in brackets as well, and still belong to the server that has them.
            for range in words[8...] where !range.utf8.starts(with: "[".utf8) {
                let (first, last) = ServiceSupport.divided(range, at: "-")
                guard let first = Int(first), let last = last.map({ Int($0) }) ?? first,
                    (0..<RedisSlot.count).contains(first), (first..<RedisSlot.count).contains(last)
                else { return nil }
                for slot in first...last { primaries[slot] = node }
            }
        }
        guard let source else { return nil }
        self.source = source
        self.epoch = epoch
        self.nodes = nodes
        self.ids = ids
        self.primaries = primaries
    }

    /// Returns the primary of a slot, or `nil` if the slot has none.
    func primary(of slot: Int) -> RedisNode? { primaries[slot] }

    /// A Boolean value that indicates whether any slot has a primary.
    ///
    /// The value is `false` in the view of a server that was removed from its cluster.
    var hasSlots: Bool { primaries.contains { $0 != nil } }

    /// Returns a Boolean value that indicates whether a server belongs to this cluster.
    func knows(_ id: String) -> Bool { ids.contains(id) }

    /// Returns the latest view of the cluster to which all servers belong, or `nil` if there are no views.
    ///
    /// A primary that was cut off does not know that it was replaced. A server that was removed still knows the others,
    /// but they do not know it any more.
    ///
    /// - Throws: `.severalPrimaries` if the servers belong to several clusters; `.noPrimary` if no view has slots.
    static func common(to views: [RedisTopology]) throws(RedisUsesError) -> RedisTopology? {
        guard !views.isEmpty else { return nil }
        let views = views.filter(\.hasSlots)
        guard let latest = views.max(by: { $0.epoch < $1.epoch }) else { throw .noPrimary }
        let areOneCluster = views.allSatisfy { view in views.allSatisfy { view.knows($0.source) } }
        guard areOneCluster else { throw .severalPrimaries }
        return latest
    }
}
