/// The id of a TV provider (MVPD); case-sensitive.
public struct MVPDID: OpaqueID {
    /// The id as the services write it.
    public let text: String

    /// Wraps an id.
    ///
    /// - Parameter text: the id, passed on unmodified.
    @inlinable
    public init(_ text: String) {
        self.text = text
    }
}
