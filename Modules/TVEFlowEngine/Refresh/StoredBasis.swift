import TVEModels
import TVEStorage

/// The stored data on which a request for the logins of a service is based.
///
/// The answer is valid as long as this data is unchanged.
struct StoredBasis: Sendable {
    let requestorID: RequestorID
    /// The provider that the viewer had chosen, and the login with it, which may be one of the other dialect.
    let choice: ChosenLogin
    /// The logouts that were pending.
    let untold: UnfinishedLogouts

    /// Returns a Boolean value that indicates whether the data is unchanged, so that neither this nor another process
    /// has made a decision in the meantime.
    func stillStands(_ entitlements: some EntitlementReading) throws(StorageError) -> Bool {
        guard try entitlements.unfinishedLogouts(of: requestorID) == untold,
            try !entitlements.isProviderDeselected(for: requestorID)
        else { return false }
        return try entitlements.chosenLogin(of: requestorID) == choice
    }
}
