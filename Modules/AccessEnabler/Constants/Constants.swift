import TVEFlowEngine

// The documented constants, under their documented names (API reference, constants).

/// Status of a failed call: 0.
public let ACCESS_ENABLER_STATUS_ERROR: Int32 = 0
/// Status of a successful call: 1.
public let ACCESS_ENABLER_STATUS_SUCCESS: Int32 = 1

/// Error code of "logged in": empty.
public let USER_AUTHENTICATED = ""
/// Error code: the viewer is not logged in.
public let USER_NOT_AUTHENTICATED_ERROR = "User Not Authenticated Error"
/// Error code: the TV provider does not allow the resource.
public let USER_NOT_AUTHORIZED_ERROR = "User Not Authorized Error"
/// Error code: the viewer chose no TV provider.
public let PROVIDER_NOT_SELECTED_ERROR = "Provider Not Selected Error"
/// Error code: the login failed for another reason.
public let GENERIC_AUTHENTICATION_ERROR = "Generic Authentication Error"
/// Error code: the authorization failed for another reason.
public let GENERIC_AUTHORIZATION_ERROR = "Generic Authorization Error"

/// Event of `sendTrackingData`: the library found out whether the viewer is logged in.
public let TRACKING_AUTHENTICATION: Int32 = 0
/// Event of `sendTrackingData`: the library found out whether the viewer may watch.
public let TRACKING_AUTHORIZATION: Int32 = 1
/// Event of `sendTrackingData`: the viewer chose a TV provider.
public let TRACKING_MVPD_SELECTION: Int32 = 2
/// The name the documentation uses for ``TRACKING_MVPD_SELECTION``.
public let TRACKING_GET_SELECTED_PROVIDER: Int32 = 2

/// The vendor's production service.
public let SP_AUTH_PRODUCTION = "sp.auth.adobe.com/adobe-services"
/// The vendor's staging service.
public let SP_AUTH_STAGING = "sp.auth-staging.adobe.com/adobe-services"
/// The service that `setRequestor(_:)` uses, unless ``OPTION_PROFILE`` is `staging`.
public let DEFAULT_SP_URL = SP_AUTH_PRODUCTION
/// Where logins and logouts end: hand this URL to `handleExternalURL(_:)` instead of loading it.
public let ADOBEPASS_REDIRECT_URL = "adobepass://ios.app"
/// The vendor's production identity towards TV providers and the platform's sign-on.
public let SP_SAML_PRODUCTION = "https://saml.sp.auth.adobe.com"
/// The vendor's staging identity.
public let SP_SAML_STAGING = "https://saml.sp.auth-staging.adobe.com"
/// How redirect schemes of an application begin: `adbe.<id>://`.
public let CUSTOM_SCHEME_PREFIX = "adbe."
/// The kind of client: `iOS` or `tvOS`; on other systems their name.
public let CLIENT_TYPE = DeviceFacts.clientType

/// Question of `getMetadata`: when the login expires.
public let METADATA_AUTHENTICATION: Int32 = 0
/// Question of `getMetadata`: when the permission for a resource expires.
public let METADATA_AUTHORIZATION: Int32 = 1
/// Question of `getMetadata`: the device id.
public let METADATA_DEVICE_ID: Int32 = 2
/// Question of `getMetadata`: a value from the TV provider.
public let METADATA_USER_META: Int32 = 3
/// Key of `getMetadata` for the question.
public let METADATA_OPCODE_KEY = "opCode"
/// Key of `getMetadata` for the resource.
public let METADATA_RESOURCE_ID_KEY = "resource_id"
/// Key of `getMetadata` for the name of the value.
public let METADATA_USER_META_KEY = "user_metadata_name"

/// Option: selects a configuration on the service's side; a string.
public let OPTION_PROFILE = "applicationProfile"
/// Option: the Experience Cloud id of the visitor; a string.
public let OPTION_VISITOR_ID = "visitorID"
/// Option: whether the app shows `SFSafariViewController` itself; a boolean.
public let OPTION_HANDLE_SVC = "handleSVC"
/// Option: Base64 of a JSON object that is added to the client information.
public let OPTION_DEVICE_INFO = "device_info"

/// Key of the filter of `getAuthentication`: the MVPD ids to offer in the platform's picker.
public let TV_PROVIDERS = "TV_PROVIDERS"
/// Key of the filter of `getAuthentication`: the MVPD ids to show first.
public let FEATURED_TV_PROVIDERS = "FEATURED_TV_PROVIDERS"
