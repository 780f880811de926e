import Foundation
import TVEModels
import TVETokenCodec

/// AuthN tokens in the format of the service.
///
/// Different tokens are used in rotation, so that the branch predictor cannot learn them.
public enum TokenPopulation {
    /// The texts of 64 tokens of about 970 bytes, each with a signature of 2,048 bits and a body of 600 bytes.
    public static let authentication = envelopes.map(\.text.rawValue)

    private static let envelopes = (0..<64).map { number in
        var claims = AuthenticationToken.Claims(
            authenticationGUID: UUID().uuidString, requestorID: "DEMO",
            expires: TokenDate(secondsSince1970: 1_797_874_200 + Int64(number), utcOffsetMinutes: -480),
            mvpdID: "demo-cable", fingerprint: String(repeating: "\(number % 10)", count: 40))
        claims.samlSessionIndex = noise(64)
        claims.samlNameID = noise(48)
        claims.timeToLive = 2_592_000
        return TokenEnvelope(signature: random(256), body: TokenWriter.body(claims))
    }

    /// The same tokens as documents that an XML parser can read as a whole.
    ///
    /// They have a real closing tag after the signature and one element around both, and end with a NUL.
    public static let documents = envelopes.map { envelope in
        let signature = envelope.signature.base64EncodedString()
        return Array("<t><signatureInfo>\(signature)</signatureInfo>\(envelope.body)</t>".utf8CString)
    }

    /// The bodies of the same tokens, which end with a NUL.
    public static let bodies = envelopes.map { Array($0.body.utf8CString) }

    private static func noise(_ count: Int) -> String { random(count).base64EncodedString() }

    private static func random(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255) }) }
}
