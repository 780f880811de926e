public import TVEModels

/// A service that keeps the logins of its devices itself: what is stored on the device is a copy that answers at once.
///
/// The copy is a token of the dialect's own making, which ``EntitlementService/recognizes(_:)`` tells from others. Logouts that the service could not be
/// told about are noted and told later.
public protocol LoginKeepingService: EntitlementService {
    /// Asks for the logins that the service keeps for this device.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider to ask about; nil for all, but for those that let everybody in.
    ///   - known: the copy that is stored here, if there is one.
    /// - Returns: the logins, none when the viewer is not logged in.
    /// - Throws: any ``ServiceError``; `.denied` when a TempPass has run out.
    func logins(
        of requestorID: String, with mvpdID: String?, knowing known: AuthenticationToken?
    ) async throws(ServiceError) -> [AuthenticationAnswer]
}
