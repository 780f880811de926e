// A view controller that is both delegates, as many apps have it.
#import <AccessEnabler/AccessEnabler.h>
#import <AccessEnabler/EntitlementDelegate.h>
#import <AccessEnabler/EntitlementStatus.h>
#import <UIKit/UIKit.h>

@interface NewsstandController : UIViewController <EntitlementDelegate, EntitlementStatus>
@property (nonatomic, strong) AccessEnabler *accessEnabler;
@property (nonatomic, strong) NSArray *providers;
@property (nonatomic, copy) NSString *selectedID;
@end

@implementation NewsstandController

- (void)openWithStatement:(NSString *)softwareStatement requestor:(NSString *)requestor {
    self.accessEnabler = [[AccessEnabler alloc] init:softwareStatement];
    self.accessEnabler.delegate = self;
    self.accessEnabler.statusDelegate = self;
    [self.accessEnabler setOptions:@{ OPTION_PROFILE : @"tv", OPTION_VISITOR_ID : @"visitor", OPTION_HANDLE_SVC : @YES }];
    [self.accessEnabler setRequestor:requestor serviceProviders:@[ SP_AUTH_STAGING ]];
    [self.accessEnabler checkAuthentication];
}

- (void)play:(NSString *)resource {
    [self.accessEnabler getAuthorization:resource withData:nil];
}

- (void)didPickRow:(NSUInteger)row {
    MVPD *mvpd = self.providers[row];
    self.selectedID = mvpd.ID;
    [self.accessEnabler setSelectedProvider:mvpd.ID];
}

- (BOOL)shouldLoad:(NSURL *)url {
    if ([url.absoluteString hasPrefix:ADOBEPASS_REDIRECT_URL]) {
        [self.accessEnabler handleExternalURL:url.absoluteString];
        return NO;
    }
    return YES;
}

// Without a cast, because the protocols inherit the methods of `NSObject`.
- (BOOL)showsSafari {
    id<EntitlementDelegate> delegate = self.accessEnabler.delegate;
    return [delegate respondsToSelector:@selector(navigateToUrl:useSVC:)];
}

- (BOOL)hearsStatuses {
    id<EntitlementStatus> delegate = self.accessEnabler.statusDelegate;
    return [delegate respondsToSelector:@selector(status:)];
}

#pragma mark - EntitlementDelegate

- (void)setRequestorComplete:(int)status {
    if (status == ACCESS_ENABLER_STATUS_SUCCESS) NSLog(@"ready");
}

- (void)setAuthenticationStatus:(int)status errorCode:(NSString *)code {
    // This app starts a login after every error.
    if (status == ACCESS_ENABLER_STATUS_ERROR && ![code isEqualToString:PROVIDER_NOT_SELECTED_ERROR]) {
        [self.accessEnabler getAuthentication];
    }
}

- (void)displayProviderDialog:(NSArray *)mvpds {
    self.providers = mvpds;
}

- (void)navigateToUrl:(NSString *)url {
    NSLog(@"%@", url);
}

- (void)navigateToUrl:(NSString *)url useSVC:(BOOL)useSVC {
    [self navigateToUrl:url];
}

- (void)presentTvProviderDialog:(UIViewController *)viewController {
    [self presentViewController:viewController animated:YES completion:nil];
}

- (void)dismissTvProviderDialog:(UIViewController *)viewController {
    [viewController dismissViewControllerAnimated:YES completion:nil];
}

- (void)selectedProvider:(MVPD *)mvpd {
    self.selectedID = mvpd.ID;
}

- (void)setToken:(NSString *)token forResource:(NSString *)resource {
}

- (void)tokenRequestFailed:(NSString *)resource errorCode:(NSString *)code errorDescription:(NSString *)description {
    if (description.length > 0) NSLog(@"%@", description);
}

- (void)preauthorizedResources:(NSArray *)resources {
}

- (void)setMetadataStatus:(id)metadata encrypted:(BOOL)encrypted forKey:(int)key andArguments:(NSDictionary *)arguments {
    if (key == METADATA_USER_META) NSLog(@"%@ %@", arguments[METADATA_USER_META_KEY], metadata);
}

- (void)sendTrackingData:(NSArray *)data forEventType:(int)event {
    switch (event) {
    case TRACKING_AUTHENTICATION:
    case TRACKING_AUTHORIZATION:
    case TRACKING_GET_SELECTED_PROVIDER:
        break;
    }
}

- (void)status:(NSDictionary *)statusDictionary {
    NSLog(@"%@ %@", statusDictionary[@"errorId"], statusDictionary[@"level"]);
}

@end
