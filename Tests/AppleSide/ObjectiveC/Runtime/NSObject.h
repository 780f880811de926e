// Stands for the root class of Objective-C, so that the compiler takes the classes of Modules/AccessEnabler for classes of Objective-C.
__attribute__((objc_root_class)) @interface NSObject
- (instancetype)init;
@end
