import TVEModels

/// How older versions stored their tokens in a backend (API reference, storage generations).
public enum LegacyLayout: Sendable {
    /// One AuthN token for all requestors, of the last login (1.6 and before).
    case singleSlot(StorageKey)
    /// One AuthN token per requestor, in the app's own files (1.6, "authentication per requestor").
    case perRequestor(StorageKey)
    /// Requestor → TV provider → token, without a part for each device and perhaps unsealed (1.7 and later).
    case nestedMap(StorageKey)

    /// Identifies the layout.
    var name: String {
        switch self {
        case .singleSlot(let key): "slot \(key.rawValue)"
        case .perRequestor(let key): "requestors \(key.rawValue)"
        case .nestedMap(let key): "map \(key.rawValue)"
        }
    }

    /// The keys at which the layout may have a requestor's AuthN tokens.
    func candidates(for requestorID: RequestorID, in backend: any StorageBackend) throws(StorageError) -> [StorageKey] {
        switch self {
        case .singleSlot(let key): [key]
        case .perRequestor(let root): [root.appending(requestorID.text)]
        case .nestedMap(let root):
            try backend.keys(under: root.appending(requestorID.text)).filter { $0.components.last == "authn" }.sorted()
        }
    }
}
