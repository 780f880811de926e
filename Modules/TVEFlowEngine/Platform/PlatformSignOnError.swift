/// Why the platform did not return the viewer's account.
public enum PlatformSignOnError: Error, Sendable, Hashable {
    /// The app may not ask.
    case accessNotGranted
    /// The viewer chose a provider that the platform cannot log in with: its id, or nil for "Other TV Provider".
    case unsupportedProvider(id: String?)
    /// The viewer closed the picker or the login.
    case cancelled
    /// The viewer is not signed in at the platform, and the request was silent.
    case notSignedIn
    /// The platform has no TV providers where the viewer is.
    case notOffered
    /// Another failure, in the platform's words.
    case failed(String)
}
