// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The part of an app's user interface that has its windows.
public struct DeviceScene: Sendable, Hashable {
    /// The states of `UIScene.ActivationState`.
    public enum Activation: Sendable, Hashable, CaseIterable {
        case foregroundActive
        /// Something, for example an alert of the system, is in front of the scene.
        case foregroundInactive
        case background
    }

    /// The window of a scene.
    public enum Window: Sendable, Hashable, CaseIterable {
        case key
        case notKey
        /// The scene has no window yet.
        case missing
    }

    public var activation = Activation.foregroundActive
    public var window = Window.key
    /// A Boolean value that indicates whether a view controller over the window is being dismissed.
    public var isDismissing = false
    /// A Boolean value that indicates whether displays are connected that take no input, each with a scene of its own.
    public var hasExternalDisplays = false

    public init() {}
}
