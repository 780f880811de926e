import Foundation
import TVEModels
import TVEStorage
import TVETokenCodec

/// Stores full of AuthN tokens of about 970 bytes.
public enum StorePopulation {
    /// The fingerprint of every token.
    public static let fingerprint = String(repeating: "f", count: 40)

    /// Returns the keys and texts of a number of tokens, in the layout of the entitlement store.
    public static func entries(_ count: Int) -> [(key: StorageKey, value: Data)] {
        (0..<count).map { number in
            let requestor = "REQ-\(number)"
            var claims = AuthenticationToken.Claims(
                authenticationGUID: "00000000-1111-2222-3333-\(String(format: "%012d", number))",
                requestorID: RequestorID(requestor),
                expires: TokenDate(secondsSince1970: 4_000_000_000), mvpdID: "demo-cable", fingerprint: fingerprint)
            claims.samlSessionIndex = String(repeating: "index", count: 18)
            claims.samlNameID = String(repeating: "name", count: 16)
            claims.timeToLive = 2_592_000
            let signature = Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &+ number) })
            let text = TokenEnvelope(signature: signature, body: TokenWriter.body(claims)).text.rawValue
            return (StorageKey("requestor", requestor, fingerprint, "mvpd", "demo-cable", "authn"), Data(text.utf8))
        }
    }

    /// The reader that parses tokens with the codec.
    public static let reader = StoredTokenReader(
        authentication: { try TokenDecoder().authenticationToken($0) },
        authorization: { try TokenDecoder().authorizationToken($0) })

    /// Creates a folder for one test, which the caller removes.
    public static func folder() -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("tve-bench-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return url
    }

    /// The sizes of the measured stores, in tokens.
    ///
    /// With `TVE_LARGE=1` they include 100,000 tokens.
    public static let sizes =
        [10, 1_000, 10_000] + (ProcessInfo.processInfo.environment["TVE_LARGE"] == nil ? [] : [100_000])

    /// Writes entries into a store, in large batches.
    ///
    /// - Returns: the store.
    public static func fill<Backend: StorageBackend>(
        _ backend: Backend, with entries: [(key: StorageKey, value: Data)]
    ) throws -> Backend {
        for start in stride(from: 0, to: entries.count, by: 1_000) {
            try backend.apply(entries[start..<min(start + 1_000, entries.count)].map { .put($0.key, $0.value) })
        }
        return backend
    }
}
