// Replaces the root class of Objective-C, so that the compiler treats the classes of Modules/AccessEnabler as
// Objective-C classes.
__attribute__((objc_root_class)) @interface NSObject
- (instancetype)init;
@end
