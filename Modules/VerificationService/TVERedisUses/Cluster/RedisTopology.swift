@_spi(VerificationService) import TVEModels

/// A server of a cluster.
struct RedisNode: Sendable, Hashable {
    /// Its id, which it keeps when its address changes.
    let id: String
    let address: RedisAddress
}

/// What one server of a cluster says about all of them (`CLUSTER NODES`).
struct RedisTopology: Sendable {
    /// The id of the server that says so.
    let source: String
    /// All servers that can be asked.
    let nodes: [RedisNode]
    /// The primary of each slot.
    private let primaries: [RedisNode?]

    /// - Parameter address: where it was reached; a server that knows no other may not know its own address.
    init(
        of socket: RedisSocket, _ address: RedisAddress, _ configuration: RedisUsesConfiguration,
        until deadline: RedisDeadline
    ) throws(RedisUsesError) {
        let answer = try RedisMemory.accepted(socket.ask("CLUSTER", "NODES", until: deadline))
        // Where the access list forbids the second question, the addresses of the first one are used.
        let endpoints = RedisEndpoints(try socket.ask("CLUSTER", "SLOTS", until: deadline), askedAt: address)
        guard let text = answer.string,
            let topology = RedisTopology(
                text, askedAt: address, prefersNames: configuration.tls != nil, endpoints: endpoints)
        else { throw .unreadableAnswer }
        self = topology
    }

    /// Reads an answer to `CLUSTER NODES`; nil for anything else.
    ///
    /// - Parameter prefersNames: use a server's announced host name, if it has one, and not its IP address: a
    ///   certificate more often has the name.
    init?(
        _ text: String, askedAt address: RedisAddress, prefersNames: Bool, endpoints: RedisEndpoints = RedisEndpoints()
    ) {
        var source: String?
        var nodes: [RedisNode] = []
        var primaries = [RedisNode?](repeating: nil, count: RedisSlot.count)
        for line in ServiceSupport.parts(of: text[...], separatedBy: "\n", keepsEmpty: false) {
            // id host:port@bus,name flags primary ping pong epoch link slots…
            let words = ServiceSupport.parts(of: line, separatedBy: " ", keepsEmpty: false)
            guard words.count >= 8 else { return nil }
            let flags = Set(ServiceSupport.parts(of: words[2], separatedBy: ","))
            if flags.contains("myself") { source = String(words[0]) }
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
            // Slots that move are in brackets, and still belong to the server that has them.
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
        self.nodes = nodes
        self.primaries = primaries
    }

    /// The primary of a slot; nil when the slot has none.
    func primary(of slot: Int) -> RedisNode? { primaries[slot] }

    /// Whether any slot has a primary: not so for a server that was removed from its cluster.
    var hasSlots: Bool { primaries.contains { $0 != nil } }

    /// Whether a server is one of this cluster.
    func knows(_ id: String) -> Bool { nodes.contains { $0.id == id } }

    /// The cluster of which servers told; nil when none did.
    ///
    /// - Throws: `.severalPrimaries` when they are of several clusters; `.noPrimary` when it has no slots.
    static func common(to views: [RedisTopology]) throws(RedisUsesError) -> RedisTopology? {
        guard !views.isEmpty else { return nil }
        let views = views.filter(\.hasSlots)
        guard let first = views.first else { throw .noPrimary }
        guard views.allSatisfy({ first.knows($0.source) }) else { throw .severalPrimaries }
        return first
    }
}
