public import TVEModels

/// A service that keeps the logins of its devices itself: the device stores a copy that answers at once.
///
/// The copy is a token in the dialect's own format, which ``EntitlementService/recognizes(_:)`` distinguishes from
/// others. Logouts that the service could not be told about are noted and reported later.
public protocol LoginKeepingService: EntitlementService {
    /// Asks for the logins that the service keeps for this device.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider to ask about; nil for all except those that log every viewer in.
    ///   - known: the stored copy, if there is one.
    /// - Returns: the logins, none when the viewer is not logged in.
    /// - Throws: any ``ServiceError``; `.denied` when a TempPass has expired.
    func logins(
        of requestorID: RequestorID, with mvpdID: MVPDID?, knowing known: AuthenticationToken?
    ) async throws(ServiceError) -> [AuthenticationAnswer]
}
