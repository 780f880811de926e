/// An error of a call to the vendor's single sign-on service.
///
/// The documents of the service do not name the errors for a refused code. This client interprets `token_expired` in an
/// answer to a code as a code that was used or has expired, and every other error about the code as a code that was
/// never issued.
public enum HouseholdError: Error, Sendable, Equatable {
    /// The service does not offer households, which are a premium feature, to this requestor.
    case notOffered
    /// The link code was never issued for this requestor.
    case codeUnknown
    /// The link code was used, or has expired.
    case codeEnded
    /// The service token expired too long ago to be renewed.
    case tokenEnded
    /// The service no longer accepts the service token, because the device was unlinked.
    case tokenRefused
    /// There were too many requests, or too many codes were tried.
    case throttled
    /// The call failed for a reason that any call to the service can fail for.
    case service(ServiceError)
}

extension HouseholdError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without tokens and codes.
    public var description: String {
        switch self {
        case .notOffered:
            "The service does not offer households to this requestor. "
                + "Ask the service for them; they are a premium feature."
        case .codeUnknown:
            "The service does not know this link code. Compare it with the code on the other device."
        case .codeEnded: "The link code was used or has expired. Request a new one on the other device."
        case .tokenEnded: "The service token expired too long ago to be renewed. Join the household again."
        case .tokenRefused: "The device was unlinked from the household. Join the household again."
        case .throttled: "There were too many requests, or too many wrong codes. Wait some minutes before the next one."
        case .service(let error): "\(error)"
        }
    }
}
