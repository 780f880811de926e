// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names and their meanings are Apple's.

public import Foundation

@MainActor
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
}

/// A part of an app's user interface.
@MainActor
public protocol Scene {
    /// Receives a URL of the app that the system opens.
    func opened(_ url: URL)
}

@MainActor
public protocol View {
    /// Receives a URL of the app that the system opens.
    func opened(_ url: URL)
}

/// A builder that returns the one scene in a block.
@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    private let content: Content

    public init(content: () -> Content) {
        self.content = content()
    }

    public func opened(_ url: URL) { content.opened(url) }
}

public struct Text: View {
    public init(_ text: String) {}

    public func opened(_ url: URL) {}
}

extension View {
    /// Receives URLs of the app, including the one with which the app is started.
    ///
    /// Source: developer.apple.com/documentation/swiftui/view/onopenurl(perform:).
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { Opening(action: action) }
}

private struct Opening: View {
    let action: (URL) -> Void

    func opened(_ url: URL) { action(url) }
}
