import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

@testable import TVETestSupport

struct ProxyVariablesTests {
    private static let office = "http://proxy.example:3128"

    /// Names of variables, a URL, and the variable whose proxy a request to it goes through, or nil for none.
    private static let rows: [([String], String, String?)] = [
        (["http_proxy"], "http://sp.example.com/", "http_proxy"), (["http_proxy"], "https://sp.example.com/", nil),
        (["HTTP_PROXY"], "http://sp.example.com/", nil), (["https_proxy"], "https://sp.example.com/", "https_proxy"),
        (["HTTPS_PROXY"], "HTTPS://sp.example.com/", "HTTPS_PROXY"), (["https_proxy"], "http://sp.example.com/", nil),
        (["all_proxy"], "http://sp.example.com/", "all_proxy"), (["ALL_PROXY"], "https://sp.example.com", "ALL_PROXY"),
        (["all_proxy", "https_proxy"], "https://sp.example.com/", "https_proxy"), ([], "https://sp.example.com/", nil),
        (["http_proxy", "all_proxy"], "http://127.0.0.1:8080/", nil), (["all_proxy"], "http://127.1.2.3/", nil),
        (["all_proxy"], "https://localhost/", nil), (["all_proxy"], "http://LOCALHOST:1/", nil),
        (["all_proxy"], "http://tv.localhost:1/", nil), (["all_proxy"], "http://[::1]:1/", nil),
        (["all_proxy"], "http://0.0.0.0:8080/", nil), (["all_proxy"], "http://127.0.0.1.example/", "all_proxy"),
        (["all_proxy"], "http://localhost.example/", "all_proxy"), (["all_proxy"], "http://128.0.0.1/", "all_proxy"),
    ]

    @Test(arguments: rows)
    func choosesTheProxy_asTheClientDoes(names: [String], url: String, used: String?) throws {
        let variables = ProxyVariables(Dictionary(uniqueKeysWithValues: names.map { ($0, Self.office) }))
        let proxy = variables.proxy(for: try #require(URL(string: url)))
        #expect(proxy?.variable == used && (used == nil || proxy?.address == Self.office))
    }

    @Test(arguments: [
        ("sp.example.com", "sp.example.com", true), (".example.com", "sp.example.com", true),
        ("example.com", "sp.example.com", true), ("example.com", "notexample.com", false),
        ("other, sp.example.com", "SP.example.com.", true), ("other sp.example.com", "sp.example.com", true),
        ("*", "sp.example.com", true), ("*,other", "sp.example.com", false), ("", "sp.example.com", false),
        ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false), ("10.0.0.0/99", "10.1.2.3", false),
        ("10.1.2.3", "10.1.2.3", true), ("example.com", "sp.example.org", false),
    ])
    func knowsWhatIsExempt(list: String, host: String, isExempt: Bool) {
        for name in ["no_proxy", "NO_PROXY"] {
            #expect(ProxyVariables([name: list]).isExempt(host) == isExempt, "\(name)")
        }
    }

    @Test(
        arguments: [
            ("*.corp.example", ".corp.example"), ("*corp.example", "corp.example"),
            ("sp.corp.example:81", "sp.corp.example"), ("a.example, *.CORP.example:81", ".CORP.example"),
            ("*.other.example", nil), ("sp.corp.example:http", nil), (".corp.example", nil), ("*", nil), ("*:81", nil),
            ("*,a.example", nil), ("::1", nil), (":81", nil), ("", nil),
            // As other systems and programs write the list.
            ("a.example;sp.corp.example", "sp.corp.example"), ("a.example|*.corp.example", ".corp.example"),
            ("https://sp.corp.example:81/", "sp.corp.example"), ("\"sp.corp.example", "sp.corp.example"),
            ("'a.example", nil), ("a.example;b.example", nil), (";", nil), ("://", nil),
        ] as [(String, String?)])
    func namesAnEntryThatLibcurlDoesNotRead(list: String, form: String?) {
        for name in ["no_proxy", "NO_PROXY"] {
            let unread = ProxyVariables([name: list]).unreadExemption(of: "sp.corp.example")
            #expect(unread?.form == form, "\(name)")
            #expect(unread.map { list.contains($0.entry) } ?? true)
        }
    }

    /// The values of both variables before, and that of `no_proxy` afterwards, or nil if it does not change.
    private static let lists: [(String?, String?, String?)] = [
        (nil, nil, "here,127.0.0.1"), ("a.example", nil, "a.example,here,127.0.0.1"),
        (nil, "a.example", "a.example,here,127.0.0.1"), ("a.example", "b.example", "a.example,here,127.0.0.1"),
        ("here", nil, "here,127.0.0.1"), ("127.0.0.1 , here", nil, nil), ("*", nil, nil), (nil, "*", "*"),
        ("", "a.example", "a.example,here,127.0.0.1"),
    ]

    @Test(arguments: lists)
    func addsThisMachine_toWhatIsExemptAlready(lower: String?, upper: String?, value: String?) {
        let both = ["no_proxy": lower, "NO_PROXY": upper, "http_proxy": Self.office].compactMapValues(\.self)
        #expect(ProxyVariables(both).exemptions(of: "no_proxy", listing: ["here", "127.0.0.1"]) == value)
    }

    #if os(Linux)
    /// The addresses of IPv4 that the kernel has, and those of all interfaces.
    ///
    /// Foundation's `Host` asks name servers for the names of the addresses, which takes long without a network.
    private static func ownAddresses() throws -> [String] {
        // The line before such a mark ends with the address.
        let lines = try String(contentsOfFile: "/proc/net/fib_trie", encoding: .utf8).split(separator: "\n")
        let marked = lines.indices.dropFirst().filter { lines[$0].contains("/32 host LOCAL") }
        let known = marked.compactMap { lines[$0 - 1].split(separator: " ").last.map(String.init) }
        try #require(known.contains("127.0.0.1"))
        return known + InterfaceAddress.all.map(\.text)
    }

    /// A sandbox may listen on an address of the local network.
    @Test func theAddressesOfThisMachine_areThisMachine() throws {
        for address in try Self.ownAddresses() where !address.contains("%") {
            #expect(ProxyVariables.isThisMachine(address), "\(address)")
            let host = address.contains(":") ? "[\(address)]" : address
            let url = try #require(URL(string: "http://\(host):8080/"))
            #expect(ProxyVariables(["all_proxy": Self.office]).proxy(for: url) == nil)
        }
        let name = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
        #expect(ProxyVariables.isThisMachine(name.trimmingCharacters(in: .whitespacesAndNewlines)), "\(name)")
        #expect(!ProxyVariables.isThisMachine("sp.example.com") && !ProxyVariables.isThisMachine("8.8.8.8"))
    }
    #endif

    @Test(arguments: [
        ("http://user:s3cr3t@proxy.example:3128/", "http://proxy.example:3128"),
        ("user:s3cr3t@proxy.example", "proxy.example"),
        ("socks5h://u:p@ss@proxy.example:1080", "socks5h://proxy.example:1080"),
        ("proxy.example:3128", "proxy.example:3128"),
        // Passwords that are not encoded.
        ("http://user:s3c/r3t@proxy.example:3128/path", "http://proxy.example:3128"),
        ("http://user:s3c?r3t#@proxy.example:3128/?a#b", "http://proxy.example:3128"),
        ("user:s3c://r3t@proxy.example", "proxy.example"), ("http://a:b://c@proxy.example", "http://proxy.example"),
    ])
    func showsNoPassword_ofAProxy(value: String, address: String) {
        #expect(ProxyVariables(["all_proxy": value]).all.map(\.address) == [address])
    }
}

#if canImport(FoundationNetworking)
/// The transport of an app on Linux, where the environment names a proxy.
///
/// The tests run in processes of their own, because all tests of a process share its environment.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ProxiedTransportTests {
    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func reachesThisMachine_behindADeadProxy(variable: String) async throws {
        await #expect(processExitsWith: .success) { [variable] in try await Self.reachThisMachine(behind: variable) }
    }

    private static func reachThisMachine(behind variable: String) async throws {
        clear()
        _ = unsafe setenv(variable, "http://127.0.0.1:9", 1)
        #expect(try await answer(at: "127.0.0.1") == "direct")
        #expect(try await answer(at: "localhost") == "direct")
    }

    @Test func keepsTheProxy_forEverythingElse() async throws {
        await #expect(processExitsWith: .success) { try await Self.reachOthersThroughAProxy() }
    }

    private static func reachOthersThroughAProxy() async throws {
        clear()
        let proxy = try LoopbackServer { request, socket in send("proxied \(request.line)", socket) }
        _ = unsafe setenv("http_proxy", proxy.url(""), 1)
        _ = unsafe setenv("NO_PROXY", "exempt.invalid", 1)
        let transport = URLSessionTransport(timeout: .hanging)
        func get(_ text: String) async throws -> String {
            let url = try #require(URL(string: text))
            let (_, body) = try await transport.send(HTTPRequest(method: .get, url: url), body: nil)
            return String(decoding: body, as: UTF8.self)
        }
        #expect(try await get("http://sp.invalid/a") == "proxied GET http://sp.invalid/a")
        #expect(try await answer(at: "127.0.0.1") == "direct")
        #expect(try await get("http://sp.invalid/b") == "proxied GET http://sp.invalid/b")
        // Hosts that the user has exempted stay exempt, although libcurl reads the other name first.
        await #expect(throws: TransportError.unknownHost) { try await get("http://exempt.invalid/") }
    }

    /// Removes the variables of the environment in which the tests run.
    private static func clear() {
        for name in ["http", "HTTP", "https", "HTTPS", "all", "ALL", "no", "NO"] {
            _ = unsafe unsetenv("\(name)_\(name.uppercased() == name ? "PROXY" : "proxy")")
        }
    }

    private static func answer(at host: String) async throws -> String {
        let server = try LoopbackServer { _, socket in send("direct", socket) }
        let url = try #require(URL(string: "http://\(host):\(server.port)/"))
        let (_, body) = try await URLSessionTransport(timeout: .hanging).send(
            HTTPRequest(method: .get, url: url), body: nil)
        return String(decoding: body, as: UTF8.self)
    }

    private static func send(_ text: String, _ socket: Int32) {
        LoopbackServer.send(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)", socket)
    }
}
#endif
