/// How older versions laid their tokens out in a backend (API reference, storage generations).
public enum LegacyLayout: Sendable {
    /// One AuthN token for all requestors, the last login's (1.6 and before).
    case singleSlot(StorageKey)
    /// One AuthN token a requestor, in files of the app's own (1.6, "authentication per requestor").
    case perRequestor(StorageKey)
    /// Requestor → TV provider → token, without a part for each device and perhaps unsealed (1.7 and later).
    case nestedMap(StorageKey)

    /// Tells this layout from others.
    var name: String {
        switch self {
        case .singleSlot(let key): "slot \(key.rawValue)"
        case .perRequestor(let key): "requestors \(key.rawValue)"
        case .nestedMap(let key): "map \(key.rawValue)"
        }
    }

    /// Where the layout keeps AuthN tokens that may be a requestor's.
    func candidates(
        for requestorID: String, in backend: any StorageBackend
    ) throws(StorageError) -> [StorageKey] {
        switch self {
        case .singleSlot(let key): [key]
        case .perRequestor(let root): [root.appending(requestorID)]
        case .nestedMap(let root):
            try backend.keys(under: root.appending(requestorID)).filter { $0.components.last == "authn" }.sorted()
        }
    }
}
