// Stands for the classes of Objective-C that the delegates' protocols name.
__attribute__((objc_root_class)) @interface MVPD
@end
__attribute__((objc_root_class)) @interface PlatformViewController
@end
