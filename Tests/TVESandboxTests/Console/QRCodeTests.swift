import Crypto
import Foundation
import TVEModels
import Testing

@testable import TVESandbox

/// QR codes against those that segno makes, a library that many telephones have read.
struct QRCodeTests {
    private struct Known: Sendable {
        let text: String
        let version: Int
        /// The beginnings of the SHA-256 of the modules, by mask: `segno.make_qr(text, error='m', mask=…, boost_error=False,
        /// mode='byte')`, rows of 0 and 1 with line breaks between.
        let hashes: [String]
    }

    private static let known = [
        Known(
            text: "http://192.168.1.20:8080/activate", version: 3,
            hashes: [
                "5edbb3e9c6188d0d", "b13ddbb4172bd38e", "c8fb0ffb106e361f", "e5452c3cd464a73f", "fc367da09855fd97",
                "593e6b8ca89e1ef9", "adbc3f868df0f27b", "c1362586f825cd57",
            ]),
        Known(
            text: "A", version: 1,
            hashes: [
                "94a15d3275a26b5c", "79c04446f28073e9", "7b4b2d049402baf1", "23725b8f2eddb700", "0923bf7d57432785",
                "e374ae7c7b74aacc", "399c99d2dbda140e", "de7e3b48f058d19c",
            ]),
        Known(
            text: "http://10.0.0.1:65535/activate?code=ABCDEFG&provider=demo-cable&more=1234567890", version: 5,
            hashes: [
                "8d6333c1e4b04668", "984d2ba654121a4e", "e4e5c12ffc26ba55", "80340cbdb56442ec", "f1b9932660956bf9",
                "ed61370639dee538", "c263dae8fc02ebc0", "4abd0e6c5de43d27",
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

    @Test func choosesAMask_andRefusesWhatIsTooLong() throws {
        #expect(try #require(QRCode("http://192.168.1.20:8080/activate")).size == 29)
        #expect(QRCode(String(repeating: "a", count: 106))?.version == 6)
        #expect(QRCode(String(repeating: "a", count: 107)) == nil)
    }
}
