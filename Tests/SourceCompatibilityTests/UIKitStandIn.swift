import AccessEnabler

#if !canImport(UIKit)
/// What the sample apps get from UIKit on a system that has one.
typealias UIViewController = PlatformViewController
#endif
