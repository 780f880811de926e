import TVEModels
import TVEStorage

/// What was known when a service that keeps the logins was asked for them: its answer counts as long as that is still so.
struct KeptLoginBasis: Sendable {
    let requestorID: String
    /// The provider that the viewer had chosen.
    let chosen: String?
    /// The copy that was there.
    let known: AuthenticationToken?
    /// The logouts that the service had not been told about.
    let left: UnfinishedLogouts

    /// Whether nobody has decided anything else meanwhile, in this process or another.
    func stillStands(_ entitlements: some EntitlementReading) throws(StorageError) -> Bool {
        guard try entitlements.currentProvider(of: requestorID).isSameBytes(as: chosen),
            try entitlements.unfinishedLogouts(of: requestorID) == left,
            try !entitlements.isProviderDeselected(for: requestorID)
        else { return false }
        guard let known else {
            guard let chosen else { return true }
            return try entitlements.readableToken(requestorID: requestorID, mvpdID: chosen) == nil
        }
        return try entitlements.contains(known)
    }
}
