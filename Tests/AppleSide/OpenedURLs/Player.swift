public import AccessEnabler

/// An app's one access enabler, which every part of the app finds.
@MainActor
public enum Player {
    /// Made by the app when it starts, before any scene.
    public static var accessEnabler: AccessEnabler?
}
