import AccessEnabler

#if !canImport(UIKit)
/// The types that the sample apps use of UIKit on a system that has it.
typealias UIViewController = PlatformViewController
#endif
