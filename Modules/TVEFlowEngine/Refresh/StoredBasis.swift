import TVEModels
import TVEStorage

/// The stored data on which a request for the logins of a service is based.
///
/// The answer is valid as long as this data is unchanged.
struct StoredBasis: Sendable, Equatable {
    let requestorID: RequestorID
    /// The logouts that are pending.
    let pendingLogouts: UnfinishedLogouts
    /// A Boolean value that indicates whether the viewer has chosen to have no provider.
    let isDeselected: Bool
    /// The provider that the viewer has chosen, and the login with it, which may be one of the other dialect.
    let choice: ChosenLogin

    /// Reads the data as it is now.
    init(of requestorID: RequestorID, in entitlements: some EntitlementReading) throws(StorageError) {
        self.requestorID = requestorID
        pendingLogouts = try entitlements.unfinishedLogouts(of: requestorID)
        isDeselected = try entitlements.isProviderDeselected(for: requestorID)
        choice = try entitlements.chosenLogin(of: requestorID)
    }

    /// Returns a Boolean value that indicates whether the data is unchanged, so that neither this nor another process
    /// has made a decision in the meantime.
    func isUnchanged(in entitlements: some EntitlementReading) throws(StorageError) -> Bool {
        try Self(of: requestorID, in: entitlements) == self
    }
}
