import TVEModels

/// The keys that may have signed media tokens.
///
/// They can be replaced while verifiers use them.
///
/// Keys rotate: the service announces a new one, both are valid for a time, and then the old one is withdrawn. Use the
/// same set for all verifiers of a back end, and change it when the keys change. A running check continues with its
/// keys, and the next one uses the new ones. Calls may come from any thread, and wait for each other only while an
/// array is copied.
public final class MediaTokenKeySet: Sendable {
    private let current: Guarded<[MediaTokenKey]>

    /// Creates a set.
    ///
    /// - Parameter keys: the keys, in the order in which they are tried. Put the key that signs most tokens first. If
    ///   several keys have the same name, the last one is used.
    public init(_ keys: [MediaTokenKey] = []) {
        current = Guarded(Self.unique(keys))
    }

    /// The current keys, in the order in which they are tried.
    public var keys: [MediaTokenKey] { current.withLock { $0 } }

    /// Replaces all keys at once.
    ///
    /// Tokens that only a removed key has signed are refused from the next check on.
    ///
    /// - Parameter keys: the new keys. If there are none, no token is valid. If several keys have the same name, the
    ///   last one is used.
    public func replace(with keys: [MediaTokenKey]) {
        let keys = Self.unique(keys)
        current.withLock { $0 = keys }
    }

    private static func unique(_ keys: [MediaTokenKey]) -> [MediaTokenKey] {
        var places: [ExactText: Int] = [:]
        var unique: [MediaTokenKey] = []
        for key in keys {
            if let place = places[ExactText(key.name)] {
                unique[place] = key
            } else {
                places[ExactText(key.name)] = unique.count
                unique.append(key)
            }
        }
        return unique
    }
}

/// A key that may have signed media tokens, with a name for verdicts.
public struct MediaTokenKey: Sendable {
    /// The name, for example `2026-11`, which is never compared with a value in a token.
    public let name: String
    /// The key.
    public let key: TokenVerificationKey

    /// Creates a key with a name.
    ///
    /// - Parameters:
    ///   - name: the name, compared as UTF-8 bytes.
    ///   - key: the key.
    public init(name: String, key: TokenVerificationKey) {
        self.name = name
        self.key = key
    }
}
