// Replaces the root class of Objective-C, so that the compiler treats the classes of Modules/AccessEnabler as
// Objective-C classes. Swift calls the protocol of the same name `NSObjectProtocol`.
__attribute__((swift_name("NSObjectProtocol"))) @protocol NSObject
@end

__attribute__((objc_root_class)) @interface NSObject
- (instancetype)init;
@end
