/// A place where an older version stored its tokens.
public struct LegacyStore: Sendable {
    /// The backend of the place, which may be another one than that in use.
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
    ///   - name: the name under which the store marks the place as read, the same in all versions of the app; by
    ///     default it follows from the layout. Two places of the same layout in different backends need different
    ///     names.
    public init(backend: any StorageBackend, layout: LegacyLayout, name: String? = nil) {
        self.backend = backend
        self.layout = layout
        self.name = name ?? layout.name
    }
}
