extension PlatformSignOnError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without the provider's id.
    public var description: String {
        switch self {
        case .accessNotGranted:
            "The app may not ask for the platform's TV provider. "
                + "Let the viewer allow it in the settings, or show the app's own picker."
        case .unsupportedProvider:
            "The platform cannot log in with the provider that the viewer chose. Show the app's own picker."
        case .cancelled:
            "The viewer closed the platform's picker or its login. Begin again when the viewer asks for it."
        case .notSignedIn: "The viewer is not signed in at the platform. Begin a login."
        case .notOffered: "The platform has no TV providers in this region. Show the app's own picker."
        case .failed(let reason): "The platform's sign-on failed (\(reason)). Show the app's own picker."
        }
    }
}
