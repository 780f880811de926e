import TVENetworking

// The documented constants, under their documented names (API reference, constants).

/// The status of a failed call: 0.
public let ACCESS_ENABLER_STATUS_ERROR: Int32 = 0
/// The status of a successful call: 1.
public let ACCESS_ENABLER_STATUS_SUCCESS: Int32 = 1

/// The error code for a viewer who is logged in: an empty text.
public let USER_AUTHENTICATED = ""
/// The error code for a viewer who is not logged in.
public let USER_NOT_AUTHENTICATED_ERROR = "User Not Authenticated Error"
/// The error code for a resource that the TV provider does not allow.
public let USER_NOT_AUTHORIZED_ERROR = "User Not Authorized Error"
/// The error code for a viewer who chose no TV provider.
public let PROVIDER_NOT_SELECTED_ERROR = "Provider Not Selected Error"
/// The error code for a login that failed for another reason.
public let GENERIC_AUTHENTICATION_ERROR = "Generic Authentication Error"
/// The error code for an authorization that failed for another reason.
public let GENERIC_AUTHORIZATION_ERROR = "Generic Authorization Error"

/// The event of `sendTrackingData` that reports whether the viewer is logged in.
public let TRACKING_AUTHENTICATION: Int32 = 0
/// The event of `sendTrackingData` that reports whether the viewer may watch.
public let TRACKING_AUTHORIZATION: Int32 = 1
/// The event of `sendTrackingData` that reports the viewer's choice of a TV provider.
public let TRACKING_MVPD_SELECTION: Int32 = 2
/// The name that the documentation uses for ``TRACKING_MVPD_SELECTION``.
public let TRACKING_GET_SELECTED_PROVIDER: Int32 = 2

/// The vendor's production service.
public let SP_AUTH_PRODUCTION = "sp.auth.adobe.com/adobe-services"
/// The vendor's staging service.
public let SP_AUTH_STAGING = "sp.auth-staging.adobe.com/adobe-services"
/// The service that `setRequestor(_:)` uses, unless ``OPTION_PROFILE`` is `staging`.
public let DEFAULT_SP_URL = SP_AUTH_PRODUCTION
/// The URL at which the pages of the classic services end in a web view of the app.
///
/// Pass it to `handleExternalURL(_:)` instead of loading it. Do not compare URLs with it: pages of REST API v2, and
/// pages that the system's browser would have shown, end at a redirect that is registered for the application.
/// `canHandle(_:)` recognizes the end of every page.
public let ADOBEPASS_REDIRECT_URL = "adobepass://ios.app"
/// The vendor's production identity for TV providers and the platform's sign-on.
public let SP_SAML_PRODUCTION = "https://saml.sp.auth.adobe.com"
/// The vendor's staging identity.
public let SP_SAML_STAGING = "https://saml.sp.auth-staging.adobe.com"
/// The prefix of an application's redirect scheme, `adbe.<id>://`.
public let CUSTOM_SCHEME_PREFIX = "adbe."
/// The kind of client: `iOS` or `tvOS`, and on other systems their name.
public let CLIENT_TYPE = DeviceFacts.clientType

/// The kind of value of `getMetadata` that is the expiry date of the login.
public let METADATA_AUTHENTICATION: Int32 = 0
/// The kind of value of `getMetadata` that is the expiry date of the permission for a resource.
public let METADATA_AUTHORIZATION: Int32 = 1
/// The kind of value of `getMetadata` that is the device id.
public let METADATA_DEVICE_ID: Int32 = 2
/// The kind of value of `getMetadata` that comes from the TV provider.
public let METADATA_USER_META: Int32 = 3
/// The key of `getMetadata` for the kind of value.
public let METADATA_OPCODE_KEY = "opCode"
/// The key of `getMetadata` for the resource.
public let METADATA_RESOURCE_ID_KEY = "resource_id"
/// The key of `getMetadata` for the name of the value.
public let METADATA_USER_META_KEY = "user_metadata_name"

/// The option that selects a configuration on the service's side, as a string.
public let OPTION_PROFILE = "applicationProfile"
/// The option for the Experience Cloud id of the visitor, as a string.
public let OPTION_VISITOR_ID = "visitorID"
/// The option that indicates whether the app shows `SFSafariViewController` itself, as a Boolean value.
public let OPTION_HANDLE_SVC = "handleSVC"
/// The option for a Base64-encoded JSON object that is added to the client information.
public let OPTION_DEVICE_INFO = "device_info"

/// The key in the filter of `getAuthentication` for the MVPD ids that the platform's picker offers.
public let TV_PROVIDERS = "TV_PROVIDERS"
/// The key in the filter of `getAuthentication` for the MVPD ids that the platform's picker shows first.
public let FEATURED_TV_PROVIDERS = "FEATURED_TV_PROVIDERS"
