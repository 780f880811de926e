import TVEModels
import TVEStorage

/// What was stored when a service was asked for the logins it keeps: its answer counts as long as this is unchanged.
struct StoredBasis: Sendable {
    let requestorID: RequestorID
    /// The provider that the viewer had chosen.
    let chosen: MVPDID?
    /// The stored copy.
    let known: AuthenticationToken?
    /// The logouts that the service had not been told about.
    let untold: UnfinishedLogouts

    /// Whether no other decision was made in the meantime, in this process or another.
    func stillStands(_ entitlements: some EntitlementReading) throws(StorageError) -> Bool {
        guard try entitlements.currentProvider(of: requestorID) == chosen,
            try entitlements.unfinishedLogouts(of: requestorID) == untold,
            try !entitlements.isProviderDeselected(for: requestorID)
        else { return false }
        guard let known else {
            guard let chosen else { return true }
            return try entitlements.readableToken(requestorID: requestorID, mvpdID: chosen) == nil
        }
        return try entitlements.contains(known)
    }
}
