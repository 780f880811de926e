// The documented constants, under their documented names (API reference, constants).

/// Status of a failed call: 0.
public let ACCESS_ENABLER_STATUS_ERROR: Int32 = 0
/// Status of a successful call: 1.
public let ACCESS_ENABLER_STATUS_SUCCESS: Int32 = 1

/// Error code of "logged in": empty.
public let USER_AUTHENTICATED = ""
/// Error code: nobody is logged in.
public let USER_NOT_AUTHENTICATED_ERROR = "User Not Authenticated Error"
/// Error code: the TV provider does not allow the resource.
public let USER_NOT_AUTHORIZED_ERROR = "User Not Authorized Error"
/// Error code: the viewer chose no TV provider.
public let PROVIDER_NOT_SELECTED_ERROR = "Provider Not Selected Error"
/// Error code: the login failed for another reason.
public let GENERIC_AUTHENTICATION_ERROR = "Generic Authentication Error"
/// Error code: the authorization failed for another reason.
public let GENERIC_AUTHORIZATION_ERROR = "Generic Authorization Error"

/// Event of `sendTrackingData`: whether the viewer is logged in became known.
public let TRACKING_AUTHENTICATION: Int32 = 0
/// Event of `sendTrackingData`: whether the viewer may watch became known.
public let TRACKING_AUTHORIZATION: Int32 = 1
/// Event of `sendTrackingData`: the viewer chose a TV provider.
public let TRACKING_MVPD_SELECTION: Int32 = 2
/// The name the documentation uses for ``TRACKING_MVPD_SELECTION``.
public let TRACKING_GET_SELECTED_PROVIDER: Int32 = 2

/// The vendor's production service.
public let SP_AUTH_PRODUCTION = "sp.auth.adobe.com/adobe-services"
/// The vendor's staging service.
public let SP_AUTH_STAGING = "sp.auth-staging.adobe.com/adobe-services"
/// The service that `setRequestor(_:)` uses.
public let DEFAULT_SP_URL = SP_AUTH_PRODUCTION
/// Where logins and logouts end: hand this URL to `handleExternalURL(_:)` instead of loading it.
public let ADOBEPASS_REDIRECT_URL = "adobepass://ios.app"
