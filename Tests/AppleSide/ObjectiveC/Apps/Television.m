// A manager from the time of version 2: a signed requestor id, a key pair, and a filter for the platform's picker.
#import <AccessEnabler/AccessEnabler.h>
#import <AccessEnabler/model/MVPD.h>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

@interface TelevisionManager : NSObject
@property (nonatomic, strong) AccessEnabler *accessEnabler;
@end

@implementation TelevisionManager

- (void)openRequestor:(NSString *)requestor signature:(NSString *)signature secret:(NSString *)secret key:(NSString *)key {
    [self.accessEnabler setRequestor:requestor setSignedRequestorId:signature];
    [self.accessEnabler setRequestor:requestor setSignedRequestorId:signature serviceProviders:@[ SP_AUTH_PRODUCTION ]];
    [self.accessEnabler setRequestor:requestor setSignedRequestorId:signature secret:secret publicKey:key];
    [self.accessEnabler setRequestor:requestor
                setSignedRequestorId:signature
                    serviceProviders:@[ SP_AUTH_PRODUCTION ]
                              secret:secret
                           publicKey:key];
    // The same calls as the reference prints them.
    [self.accessEnabler setRequestor:requestor signedRequestorID:signature];
    [self.accessEnabler setRequestor:requestor signedRequestorID:signature serviceProviders:@[ SP_AUTH_PRODUCTION ]];
    [self.accessEnabler setRequestor:requestor signedRequestorID:signature secret:secret publicKey:key];
    [self.accessEnabler setRequestor:requestor
                   signedRequestorID:signature
                    serviceProviders:@[ SP_AUTH_PRODUCTION ]
                              secret:secret
                           publicKey:key];
}

- (void)logIn {
    NSDictionary *filter = @{ TV_PROVIDERS : @[ @"one", @"two" ], FEATURED_TV_PROVIDERS : @[ @"two" ] };
    [self.accessEnabler getAuthentication:filter];
    [self.accessEnabler getAuthentication:YES withData:@{ @"email" : @"hash" }];
    [self.accessEnabler getAuthentication:NO withData:nil andFilter:filter];
    // Once per login, as version 2 required.
    [self.accessEnabler getAuthenticationToken];
    [self.accessEnabler getSelectedProvider];
}

- (NSString *)describe:(MVPD *)mvpd {
    if (mvpd.tempPass || !mvpd.enablePlatformServices) return [mvpd toString];
    if (mvpd.hasAuthNPerRequestor || mvpd.passiveAuthnEnabled || mvpd.displayInPlatformPicker) return [mvpd description];
    if (mvpd.requiredMetadataFields.count > 0) return mvpd.requiredMetadataFields[0];
    return [NSString stringWithFormat:@"%@ %@ %@ %@ %@ %@", mvpd.ID, mvpd.displayName, mvpd.logoURL, mvpd.boardingStatus, mvpd.spUrl,
                                      mvpd.platformMappingId];
}

- (void)ask {
    [self.accessEnabler getMetadata:@{ METADATA_OPCODE_KEY : [NSNumber numberWithInt:METADATA_AUTHENTICATION] }];
    [self.accessEnabler getMetadata:@{
        METADATA_OPCODE_KEY : @(METADATA_AUTHORIZATION), METADATA_RESOURCE_ID_KEY : @"resource"
    }];
    [self.accessEnabler getMetadata:@{ METADATA_OPCODE_KEY : @(METADATA_DEVICE_ID) }];
    [self.accessEnabler getMetadata:@{ METADATA_OPCODE_KEY : @(METADATA_USER_META), METADATA_USER_META_KEY : @"zip" }];
    [self.accessEnabler checkPreauthorizedResources:@[ @"one" ]];
    [self.accessEnabler checkPreauthorizedResources:@[ @"one" ] cache:NO];
    [self.accessEnabler checkAuthorization:@"one"];
    [self.accessEnabler checkAuthorization:@"one" withData:nil];
    [self.accessEnabler getAuthorization:@"one"];
    [self.accessEnabler logout];
}

@end
