/// A place where an older version kept its tokens.
public struct LegacyStore: Sendable {
    /// Where the bytes are; may be another backend than the one in use.
    public var backend: any StorageBackend
    /// How they are laid out.
    public var layout: LegacyLayout

    /// Names a place.
    ///
    /// - Parameters:
    ///   - backend: where the bytes are.
    ///   - layout: how they are laid out.
    public init(backend: any StorageBackend, layout: LegacyLayout) {
        self.backend = backend
        self.layout = layout
    }
}
