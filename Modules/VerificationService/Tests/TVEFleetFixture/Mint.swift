public import Foundation
public import TVEModels
import TVETokenCodec
import _CryptoExtras

/// Writes a file that only its owner may read.
public func writeSecret(_ text: String, to file: URL) throws {
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
}

/// An issuer of valid media tokens.
public struct Mint: Sendable {
    private let key: _RSA.Signing.PrivateKey
    /// The requestor in the tokens.
    public let requestor: RequestorID

    /// Creates an issuer with a new key.
    ///
    /// - Parameters:
    ///   - requestor: the requestor in the tokens.
    ///   - bits: the size of the key: 2,048, or 1,024 if many tokens are needed, because signing then takes a fifth of
    ///     the time.
    public init(requestor: RequestorID = "DEMO", bits: Int = 2_048) throws {
        key =
            if bits < 2_048 {
                try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: bits))
            } else {
                try _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits))
            }
        self.requestor = requestor
    }

    /// An issuer with 2,048 bits that all tests share, because creating a key is slow.
    public static let shared = Result { try Mint() }

    /// The public key in PEM.
    public var publicKey: String { key.publicKey.pemRepresentation }

    /// Returns a signed token.
    ///
    /// - Parameters:
    ///   - viewer: the viewer. Tokens of different viewers are different tokens.
    ///   - resource: the resource that the viewer may play.
    ///   - issued: the time of issue; `nil` for the current second. The times in tokens are whole seconds, and a memory
    ///     that began in the current second grants only the tokens of the next one.
    ///   - seconds: the number of seconds for which the token is valid.
    public func token(
        viewer: String = UUID().uuidString, resource: String = "DEMO-1", issued: Date? = nil, seconds: Int64 = 420
    ) throws -> String {
        let issued = issued ?? Self.thisSecond
        let claims = MediaToken.Claims(
            sessionGUID: viewer, requestorID: requestor, resource: Resource(resource), timeToLive: seconds * 1_000,
            issued: TokenDate(secondsSince1970: Int64(issued.timeIntervalSince1970.rounded(.down))),
            mvpdID: "demo-cable")
        let body = TokenWriter.body(claims)
        let signature = try key.signature(for: Data(body.utf8), padding: .insecurePKCS1v1_5)
        return "<signatureInfo>\(signature.rawRepresentation.base64EncodedString())<signatureInfo>\(body)"
    }

    /// The current time, but never in the first hundredth of a second, in which a memory would let a token wait.
    private static var thisSecond: Date {
        waitUntil { Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1) > 0.01 }
        return Date()
    }

    /// Returns tokens of different viewers, which are signed on several threads because signing is slow.
    public func tokens(_ count: Int, issued: Date, seconds: Int64) async throws -> [String] {
        let parts = 4
        return try await withThrowingTaskGroup(of: [String].self) { group in
            for part in 0..<parts {
                group.addTask {
                    try stride(from: part, to: count, by: parts).map { number in
                        try token(viewer: "viewer-\(number)", issued: issued, seconds: seconds)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}
