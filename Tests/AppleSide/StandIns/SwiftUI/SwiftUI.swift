public import Foundation

/// An app.
@MainActor
public protocol App {
    /// The type of its scenes.
    associatedtype Body: Scene
    /// Its scenes.
    @SceneBuilder var body: Body { get }
}

/// A part of an app's user interface.
@MainActor
public protocol Scene {
    /// The system opens a URL of the app.
    func opened(_ url: URL)
}

/// A part of a scene.
@MainActor
public protocol View {
    /// The system opens a URL of the app.
    func opened(_ url: URL)
}

/// Makes one scene of a block.
@resultBuilder
public enum SceneBuilder {
    /// Takes the scene.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A scene with one kind of window.
public struct WindowGroup<Content: View>: Scene {
    private let content: Content

    /// Makes the scene of what its windows show.
    public init(content: () -> Content) {
        self.content = content()
    }

    /// Passes the URL to the window.
    public func opened(_ url: URL) { content.opened(url) }
}

/// A text.
public struct Text: View {
    /// Makes a text.
    public init(_ text: String) {}

    /// Takes no notice.
    public func opened(_ url: URL) {}
}

extension View {
    /// Receives URLs of the app, also one with which the app is started.
    ///
    /// Source: developer.apple.com/documentation/swiftui/view/onopenurl(perform:).
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { Opening(action: action) }
}

private struct Opening: View {
    let action: (URL) -> Void

    func opened(_ url: URL) { action(url) }
}
