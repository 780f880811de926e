import Crypto
import Foundation
import TVEModels
import Testing

@testable import TVESandboxConsole

/// Compares QR codes with those of the Python package `qrcode`.
struct QRCodeTests {
    private struct Known: Sendable {
        let text: String
        let version: Int
        /// The beginnings of the SHA-256 of the modules, by mask.
        ///
        /// They come from `QRCode(error_correction=ERROR_CORRECT_M, border=0, mask_pattern=…)` of qrcode 8.2 with
        /// `QRData(text, mode=MODE_8BIT_BYTE)`, as rows of 0 and 1 with line breaks between.
        let hashes: [String]
    }

    private static let known = [
        Known(
            text: "http://192.168.1.20:8080/activate", version: 3,
            hashes: [
                "7396e42984ff5155", "69b029815b9f47ef", "dbba407045c0ec8d", "3c298a7ffd4326e2", "9f2175fad5b6c9c2",
                "7cd4ab89b94408e9", "c576194abdc46014", "25148883b8d98d7c",
            ]),
        Known(
            text: "A", version: 1,
            hashes: [
                "2bae48594b732587", "43f688a881761c91", "1df28de52a4a3bd0", "bc9009ae87ca68f1", "177b3a1897a152ae",
                "a6fca46e028f9962", "90e985ca4eb58895", "23eee31305a65603",
            ]),
        Known(
            text: "http://10.0.0.1:65535/activate?code=ABCDEFG&provider=demo-cable&more=1234567890", version: 5,
            hashes: [
                "28035af976fc5612", "36a271f7b7a6ac8d", "e39246272832f134", "ef076249e826cfa6", "65e085e7c6246dac",
                "f2c407e8c075342f", "a48ef6022a392d08", "e8c662afeccbe9cd",
            ]),
    ]

    @Test(arguments: known.indices, 0...7)
    func isTheSameAsAnother(index: Int, mask: Int) throws {
        let known = Self.known[index]
        let code = try #require(QRCode(known.text, mask: mask))
        #expect(code.version == known.version)
        let rows = code.modules.map { $0.map { $0 ? "1" : "0" }.joined() }.joined(separator: "\n")
        #expect(SHA256.hash(data: Data(rows.utf8)).hexadecimal.prefix(16) == known.hashes[mask])
    }

    /// A phone cannot reach an address of the loopback network, by whatever name.
    @Test(arguments: ["127.0.0.1", "127.8.9.10", "localhost", "LocalHost", "::1"])
    func theAddressForAPhone_isNoneOfThisMachineAlone(host: String) throws {
        #expect(NetworkAddress.forPhones(host) == nil)
        let page = try #require(URL(string: "http://\(host.contains(":") ? "[\(host)]" : host):8080/activate?code=A"))
        let reachable = NetworkAddress.forPhones(page)
        #expect(reachable != page)
        if let reachable {
            #expect(reachable.port == 8080 && reachable.path() == "/activate" && reachable.query() == "code=A")
            #expect(NetworkAddress.forPhones(reachable) == reachable)
        }
    }

    /// A name may begin as an address of the loopback network does, and belongs to any machine.
    @Test(arguments: ["192.168.1.20", "tv.example", "127.example.com", "127.0.0.1.example"])
    func anAddressOfTheNetwork_staysAsItIs(host: String) throws {
        let page = try #require(URL(string: "http://\(host):8080/activate"))
        #expect(NetworkAddress.forPhones(host) == host && NetworkAddress.forPhones(page) == page)
    }

    @Test(
        arguments: [
            (nil, "127.0.0.1", "listens only to this machine"),
            (nil, "0.0.0.0", "this machine has no address that a phone could reach"),
            ("192.168.1.20", "0.0.0.0", "http://192.168.1.20:8080/activate"),
        ] as [(String?, String, String)])
    func thePageOfAccounts_hasTheAddressForAPhone_orSaysWhyThereIsNone(address: String?, host: String, text: String) {
        #expect(AccountsPage.phone(address, listensAt: host, port: ":8080").contains(text))
    }

    @Test func choosesAMask_andRefusesWhatIsTooLong() throws {
        #expect(try #require(QRCode("http://192.168.1.20:8080/activate")).size == 29)
        #expect(QRCode(String(repeating: "a", count: 106))?.version == 6)
        #expect(QRCode(String(repeating: "a", count: 107)) == nil)
    }
}
