// Replaces Foundation's header: only the declarations that these apps use.
#pragma once
#include <stdbool.h>
#define nil ((id)0)
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
// As the runtime's header decides it: `bool` on iOS and tvOS, so that an app may write that.
#if __OBJC_BOOL_IS_BOOL
typedef bool BOOL;
#else
typedef signed char BOOL;
#endif
typedef long NSInteger;
typedef unsigned long NSUInteger;
@class NSString;

@protocol NSObject
- (BOOL)respondsToSelector:(SEL)aSelector;
@end

__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
+ (instancetype)new;
- (instancetype)init;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)isEqual:(id)object;
@property (readonly, copy) NSString *description;
@property (readonly) NSUInteger hash;
@end

@interface NSString : NSObject
@property (readonly) NSUInteger length;
- (BOOL)isEqualToString:(NSString *)aString;
- (BOOL)hasPrefix:(NSString *)prefix;
+ (instancetype)stringWithFormat:(NSString *)format, ...;
@end

@interface NSNumber : NSObject
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithBool:(BOOL)value;
@end

@interface NSURL : NSObject
+ (instancetype)URLWithString:(NSString *)string;
@property (readonly, copy) NSString *absoluteString;
@end

@interface NSArray<__covariant Object> : NSObject
+ (instancetype)arrayWithObjects:(const Object[])objects count:(NSUInteger)count;
- (Object)objectAtIndexedSubscript:(NSUInteger)index;
@property (readonly) NSUInteger count;
- (BOOL)containsObject:(Object)object;
@end

@interface NSMutableArray<Object> : NSArray<Object>
- (void)addObject:(Object)object;
@end

@protocol NSCopying
@end

@interface NSDictionary<__covariant Key, __covariant Object> : NSObject
+ (instancetype)dictionaryWithObjects:(const Object[])objects forKeys:(const id<NSCopying>[])keys count:(NSUInteger)count;
- (Object)objectForKeyedSubscript:(Key)key;
@end

@interface NSString (Copying) <NSCopying>
@end

void NSLog(NSString *format, ...);
