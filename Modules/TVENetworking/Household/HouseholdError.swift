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
