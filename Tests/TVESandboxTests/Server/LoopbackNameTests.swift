import Testing

@testable import TVESandbox

/// Tests of the hosts that are always the machine itself, on which the protection of the sandbox's pages depends.
struct LoopbackNameTests {
    @Test(arguments: [
        "localhost", "LocalHost", "localhost:8080", "127.0.0.1", "127.0.0.1:80", "127.255.255.255", "::1", "[::1]",
        "[::1]:8080", "0:0:0:0:0:0:0:1", "0000:0000:0000:0000:0000:0000:0000:0001", "0::1", "0:0::0:1",
        "0:0:0:0:0:0::1", "::0:0:0:0:0:0:1", "::0.0.0.1", "0:0:0:0:0:0:0.0.0.1",
        // Addresses of IPv4 in the form of IPv6.
        "::ffff:127.0.0.1", "::FFFF:127.255.0.1", "::ffff:7f00:1", "::ffff:7fff:ffff", "0:0:0:0:0:ffff:127.0.0.1",
        "0:0:0:0:0:ffff:7f00:0001",
    ])
    func theMachineItself_isRecognized(name: String) {
        #expect(LoopbackName.isName(name))
    }

    @Test(arguments: [
        "", ":", "::", "[]", "[", "example.com", "localhost.", "localhost.example.com", "xlocalhost", "localhos",
        // IPv4: another network, too few and too many numbers, and numbers that are none.
        "126.255.255.255", "128.0.0.1", "0.0.0.0", "127.0.0", "127.0.0.1.1", "127.1", "127.0.0.256", "127.0.0.",
        "127.0..1", ".127.0.0.1", "127.0.0.1.example.com", "127.0.0.+1", "127.0.0.-1", "0x7f.0.0.1", "2130706433",
        // IPv6: another address, one bit beside the right one, in each group.
        "::2", "::3", "::1:1", "::1:0:1", "1::1", "0:1::1", "0:0:1::1", "0:0:0:1::1", "0:0:0:0:1::1", "0:0:0:0:0:1:0:1",
        "0:0:0:0:0:0:1:1", "::1:0", "1::", "::0", "fe80::1", "::101", "::8001",
        // Seven and nine groups, and a gap that stands for nothing.
        "0:0:0:0:0:0:1", "0:0:0:0:0:0:0:0:1", "::0:0:0:0:0:0:0:1", "0:0:0:0:0:0:0:1::", "0:0:0:0::0:0:0:1",
        "0:0:0:0:0:ffff:127.0.0.1:1", "0:0:0:0:0:0:ffff:127.0.0.1", "0:0:0:0:ffff:127.0.0.1",
        // Two gaps, three colons, a colon at an end, and what is no group.
        "::0::1", "1::1::1", ":::1", "::1:", "::1:::", ":0:0:0:0:0:0:0:1", "0:0:0:0:0:0:0:1:", "::00001", "::+1", "::g",
        "::1%lo", "::１",
        // Brackets that are not closed, or do not end the address.
        "[::1", "[::1].example.com", "[::1]8080", "[[::1]]", "[127.0.0.1]", "[localhost]",
        // Mapped addresses of other networks, and groups before the address that are not zero.
        "::ffff:126.0.0.1", "::ffff:128.0.0.1", "::ffff:7eff:1", "::ffff:8000:1", "::fffe:127.0.0.1", "::127.0.0.1",
        "1::ffff:127.0.0.1", "0:0:0:0:1:ffff:127.0.0.1", "::ffff:127.0.0", "::ffff:127.0.0.1.1", "::ffff:127.0.0.256",
        "::127.0.0.1:ffff", "::ffff:127.0.0.1:1", "[::ffff:192.0.2.7]:80",
    ])
    func anotherHost_isNone(name: String) {
        #expect(!LoopbackName.isName(name))
    }
}
