// Replaces the Objective-C classes that the delegates' protocols use.
__attribute__((objc_root_class)) @interface MVPD
@end
__attribute__((objc_root_class)) @interface PlatformViewController
@end
