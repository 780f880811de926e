import TVEFlowEngine

#if canImport(UIKit)
public import UIKit

/// The view controller that the platform's sign-on shows.
public typealias PlatformViewController = UIViewController

extension PlatformDialog {
    var shown: PlatformViewController? { viewController as? UIViewController }
}
#else
/// The object that the platform's sign-on shows.
///
/// On systems without a sign-on, it is any object of a fake.
public typealias PlatformViewController = AnyObject

extension PlatformDialog {
    var shown: PlatformViewController? { viewController }
}
#endif
