import TVEModels

// Ids and names compare as UTF-8 bytes.

extension SandboxWorld {
    /// The provider with this id.
    func provider(_ id: String) -> Provider? { providers.first { $0.id.isSameBytes(as: id) } }

    /// The viewer with this name.
    func viewer(_ name: String) -> Viewer? { viewers.first { $0.name.isSameBytes(as: name) } }
}
