/// The reason for which a verifier or its key cannot be created.
public enum TokenVerificationError: Error, Sendable, Hashable {
    /// The bytes are not an RSA public key that may be used.
    case invalidKey
    /// The list of keys is empty, so that a verifier would refuse every viewer.
    case noKey
}

extension TokenVerificationError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without any of the input.
    public var description: String {
        switch self {
        case .invalidKey:
            "This is not an RSA public key that may be used. "
                + "Use the key or certificate of the service that issues tokens."
        case .noKey:
            "There is no key to verify tokens with. Provide at least one; without a key, every viewer is refused."
        }
    }
}
