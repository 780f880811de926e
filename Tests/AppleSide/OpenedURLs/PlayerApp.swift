import AccessEnabler
public import SwiftUI

/// An app in SwiftUI.
public struct PlayerApp: App {
    /// One window.
    public var body: some Scene {
        WindowGroup {
            // Also called for the URL that started the app.
            Text("Channels").onOpenURL { Player.accessEnabler?.handleExternalURL($0.absoluteString) }
        }
    }

    /// Makes the app.
    public init() {}
}
