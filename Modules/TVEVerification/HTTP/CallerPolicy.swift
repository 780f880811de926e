#if VerificationService
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
public import TVEModels

/// Which callers may submit tokens.
public enum CallerPolicy: Sendable {
    /// Callers that send one of these keys as `Authorization: Bearer`.
    case bearerKeys(CallerKeys)
    /// Every caller that could connect: the connection requires a certificate, or only this machine can reach it.
    case connected

    /// Admits a request or throws ``Problem/unauthorized``.
    func admit(_ request: Request) throws(Problem) {
        guard case .bearerKeys(let keys) = self else { return }
        guard let header = request.headers[.authorization], let key = Self.bearer(header), keys.contains(key) else {
            throw .unauthorized
        }
    }

    private static func bearer(_ header: String) -> Substring? {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1]
    }
}

/// The bearer keys of callers; they can be replaced at any time.
///
/// Keys are stored and compared as SHA-256, so that the time of a comparison reveals nothing about a key.
public final class CallerKeys: Sendable, Redacting {
    private let digests: Guarded<Set<Data>>

    /// Shortest key, in bytes: 128 random bits in Base64.
    public static let minimumLength = 22

    /// Stores keys.
    ///
    /// - Parameter keys: the keys; those shorter than ``minimumLength`` are left out.
    public init(_ keys: [String]) {
        digests = Guarded(Self.digests(keys))
    }

    /// Replaces all keys at once.
    ///
    /// - Parameter keys: the new keys; if empty, every caller is refused.
    public func replace(with keys: [String]) {
        let new = Self.digests(keys)
        digests.withLock { $0 = new }
    }

    /// The number of keys.
    public var count: Int { digests.withLock { $0.count } }

    /// The number of keys.
    public var redactedDescription: String { "CallerKeys(\(count))" }

    func contains(_ key: Substring) -> Bool {
        let digest = Data(SHA256.hash(data: Data(key.utf8)))
        return digests.withLock { $0.contains(digest) }
    }

    private static func digests(_ keys: [String]) -> Set<Data> {
        Set(keys.filter { $0.utf8.count >= minimumLength }.map { Data(SHA256.hash(data: Data($0.utf8))) })
    }
}
#endif
