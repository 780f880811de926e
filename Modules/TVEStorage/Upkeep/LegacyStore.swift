import TVEModels

/// A place in which an older version stored its tokens.
public struct LegacyStore: Sendable {
    /// The backend of the place, which may differ from the one in use.
    public var backend: any StorageBackend
    /// The layout of the tokens.
    public var layout: LegacyLayout
    /// The name under which the store marks the place as read.
    public var name: String

    /// Describes a place.
    ///
    /// - Parameters:
    ///   - backend: the backend of the place.
    ///   - layout: the layout of the tokens.
    ///   - name: the name under which the store marks the place as read, the same in all versions of the app. By
    ///     default, it follows from the layout. Two places of the same layout in different backends need different
    ///     names.
    public init(backend: any StorageBackend, layout: LegacyLayout, name: String? = nil) {
        self.backend = backend
        self.layout = layout
        self.name = name ?? layout.name
    }
}

/// The layout of the tokens that an older version stored in a backend (API reference, storage generations).
public enum LegacyLayout: Sendable {
    /// One AuthN token for all requestors, of the last login (1.6 and before).
    case singleSlot(StorageKey)
    /// One AuthN token per requestor, in the app's own files (1.6, "authentication per requestor").
    case perRequestor(StorageKey)
    /// Requestor → TV provider → token, without a part for each device and perhaps unsealed (1.7 and later).
    case nestedMap(StorageKey)

    /// A name that identifies the layout.
    var name: String {
        switch self {
        case .singleSlot(let key): "slot \(key.rawValue)"
        case .perRequestor(let key): "requestors \(key.rawValue)"
        case .nestedMap(let key): "map \(key.rawValue)"
        }
    }

    /// Returns the keys at which the layout may have a requestor's AuthN tokens.
    func candidates(for requestorID: RequestorID, in backend: any StorageBackend) throws(StorageError) -> [StorageKey] {
        switch self {
        case .singleSlot(let key): [key]
        case .perRequestor(let root): [root.appending(requestorID.text)]
        case .nestedMap(let root):
            try backend.keys(under: root.appending(requestorID.text)).filter { $0.components.last == "authn" }.sorted()
        }
    }
}
