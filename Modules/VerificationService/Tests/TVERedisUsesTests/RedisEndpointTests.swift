import TVEFleetFixture
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

/// Clusters whose servers know each other by addresses that clients cannot reach.
@Suite(.fourAtATime, .needs("redis-server", "redis-cli"))
struct RedisEndpointTests {
    @Test(.timeLimit(.hanging), arguments: ["hostname", "unknown-endpoint"])
    func aCluster_isReachedWhereItPrefers(type: String) async throws {
        // The server listens on 127.0.0.1 alone.
        let cluster = try RedisCluster(
            primaries: 1,
            arguments: [
                "--cluster-announce-ip", "127.0.0.9", "--cluster-announce-hostname", "localhost",
                "--cluster-preferred-endpoint-type", type,
            ])
        let uses = try cluster.uses()
        #expect(await uses.recovers())
        uses.close()
    }
}
