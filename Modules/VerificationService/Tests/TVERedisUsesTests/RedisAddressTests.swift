import TVERedisUses
import Testing

struct RedisAddressTests {
    @Test(
        arguments: [
            ("localhost", "localhost:6379"), ("redis.example:7000", "redis.example:7000"), ("10.0.0.1:1", "10.0.0.1:1"),
            ("[::1]:6380", "[::1]:6380"), ("[::1]", "[::1]:6379"), ("unix:/run/redis.sock", "unix:/run/redis.sock"),
            ("", nil), (":6379", nil), ("host:", nil), ("host:0", nil), ("host:65536", nil), ("host:+1", nil),
            ("host:1:2", nil), ("6379", nil), ("6379:1", nil), ("1a", "1a:6379"),
            ("[1::]", "[1::]:6379"), ("[::1", nil), ("[::1]6379", nil), ("unix:", nil), ("unix:relative", nil),
            ("redis_1.example-2:7000", "redis_1.example-2:7000"), ("[FE80::1.2.3.4%eth0]:1", "[FE80::1.2.3.4%eth0]:1"),
            ("a,b", nil), ("a;1", nil), ("a?x", nil), ("a#x", nil), ("\"a\"", nil), ("a%eth0", nil), ("[::g]", nil),
            ("[::1%e;0]", nil), ("user@host:1", nil), ("redis://host", nil), ("ho st", nil), ("höst", nil),
            ("unix:/" + String(repeating: "a", count: 200), nil), (String(repeating: "a", count: 300), nil),
        ] as [(String, String?)])
    func isRead_orRefused(text: String, expected: String?) {
        #expect(RedisAddress(text)?.description == expected)
    }

    @Test func configuration_printsNoPassword() {
        var configuration = RedisUsesConfiguration(servers: [.host("redis.example", port: 6379)])
        configuration.password = "correct horse"
        var text = "\(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        #expect(!text.contains("correct horse"))
        #expect(text.contains("redis.example:6379"))
    }
}
