/// Why a call to the vendor's single sign-on service failed.
///
/// The service's documents name no error for a code that is refused. This client reads them so: `token_expired` in answer
/// to a code means that it was used or has ended, and any other error about it means that nobody has issued it.
public enum HouseholdError: Error, Sendable, Equatable {
    /// The service does not offer households to this requestor: they are a premium feature.
    case notOffered
    /// Nobody has issued the link code for this requestor.
    case codeUnknown
    /// The link code was used, or has ended.
    case codeEnded
    /// The service token has ended, too long ago to be renewed.
    case tokenEnded
    /// The service does not accept the service token any more: the device was unlinked.
    case tokenRefused
    /// There were too many requests, or too many codes were tried.
    case throttled
    /// The call failed as any other call to the service may.
    case service(ServiceError)
}

extension HouseholdError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without tokens and codes.
    public var description: String {
        switch self {
        case .notOffered:
            "The service does not offer households to this requestor. Ask the service for them; they are a premium feature."
        case .codeUnknown:
            "Nobody has issued this link code for this requestor. Compare it with the code on the other device."
        case .codeEnded: "The link code was used or has ended. Ask the other device for a new one."
        case .tokenEnded: "The service token ended too long ago to be renewed. Join the household again."
        case .tokenRefused: "The device was unlinked from the household. Join the household again."
        case .throttled: "There were too many requests, or too many codes were tried. Wait before the next one."
        case .service(let error): "\(error)"
        }
    }
}
