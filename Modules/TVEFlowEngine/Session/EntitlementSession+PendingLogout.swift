import TVEModels
import TVEStorage

extension EntitlementSession {
    /// A Boolean value that indicates whether the service has not yet received a logout of this device.
    ///
    /// The next start of a session with the same store sends the logout again, and so does the next logout. Until then
    /// the service may have the login, which this device ignores. The value is false if the store cannot be read, and
    /// for the classic services, which store no logins.
    package var hasPendingLogout: Bool {
        logins.areCopies && (try? logins.unfinishedLogouts().isEmpty) == false
    }
}
