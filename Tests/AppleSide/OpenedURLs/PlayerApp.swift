import AccessEnabler
public import SwiftUI

/// An app in SwiftUI.
public struct PlayerApp: App {
    /// The only window of the app.
    public var body: some Scene {
        WindowGroup {
            // The closure is also called for the URL that started the app.
            Text("Channels").onOpenURL { Player.accessEnabler?.handleExternalURL($0.absoluteString) }
        }
    }

    /// Creates the app.
    public init() {}
}
