// The documented constants for Objective-C, which cannot see Swift's: each with its documented name and the value in
// Modules/AccessEnabler/Constants/AccessEnabler+Constants.swift (`.ci/apple/objective-c` compares them).

#ifndef ACCESS_ENABLER_CONSTANTS_H
#define ACCESS_ENABLER_CONSTANTS_H

// Swift has them from its own module. Through a bridging header it would see each a second time.
#ifndef __swift__

#include <TargetConditionals.h>

/// The status of a failed call: 0.
#define ACCESS_ENABLER_STATUS_ERROR 0
/// The status of a successful call: 1.
#define ACCESS_ENABLER_STATUS_SUCCESS 1
/// The error code for a viewer who is logged in: an empty text.
#define USER_AUTHENTICATED @""
/// The error code for a viewer who is not logged in.
#define USER_NOT_AUTHENTICATED_ERROR @"User Not Authenticated Error"
/// The error code for a resource that the TV provider does not allow.
#define USER_NOT_AUTHORIZED_ERROR @"User Not Authorized Error"
/// The error code for a viewer who chose no TV provider.
#define PROVIDER_NOT_SELECTED_ERROR @"Provider Not Selected Error"
/// The error code for a login that failed for another reason.
#define GENERIC_AUTHENTICATION_ERROR @"Generic Authentication Error"
/// The error code for an authorization that failed for another reason.
#define GENERIC_AUTHORIZATION_ERROR @"Generic Authorization Error"
/// The event of `sendTrackingData:forEventType:` that reports whether the viewer is logged in.
#define TRACKING_AUTHENTICATION 0
/// The event of `sendTrackingData:forEventType:` that reports whether the viewer may watch.
#define TRACKING_AUTHORIZATION 1
/// The event of `sendTrackingData:forEventType:` that reports the viewer's choice of a TV provider.
#define TRACKING_MVPD_SELECTION 2
/// The name that the documentation uses for `TRACKING_MVPD_SELECTION`.
#define TRACKING_GET_SELECTED_PROVIDER 2
/// The vendor's production service.
#define SP_AUTH_PRODUCTION @"sp.auth.adobe.com/adobe-services"
/// The vendor's staging service.
#define SP_AUTH_STAGING @"sp.auth-staging.adobe.com/adobe-services"
/// The service that `setRequestor:` uses, unless `OPTION_PROFILE` is `staging`.
#define DEFAULT_SP_URL SP_AUTH_PRODUCTION
/// The URL at which the pages of the classic services end in a web view of the app.
///
/// Pass it to `handleExternalURL:` instead of loading it. Do not compare URLs with it: pages of REST API v2, and
/// pages that the system's browser would have shown, end at a redirect that is registered for the application.
/// `canHandle:` recognizes the end of every page.
#define ADOBEPASS_REDIRECT_URL @"adobepass://ios.app"
/// The vendor's production identity for TV providers and the platform's sign-on.
#define SP_SAML_PRODUCTION @"https://saml.sp.auth.adobe.com"
/// The vendor's staging identity.
#define SP_SAML_STAGING @"https://saml.sp.auth-staging.adobe.com"
/// The prefix of an application's redirect scheme, `adbe.<id>://`.
#define CUSTOM_SCHEME_PREFIX @"adbe."
/// The kind of client: `iOS` or `tvOS`, and on other systems their name.
#if TARGET_OS_TV
#define CLIENT_TYPE @"tvOS"
#elif TARGET_OS_VISION
#define CLIENT_TYPE @"visionOS"
#elif TARGET_OS_IPHONE
#define CLIENT_TYPE @"iOS"
#else
#define CLIENT_TYPE @"macOS"
#endif
/// The kind of value of `getMetadata:` that is the expiry date of the login.
#define METADATA_AUTHENTICATION 0
/// The kind of value of `getMetadata:` that is the expiry date of the permission for a resource.
#define METADATA_AUTHORIZATION 1
/// The kind of value of `getMetadata:` that is the device id.
#define METADATA_DEVICE_ID 2
/// The kind of value of `getMetadata:` that comes from the TV provider.
#define METADATA_USER_META 3
/// The key of `getMetadata:` for the kind of value.
#define METADATA_OPCODE_KEY @"opCode"
/// The key of `getMetadata:` for the resource.
#define METADATA_RESOURCE_ID_KEY @"resource_id"
/// The key of `getMetadata:` for the name of the value.
#define METADATA_USER_META_KEY @"user_metadata_name"
/// The option that selects a configuration on the service's side, as a string.
#define OPTION_PROFILE @"applicationProfile"
/// The option for the Experience Cloud id of the visitor, as a string.
#define OPTION_VISITOR_ID @"visitorID"
/// The option that indicates whether the app shows `SFSafariViewController` itself, as a Boolean value.
#define OPTION_HANDLE_SVC @"handleSVC"
/// The option for a Base64-encoded JSON object that is added to the client information.
#define OPTION_DEVICE_INFO @"device_info"
/// The key in the filter of `getAuthentication:` for the MVPD ids that the platform's picker offers.
#define TV_PROVIDERS @"TV_PROVIDERS"
/// The key in the filter of `getAuthentication:` for the MVPD ids that the platform's picker shows first.
#define FEATURED_TV_PROVIDERS @"FEATURED_TV_PROVIDERS"

#endif

#endif
