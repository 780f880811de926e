/// The id of a requestor, a programmer's brand that asks for entitlements; case-sensitive.
public struct RequestorID: OpaqueID {
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
