import TVEModels

/// The keys that may have signed media tokens; they can be replaced while verifiers use them.
///
/// Keys rotate: the service announces a new one, both are good for a time, then the old one is withdrawn. Give all verifiers of a
/// back end the same set and change it when the keys change. A check that has begun goes on with the keys it began with;
/// the next one sees the new ones. Calls may come from any thread and wait for each other only while an array is copied.
public final class MediaTokenKeySet: Sendable {
    private let current: Guarded<[MediaTokenKey]>

    /// Makes a set.
    ///
    /// - Parameter keys: the keys, in the order in which they are tried; the one that signs most comes first. Of keys with the same
    ///   name the last counts.
    public init(_ keys: [MediaTokenKey] = []) {
        current = Guarded(Self.unique(keys))
    }

    /// The present keys, in the order in which they are tried.
    public var keys: [MediaTokenKey] { current.withLock { $0 } }

    /// Replaces all keys at once.
    ///
    /// - Parameter keys: the new keys; without any, no token is valid. Of keys with the same name the last counts.
    public func replace(with keys: [MediaTokenKey]) {
        let keys = Self.unique(keys)
        current.withLock { $0 = keys }
    }

    /// Adds a key behind the others; one with the same name is replaced where it stands.
    ///
    /// - Parameter key: the key.
    public func add(_ key: MediaTokenKey) {
        current.withLock { $0 = Self.unique($0 + [key]) }
    }

    /// Takes a key out; tokens that it signed are refused from the next check on.
    ///
    /// - Parameter name: the key's name.
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(named name: String) -> Bool {
        current.withLock { keys in
            let count = keys.count
            keys.removeAll { $0.name.isSameBytes(as: name) }
            return keys.count < count
        }
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
