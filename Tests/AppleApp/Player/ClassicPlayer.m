#import "ClassicPlayer.h"

@implementation ClassicPlayer

- (instancetype)initWithSoftwareStatement:(NSString *)softwareStatement {
    if ((self = [super init])) {
        _accessEnabler = [[AccessEnabler alloc] init:softwareStatement];
        [_accessEnabler setRequestor:@"DEMO" serviceProviders:@[ SP_AUTH_STAGING ]];
    }
    return self;
}

@end
