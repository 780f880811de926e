/// What the platform's sign-on asks the app to show: on Apple systems a view controller.
///
/// Unchecked, because view controllers are not `Sendable`: the presenter uses it on the main thread.
public struct PlatformDialog: @unchecked Sendable {
    /// The view controller.
    public let viewController: AnyObject

    /// Wraps a view controller.
    ///
    /// - Parameter viewController: what to show.
    public init(_ viewController: AnyObject) {
        self.viewController = viewController
    }
}
