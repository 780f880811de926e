#import <AccessEnabler/AccessEnabler.h>
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// The half of the app that is in Objective-C.
@interface ClassicPlayer : NSObject

@property (nonatomic, readonly) AccessEnabler *accessEnabler;

- (instancetype)initWithSoftwareStatement:(NSString *)softwareStatement;

@end

NS_ASSUME_NONNULL_END
