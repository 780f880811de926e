import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
public import TVEModels

/// The rule that decides which callers may submit tokens.
public enum CallerPolicy: Sendable {
    /// Admits callers that send one of these keys as `Authorization: Bearer`.
    case bearerKeys(CallerKeys)
    /// Admits every caller that can connect.
    ///
    /// Either the connection requires a certificate, or only this machine can connect.
    case connected

    /// Admits a request or throws ``Problem/unauthorized``.
    ///
    /// - Returns: the requestors whose tokens the caller may submit; `nil` for all.
    func admit(_ request: Request) throws(Problem) -> Set<RequestorID>? {
        guard case .bearerKeys(let keys) = self else { return nil }
        guard let header = request.headers[.authorization], let key = Self.bearer(header),
            let requestors = keys.requestors(of: key)
        else { throw .unauthorized }
        return requestors
    }

    private static func bearer(_ header: String) -> Substring? {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        // The scheme may be followed by several spaces (RFC 9110, 11.4).
        return parts[1].drop { $0 == " " }
    }
}

/// The key of a caller, with the requestors for which it is valid.
public struct CallerKey: Sendable, Redacting {
    /// The minimum length of a key, in bytes: 128 random bits in Base64.
    public static let minimumLength = 22

    fileprivate let digest: Data
    /// The requestors whose tokens a caller with this key may submit.
    public let requestors: Set<RequestorID>

    /// Creates a key, which is stored as its SHA-256 digest, or `nil` if the text is too short.
    ///
    /// - Parameters:
    ///   - key: the text that the caller sends, at least ``minimumLength`` bytes.
    ///   - requestors: the requestors whose tokens a caller with this key may submit. The tokens of any other requestor
    ///     are neither judged nor spent for this caller.
    public init?(_ key: String, requestors: Set<RequestorID>) {
        guard key.utf8.count >= Self.minimumLength else { return nil }
        digest = Data(SHA256.hash(data: Data(key.utf8)))
        self.requestors = requestors
    }

    /// A description that lists the requestors and omits the key.
    public var redactedDescription: String { "CallerKey(\(requestors.map(\.text).sorted().joined(separator: ", ")))" }
}

/// The bearer keys of callers, which can be replaced at any time.
///
/// Keys are stored and compared as SHA-256 digests, so that the duration of a comparison reveals nothing about a key.
public final class CallerKeys: Sendable, Redacting {
    private let requestors: NIOLockedValueBox<[Data: Set<RequestorID>]>

    /// Creates a set of keys.
    ///
    /// - Parameter keys: the keys. A key that occurs twice is valid for the requestors of both.
    public init(_ keys: [CallerKey]) {
        requestors = NIOLockedValueBox(Self.requestors(keys))
    }

    /// Replaces all keys at once.
    ///
    /// - Parameter keys: the new keys. If there are none, every caller is refused.
    public func replace(with keys: [CallerKey]) {
        let new = Self.requestors(keys)
        requestors.withLockedValue { $0 = new }
    }

    /// The number of keys.
    public var count: Int { requestors.withLockedValue { $0.count } }

    /// A description with the number of keys.
    public var redactedDescription: String { "CallerKeys(\(count))" }

    /// Returns the requestors of a key, or `nil` if there is no such key.
    func requestors(of key: Substring) -> Set<RequestorID>? {
        let digest = Data(SHA256.hash(data: Data(key.utf8)))
        return requestors.withLockedValue { $0[digest] }
    }

    private static func requestors(_ keys: [CallerKey]) -> [Data: Set<RequestorID>] {
        Dictionary(keys.map { ($0.digest, $0.requestors) }) { $0.union($1) }
    }
}
