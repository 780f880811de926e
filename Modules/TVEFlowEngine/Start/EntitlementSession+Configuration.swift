import TVEModels
import TVENetworking

/// Results of the start, for later calls.
extension EntitlementSession {
    /// What the services answered at the last start.
    var loaded: LoadedConfiguration? { startFlow.machine.loaded }

    /// The configuration, or the error for a call that came before a successful start.
    func configured() throws(TVEError) -> RequestorConfiguration {
        try configuredServices().merged
    }

    /// The configuration with the services behind it.
    func configuredServices() throws(TVEError) -> LoadedConfiguration {
        guard let loaded else {
            throw TVEError(.requestorNotConfigured, message: "The session was not started, or starting it failed.")
        }
        return loaded
    }

    /// The service for a provider, or the first service when no configuration says which one it is.
    func service(of mvpdID: String) -> (any EntitlementService)? {
        loaded?.service(of: mvpdID) ?? services.first
    }

    /// Whether the service keeps the logins, so that the stored ones are copies.
    var keepsCopies: Bool { services.first?.keepsLogins == true }
}
