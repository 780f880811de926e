import Foundation
import TVETokenVerification
import Testing

@testable import TVERedisUses

struct RedisTopologyTests {
    // The values are the check value of CRC16 (XMODEM) and the examples in the specification of Redis Cluster.
    @Test(
        arguments: [
            ("123456789", "", 12_739), ("{user1000}.following", "user1000", nil), ("foo{}{bar}", "foo{}{bar}", nil),
            ("foo{{bar}}zap", "{bar", nil), ("foo{bar}{zap}", "bar", nil), ("{é}x", "é", nil), ("{open", "{open", nil),
        ] as [(String, String, Int?)])
    func slot_isThatOfTheTextInBraces(key: String, hashed: String, slot: Int?) {
        #expect(RedisSlot.of(key) == slot ?? RedisSlot.of("x{\(hashed)}") || hashed.contains("{"))
        if hashed == key, slot == nil { #expect(RedisSlot.of(key) != RedisSlot.of("")) }
        if let slot { #expect(RedisSlot.of(key) == slot) }
    }

    @Test func parts_areSpreadEvenly_andAPartsKeysAreInOneSlot() {
        let keys = RedisKeys(prefix: "tve", isCluster: true)
        #expect(keys.slots.count == 1_024)
        for (part, slot) in keys.slots.enumerated() {
            #expect(slot / 16 == part)
            #expect(RedisSlot.of(keys.mark(part)) == slot)
        }
        for _ in 0..<200 {
            let spend = RedisSpend(.random(), keptAfterEnd: 0)
            #expect(RedisSlot.of(keys.token(spend)) == keys.slots[keys.part(of: spend)])
        }
        // Verifiers of all versions must store a token under the same key.
        let alone = RedisKeys(prefix: "tve", isCluster: false)
        for (digest, key) in [
            (Data(repeating: 0xAB, count: 32), "tve:{1027}:q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s"),
            (Data([1, 2]) + Data(repeating: 3, count: 30), "tve:{461}:AQIDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM"),
            (Data(repeating: 0xFF, count: 32), "tve:{430}:\(String(repeating: "_", count: 42))8"),
        ] {
            let use = MediaTokenUse(digest: digest, expires: .distantFuture, issued: .distantPast)
            let spend = RedisSpend(use, keptAfterEnd: 0)
            #expect(keys.token(spend) == key)
            #expect(alone.token(spend) == "tve:" + spend.digest)
        }
        #expect(keys.mark(0) == "tve:{460}:began" && keys.mark(1_023) == "tve:{430}:began")
        #expect(alone.mark(0) == "tve:began")
        // Braces in the prefix take precedence, and one server has all keys.
        #expect(Set(RedisKeys(prefix: "{tve}", isCluster: true).slots) == [RedisSlot.of("tve")])
        // A digest that is too short has the place 0.
        #expect(RedisSpend(MediaTokenUse(digest: Data(), expires: .now, issued: .now), keptAfterEnd: 0).place == 0)
    }

    private static let text = """
        aa 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-5 9 [12->-bb]
        bb 10.0.0.2:6380@16380,b.example master - 0 0 2 connected 6-8
        cc :0@0 master,noaddr - 0 0 3 disconnected 10
        dd 10.0.0.4:6379@16379,shard-id=5f slave aa 0 0 1 connected
        ee 10.0.0.5:6379@16379 handshake - 0 0 0 disconnected

        """

    @Test func servers_andTheirSlots_areRead() throws {
        let asked = RedisAddress.host("seed", port: 1)
        let found = try #require(RedisTopology(Self.text, askedAt: asked, prefersNames: false))
        #expect(found.source == "aa")
        #expect(found.nodes.map(\.address.description) == ["10.0.0.1:6379", "10.0.0.2:6380", "10.0.0.4:6379"])
        let owners = [0, 5, 6, 8, 9, 10, 12, 16_383].map { found.primary(of: $0)?.id }
        #expect(owners == ["aa", "aa", "bb", "bb", "aa", nil, nil, nil])
        #expect(found.knows("dd") && found.knows("cc") && !found.knows("ee"))
        let named = try #require(RedisTopology(Self.text, askedAt: asked, prefersNames: true))
        #expect(named.nodes.map(\.address.description) == ["10.0.0.1:6379", "b.example:6380", "10.0.0.4:6379"])
        #expect(named.primary(of: 7)?.address.description == "b.example:6380")
        // A server that has met no other does not know its own address.
        let alone = RedisTopology(
            "ee :6379@16379 myself,master - 0 0 0 connected 0-16383\n", askedAt: asked, prefersNames: false)
        #expect(alone?.primary(of: 0)?.address == asked)
    }

    @Test(arguments: [
        "", "aa 10.0.0.1:6379@1 master - 0 0 1 connected 0-5", "myself", "aa host myself,master - 0 0 1 connected",
        "aa h:1@1 myself,master - 0 0 1 connected 0-16384", "aa h:1@1 myself,master - 0 0 1 connected 5-3",
        "aa h:1@1 myself,master - 0 0 1 connected -1", "aa h:0@1 myself,master - 0 0 1 connected",
        "aa h:1@1 myself,master - 0 0 1 connected 1-", "aa h:1@1 myself,master - 0 0 1 connected 99999999999999999999",
    ])
    func anythingElse_isRefused(text: String) {
        #expect(RedisTopology(text, askedAt: .host("seed", port: 1), prefersNames: false) == nil)
    }

    private static func view(_ text: String) throws -> RedisTopology {
        try #require(RedisTopology(text, askedAt: .host("seed", port: 1), prefersNames: false))
    }

    /// A server that was removed from its cluster knows only itself, and has no slots.
    @Test func theCommonView_isThatOfAServerWithSlots() throws {
        let empty = try Self.view("aa h:1@1 myself,master - 0 0 0 connected")
        let full = try Self.view("bb h:2@1 myself,master - 0 0 1 connected 0-16383")
        for views in [[empty, full], [full, empty]] {
            #expect(try RedisTopology.common(to: views)?.source == "bb")
        }
        #expect(throws: RedisUsesError.noPrimary) { try RedisTopology.common(to: [empty]) }
        #expect(try RedisTopology.common(to: []) == nil)
    }

    /// The primary `aa` was cut off, and does not know that `bb` has taken over.
    @Test func theCommonView_isTheLatest() throws {
        let old = try Self.view(
            "aa h:1@1 myself,master - 0 0 1 connected 0-16383\nbb h:2@1 slave,fail aa 0 0 1 connected")
        let new = try Self.view(
            "aa h:1@1 master,fail - 0 0 1 connected\nbb h:2@1 myself,master - 0 0 2 connected 0-16383")
        for views in [[old, new], [new, old]] {
            #expect(try RedisTopology.common(to: views)?.source == "bb")
        }
    }

    /// A server that has lost the address of another one still lists it.
    @Test func aServerWithoutAnAddress_belongsToTheCluster() throws {
        let old = try Self.view(
            "aa h:1@1 myself,master - 0 0 1 connected 0\nbb :0@0 master,noaddr - 0 0 2 disconnected 1-16383")
        let new = try Self.view("aa h:1@1 master - 0 0 1 connected 0\nbb h:2@1 myself,master - 0 0 2 connected 1-16383")
        #expect(old.nodes.map(\.id) == ["aa"])
        for views in [[old, new], [new, old]] {
            #expect(try RedisTopology.common(to: views)?.source == "bb")
        }
    }

    /// The server `dd` was removed from the cluster, and does not know that.
    @Test func theViewOfARemovedServer_isNotThatOfTheOthers() throws {
        let removed = try Self.view(
            "aa h:1@1 master - 0 0 1 connected\ndd h:2@1 myself,master - 0 0 2 connected 0-16383")
        let other = try Self.view("aa h:1@1 myself,master - 0 0 1 connected 0-16383")
        for views in [[removed, other], [other, removed]] {
            #expect(throws: RedisUsesError.severalPrimaries) { try RedisTopology.common(to: views) }
        }
    }

    @Test func viewsOfTwoClusters_haveNothingInCommon() throws {
        let views = [
            try Self.view("aa h:1@1 myself,master - 0 0 1 connected 0-16383"),
            try Self.view("bb h:2@1 myself,master - 0 0 1 connected 0-16383"),
        ]
        #expect(throws: RedisUsesError.severalPrimaries) { try RedisTopology.common(to: views) }
    }

    /// Returns the entry of a server in `CLUSTER SLOTS`, which contains the host.
    ///
    /// From Redis 7 on, more names of the server follow its id.
    private static func slots(
        _ host: RedisReply, _ id: String = "bb", port: Int64 = 7_000, names: [RedisReply] = [.list([])]
    ) -> RedisReply {
        let server = [host, .number(port), .text(Data(id.utf8))] + names
        return .list([.list([.number(6), .number(8), .list(server)])])
    }

    @Test(
        arguments: [
            (slots(.text(Data("redis-2.example".utf8))), "redis-2.example:7000"),
            (slots(.text(Data("redis-2.example".utf8)), names: []), "redis-2.example:7000"),
            (slots(.null), "seed:7000"), (slots(.text(Data())), "10.0.0.2:6380"),
            (slots(.text(Data("?".utf8))), "10.0.0.2:6380"), (slots(.text(Data("x".utf8)), "zz"), "10.0.0.2:6380"),
            (slots(.text(Data("x".utf8)), port: 0), "10.0.0.2:6380"), (.error("NOPERM no"), "10.0.0.2:6380"),
            (.list([.null, .list([.number(1)])]), "10.0.0.2:6380"), (.list([]), "10.0.0.2:6380"),
        ] as [(RedisReply, String)])
    func aServer_isReachedWhereTheClusterPrefers(reply: RedisReply, address: String) throws {
        let asked = RedisAddress.host("seed", port: 1)
        let found = try #require(
            RedisTopology(
                Self.text, askedAt: asked, prefersNames: false, endpoints: RedisEndpoints(reply, askedAt: asked)))
        #expect(found.primary(of: 7)?.address.description == address)
        // With TLS, the announced name is the one in the certificate.
        let named = try #require(
            RedisTopology(
                Self.text, askedAt: asked, prefersNames: true, endpoints: RedisEndpoints(reply, askedAt: asked)))
        #expect(named.primary(of: 7)?.address.description == "b.example:6380")
    }
}
