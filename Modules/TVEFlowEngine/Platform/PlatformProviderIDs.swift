/// The platform's ids of the providers that may be chosen, in the order in which to show them: at least one.
///
/// To Apple's framework an empty list means all providers (VSAccountMetadataRequest.h), which no requestor works with.
public struct PlatformProviderIDs: Sendable, Hashable {
    /// The ids.
    public let all: [String]

    /// Makes a list of one provider.
    ///
    /// - Parameter id: the platform's id of the provider.
    public init(_ id: String) {
        all = [id]
    }

    /// Makes a list.
    ///
    /// - Parameter ids: the platform's ids of the providers.
    /// - Returns: nil when there is none.
    public init?(_ ids: [String]) {
        guard !ids.isEmpty else { return nil }
        all = ids
    }
}
