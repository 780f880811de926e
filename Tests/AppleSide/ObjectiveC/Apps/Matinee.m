// A manager from the time of version 1: its metadata has no `encrypted`, and it hears of no events for analytics.
#import <AccessEnabler/AccessEnabler.h>
#import <AccessEnabler/EntitlementDelegate.h>
#import <UIKit/UIKit.h>

// Two methods of the protocol are missing. The compiler warns of them, here as with the original's header.
#pragma clang diagnostic ignored "-Wprotocol"

@interface MatineeManager : NSObject <EntitlementDelegate>
@property (nonatomic, strong) AccessEnabler *accessEnabler;
@property (nonatomic, copy) NSString *expiry;
@property (nonatomic) bool isLoggedIn;
@end

@implementation MatineeManager

- (void)openRequestor:(NSString *)requestor {
    self.accessEnabler.delegate = self;
    [self.accessEnabler setRequestor:requestor];
}

- (void)setRequestorComplete:(int)status {
    if (status == ACCESS_ENABLER_STATUS_SUCCESS) [self.accessEnabler getAuthentication];
}

- (void)setAuthenticationStatus:(int)status errorCode:(NSString *)code {
    self.isLoggedIn = status == ACCESS_ENABLER_STATUS_SUCCESS && [code isEqualToString:USER_AUTHENTICATED];
    if ([code isEqualToString:USER_NOT_AUTHENTICATED_ERROR] || [code isEqualToString:GENERIC_AUTHENTICATION_ERROR]) return;
    [self.accessEnabler getMetadata:@{ METADATA_OPCODE_KEY : @(METADATA_AUTHENTICATION) }];
}

- (void)setMetadataStatus:(NSString *)metadata forKey:(int)key andArguments:(NSDictionary *)arguments {
    if (key == METADATA_AUTHENTICATION) self.expiry = metadata;
}

- (void)displayProviderDialog:(NSArray *)mvpds {
    MVPD *first = mvpds.count > 0 ? mvpds[0] : nil;
    [self.accessEnabler setSelectedProvider:first.ID];
}

- (void)navigateToUrl:(NSString *)url {
}

- (void)presentTvProviderDialog:(UIViewController *)viewController {
}

- (void)dismissTvProviderDialog:(UIViewController *)viewController {
}

- (void)selectedProvider:(MVPD *)mvpd {
}

- (void)setToken:(NSString *)token forResource:(NSString *)resource {
}

- (void)tokenRequestFailed:(NSString *)resource errorCode:(NSString *)code errorDescription:(NSString *)description {
    if ([code isEqualToString:USER_NOT_AUTHORIZED_ERROR] || [code isEqualToString:GENERIC_AUTHORIZATION_ERROR]) NSLog(@"%@", description);
}

- (void)preauthorizedResources:(NSArray *)resources {
}

@end

// The newer method as the reference prints it.
@interface MatineeListener : MatineeManager <EntitlementDelegate>
@end

@implementation MatineeListener

- (void)setMetadataStatus:(id)metadata encrypted:(bool)encrypted forKey:(int)key andArguments:(NSDictionary *)arguments {
    if (!encrypted && key == METADATA_USER_META) self.expiry = nil;
}

@end
