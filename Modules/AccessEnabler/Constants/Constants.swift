// The documented constants, under their documented names (API reference, constants). Their values are in the class.

/// The status of a failed call: 0.
public let ACCESS_ENABLER_STATUS_ERROR = AccessEnabler.ACCESS_ENABLER_STATUS_ERROR
/// The status of a successful call: 1.
public let ACCESS_ENABLER_STATUS_SUCCESS = AccessEnabler.ACCESS_ENABLER_STATUS_SUCCESS

/// The error code for a viewer who is logged in: an empty text.
public let USER_AUTHENTICATED = AccessEnabler.USER_AUTHENTICATED
/// The error code for a viewer who is not logged in.
public let USER_NOT_AUTHENTICATED_ERROR = AccessEnabler.USER_NOT_AUTHENTICATED_ERROR
/// The error code for a resource that the TV provider does not allow.
public let USER_NOT_AUTHORIZED_ERROR = AccessEnabler.USER_NOT_AUTHORIZED_ERROR
/// The error code for a viewer who chose no TV provider.
public let PROVIDER_NOT_SELECTED_ERROR = AccessEnabler.PROVIDER_NOT_SELECTED_ERROR
/// The error code for a login that failed for another reason.
public let GENERIC_AUTHENTICATION_ERROR = AccessEnabler.GENERIC_AUTHENTICATION_ERROR
/// The error code for an authorization that failed for another reason.
public let GENERIC_AUTHORIZATION_ERROR = AccessEnabler.GENERIC_AUTHORIZATION_ERROR

/// The event of `sendTrackingData` that reports whether the viewer is logged in.
public let TRACKING_AUTHENTICATION = AccessEnabler.TRACKING_AUTHENTICATION
/// The event of `sendTrackingData` that reports whether the viewer may watch.
public let TRACKING_AUTHORIZATION = AccessEnabler.TRACKING_AUTHORIZATION
/// The event of `sendTrackingData` that reports the viewer's choice of a TV provider.
public let TRACKING_MVPD_SELECTION = AccessEnabler.TRACKING_MVPD_SELECTION
/// The name that the documentation uses for ``TRACKING_MVPD_SELECTION``.
public let TRACKING_GET_SELECTED_PROVIDER = AccessEnabler.TRACKING_GET_SELECTED_PROVIDER

/// The vendor's production service.
public let SP_AUTH_PRODUCTION = AccessEnabler.SP_AUTH_PRODUCTION
/// The vendor's staging service.
public let SP_AUTH_STAGING = AccessEnabler.SP_AUTH_STAGING
/// The service that `setRequestor(_:)` uses, unless ``OPTION_PROFILE`` is `staging`.
public let DEFAULT_SP_URL = AccessEnabler.DEFAULT_SP_URL
/// The URL at which the pages of the classic services end in a web view of the app.
///
/// Pass it to `handleExternalURL(_:)` instead of loading it. Do not compare URLs with it: pages of REST API v2, and
/// pages that the system's browser would have shown, end at a redirect that is registered for the application.
/// `canHandle(_:)` recognizes the end of every page.
public let ADOBEPASS_REDIRECT_URL = AccessEnabler.ADOBEPASS_REDIRECT_URL
/// The vendor's production identity for TV providers and the platform's sign-on.
public let SP_SAML_PRODUCTION = AccessEnabler.SP_SAML_PRODUCTION
/// The vendor's staging identity.
public let SP_SAML_STAGING = AccessEnabler.SP_SAML_STAGING
/// The prefix of an application's redirect scheme, `adbe.<id>://`.
public let CUSTOM_SCHEME_PREFIX = AccessEnabler.CUSTOM_SCHEME_PREFIX
/// The kind of client: `iOS` or `tvOS`, and on other systems their name.
public let CLIENT_TYPE = AccessEnabler.CLIENT_TYPE

/// The kind of value of `getMetadata` that is the expiry date of the login.
public let METADATA_AUTHENTICATION = AccessEnabler.METADATA_AUTHENTICATION
/// The kind of value of `getMetadata` that is the expiry date of the permission for a resource.
public let METADATA_AUTHORIZATION = AccessEnabler.METADATA_AUTHORIZATION
/// The kind of value of `getMetadata` that is the device id.
public let METADATA_DEVICE_ID = AccessEnabler.METADATA_DEVICE_ID
/// The kind of value of `getMetadata` that comes from the TV provider.
public let METADATA_USER_META = AccessEnabler.METADATA_USER_META
/// The key of `getMetadata` for the kind of value.
public let METADATA_OPCODE_KEY = AccessEnabler.METADATA_OPCODE_KEY
/// The key of `getMetadata` for the resource.
public let METADATA_RESOURCE_ID_KEY = AccessEnabler.METADATA_RESOURCE_ID_KEY
/// The key of `getMetadata` for the name of the value.
public let METADATA_USER_META_KEY = AccessEnabler.METADATA_USER_META_KEY

/// The option that selects a configuration on the service's side, as a string.
public let OPTION_PROFILE = AccessEnabler.OPTION_PROFILE
/// The option for the Experience Cloud id of the visitor, as a string.
public let OPTION_VISITOR_ID = AccessEnabler.OPTION_VISITOR_ID
/// The option that indicates whether the app shows `SFSafariViewController` itself, as a Boolean value.
public let OPTION_HANDLE_SVC = AccessEnabler.OPTION_HANDLE_SVC
/// The option for a Base64-encoded JSON object that is added to the client information.
public let OPTION_DEVICE_INFO = AccessEnabler.OPTION_DEVICE_INFO

/// The key in the filter of `getAuthentication` for the MVPD ids that the platform's picker offers.
public let TV_PROVIDERS = AccessEnabler.TV_PROVIDERS
/// The key in the filter of `getAuthentication` for the MVPD ids that the platform's picker shows first.
public let FEATURED_TV_PROVIDERS = AccessEnabler.FEATURED_TV_PROVIDERS
