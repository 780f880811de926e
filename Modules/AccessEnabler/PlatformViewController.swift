import TVEFlowEngine

#if canImport(UIKit)
public import UIKit

/// What the platform's sign-on shows.
public typealias PlatformViewController = UIViewController

extension PlatformDialog {
    var shown: PlatformViewController? { viewController as? UIViewController }
}
#else
/// What the platform's sign-on shows; on systems without one, any object of a fake.
public typealias PlatformViewController = AnyObject

extension PlatformDialog {
    var shown: PlatformViewController? { viewController }
}
#endif
