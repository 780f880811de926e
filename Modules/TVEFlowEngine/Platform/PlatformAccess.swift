/// Whether an app may ask the platform about the viewer's TV provider.
public enum PlatformAccess: Sendable, Hashable {
    /// The viewer allows it.
    case granted
    /// The viewer does not allow it.
    case denied
    /// The device does not allow the question, for example by parental controls.
    case restricted
    /// The viewer has not been asked yet.
    case undetermined
}
