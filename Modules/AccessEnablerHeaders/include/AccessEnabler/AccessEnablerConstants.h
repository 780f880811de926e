// The documented constants for Objective-C, which cannot see Swift's: each with its documented name and the value in
// Modules/AccessEnabler/Constants/AccessEnabler+Constants.swift (`.ci/apple/objective-c` compares them).

#ifndef ACCESS_ENABLER_CONSTANTS_H
#define ACCESS_ENABLER_CONSTANTS_H

// Swift has them from its own module. Through a bridging header it would see each a second time.
#ifndef __swift__

#include <TargetConditionals.h>

/// Status of a failed call: 0.
#define ACCESS_ENABLER_STATUS_ERROR 0
/// Status of a successful call: 1.
#define ACCESS_ENABLER_STATUS_SUCCESS 1
/// Error code of "logged in": empty.
#define USER_AUTHENTICATED @""
/// Error code: the viewer is not logged in.
#define USER_NOT_AUTHENTICATED_ERROR @"User Not Authenticated Error"
/// Error code: the TV provider does not allow the resource.
#define USER_NOT_AUTHORIZED_ERROR @"User Not Authorized Error"
/// Error code: the viewer chose no TV provider.
#define PROVIDER_NOT_SELECTED_ERROR @"Provider Not Selected Error"
/// Error code: the login failed for another reason.
#define GENERIC_AUTHENTICATION_ERROR @"Generic Authentication Error"
/// Error code: the authorization failed for another reason.
#define GENERIC_AUTHORIZATION_ERROR @"Generic Authorization Error"
/// Event of `sendTrackingData`: the library found out whether the viewer is logged in.
#define TRACKING_AUTHENTICATION 0
/// Event of `sendTrackingData`: the library found out whether the viewer may watch.
#define TRACKING_AUTHORIZATION 1
/// Event of `sendTrackingData`: the viewer chose a TV provider.
#define TRACKING_MVPD_SELECTION 2
/// The name the documentation uses for `TRACKING_MVPD_SELECTION`.
#define TRACKING_GET_SELECTED_PROVIDER 2
/// The vendor's production service.
#define SP_AUTH_PRODUCTION @"sp.auth.adobe.com/adobe-services"
/// The vendor's staging service.
#define SP_AUTH_STAGING @"sp.auth-staging.adobe.com/adobe-services"
/// The service that `setRequestor(_:)` uses.
#define DEFAULT_SP_URL SP_AUTH_PRODUCTION
/// The URL at which the pages of the classic services end in a web view of the app. Other pages end elsewhere:
/// `canHandle:` recognizes the end of every page. Pass it to `handleExternalURL:` instead of loading it.
#define ADOBEPASS_REDIRECT_URL @"adobepass://ios.app"
/// The vendor's production identity towards TV providers and the platform's sign-on.
#define SP_SAML_PRODUCTION @"https://saml.sp.auth.adobe.com"
/// The vendor's staging identity.
#define SP_SAML_STAGING @"https://saml.sp.auth-staging.adobe.com"
/// How redirect schemes of an application begin: `adbe.<id>://`.
#define CUSTOM_SCHEME_PREFIX @"adbe."
/// The kind of client: `iOS` or `tvOS`; on other systems their name.
#if TARGET_OS_TV
#define CLIENT_TYPE @"tvOS"
#elif TARGET_OS_VISION
#define CLIENT_TYPE @"visionOS"
#elif TARGET_OS_IPHONE
#define CLIENT_TYPE @"iOS"
#else
#define CLIENT_TYPE @"macOS"
#endif
/// Question of `getMetadata`: when the login expires.
#define METADATA_AUTHENTICATION 0
/// Question of `getMetadata`: when the permission for a resource expires.
#define METADATA_AUTHORIZATION 1
/// Question of `getMetadata`: the device id.
#define METADATA_DEVICE_ID 2
/// Question of `getMetadata`: a value from the TV provider.
#define METADATA_USER_META 3
/// Key of `getMetadata` for the question.
#define METADATA_OPCODE_KEY @"opCode"
/// Key of `getMetadata` for the resource.
#define METADATA_RESOURCE_ID_KEY @"resource_id"
/// Key of `getMetadata` for the name of the value.
#define METADATA_USER_META_KEY @"user_metadata_name"
/// Option: selects a configuration on the service's side; a string.
#define OPTION_PROFILE @"applicationProfile"
/// Option: the Experience Cloud id of the visitor; a string.
#define OPTION_VISITOR_ID @"visitorID"
/// Option: whether the app shows `SFSafariViewController` itself; a boolean.
#define OPTION_HANDLE_SVC @"handleSVC"
/// Option: Base64 of a JSON object that is added to the client information.
#define OPTION_DEVICE_INFO @"device_info"
/// Key of the filter of `getAuthentication`: the MVPD ids to offer in the platform's picker.
#define TV_PROVIDERS @"TV_PROVIDERS"
/// Key of the filter of `getAuthentication`: the MVPD ids to show first.
#define FEATURED_TV_PROVIDERS @"FEATURED_TV_PROVIDERS"

#endif

#endif
