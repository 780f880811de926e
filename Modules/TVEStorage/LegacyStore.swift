/// A place where an older version kept its tokens.
public struct LegacyStore: Sendable {
    /// Where the bytes are; may be another backend than the one in use.
    public var backend: any StorageBackend
    /// How they are laid out.
    public var layout: LegacyLayout
    /// What the place is remembered by once it was looked at.
    public var name: String

    /// Names a place.
    ///
    /// - Parameters:
    ///   - backend: where the bytes are.
    ///   - layout: how they are laid out.
    ///   - name: what the place is remembered by once it was looked at, the same in all versions of the app; by default made of
    ///     the layout. Two places of the same layout in different backends need names of their own.
    public init(backend: any StorageBackend, layout: LegacyLayout, name: String? = nil) {
        self.backend = backend
        self.layout = layout
        self.name = name ?? layout.name
    }
}
