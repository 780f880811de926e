public import AccessEnabler

/// The only access enabler of an app, which every part of the app can use.
@MainActor
public enum Player {
    /// The access enabler, which the app creates when it starts and before any scene.
    public static var accessEnabler: AccessEnabler?
}
