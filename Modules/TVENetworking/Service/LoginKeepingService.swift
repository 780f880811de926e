public import TVEModels

/// A service that stores the logins of its devices, while the device stores a copy that is available at once.
///
/// The copy is a token in the dialect's own format, which ``EntitlementService/recognizes(_:)`` distinguishes from
/// others. A logout is recorded if the service is unreachable, and is sent later.
public protocol LoginKeepingService: EntitlementService {
    /// Requests the logins that the service has for this device.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider, or nil for all except those that log every viewer in.
    ///   - known: the stored copy, if there is one.
    /// - Returns: the logins. The list is empty if the viewer is not logged in.
    /// - Throws: any ``ServiceError``, including `.denied` if a TempPass has expired.
    func logins(
        of requestorID: RequestorID, with mvpdID: MVPDID?, knowing known: AuthenticationToken?
    ) async throws(ServiceError) -> [AuthenticationAnswer]
}
