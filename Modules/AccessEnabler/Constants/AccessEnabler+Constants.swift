import TVENetworking

// These are the documented constants as members, which the seed documents use too:
// `AccessEnabler.PROVIDER_NOT_SELECTED_ERROR`. Inside the class and its subclasses, a bare name refers to the member.
// The instance therefore has the members as well, and the values are here: a global constant can read a member, but a
// member cannot read the global constant of the same name.

// The constants are documented at their own declarations.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AccessEnabler {
    @nonobjc public static var ACCESS_ENABLER_STATUS_ERROR: Int32 { 0 }
    @nonobjc public static var ACCESS_ENABLER_STATUS_SUCCESS: Int32 { 1 }
    @nonobjc public static var USER_AUTHENTICATED: String { "" }
    @nonobjc public static var USER_NOT_AUTHENTICATED_ERROR: String { "User Not Authenticated Error" }
    @nonobjc public static var USER_NOT_AUTHORIZED_ERROR: String { "User Not Authorized Error" }
    @nonobjc public static var PROVIDER_NOT_SELECTED_ERROR: String { "Provider Not Selected Error" }
    @nonobjc public static var GENERIC_AUTHENTICATION_ERROR: String { "Generic Authentication Error" }
    @nonobjc public static var GENERIC_AUTHORIZATION_ERROR: String { "Generic Authorization Error" }
    @nonobjc public static var TRACKING_AUTHENTICATION: Int32 { 0 }
    @nonobjc public static var TRACKING_AUTHORIZATION: Int32 { 1 }
    @nonobjc public static var TRACKING_MVPD_SELECTION: Int32 { 2 }
    @nonobjc public static var TRACKING_GET_SELECTED_PROVIDER: Int32 { 2 }
    @nonobjc public static var SP_AUTH_PRODUCTION: String { "sp.auth.adobe.com/adobe-services" }
    @nonobjc public static var SP_AUTH_STAGING: String { "sp.auth-staging.adobe.com/adobe-services" }
    @nonobjc public static var DEFAULT_SP_URL: String { SP_AUTH_PRODUCTION }
    @nonobjc public static var ADOBEPASS_REDIRECT_URL: String { "adobepass://ios.app" }
    @nonobjc public static var SP_SAML_PRODUCTION: String { "https://saml.sp.auth.adobe.com" }
    @nonobjc public static var SP_SAML_STAGING: String { "https://saml.sp.auth-staging.adobe.com" }
    @nonobjc public static var CUSTOM_SCHEME_PREFIX: String { "adbe." }
    @nonobjc public static var CLIENT_TYPE: String { DeviceFacts.clientType }
    @nonobjc public static var METADATA_AUTHENTICATION: Int32 { 0 }
    @nonobjc public static var METADATA_AUTHORIZATION: Int32 { 1 }
    @nonobjc public static var METADATA_DEVICE_ID: Int32 { 2 }
    @nonobjc public static var METADATA_USER_META: Int32 { 3 }
    @nonobjc public static var METADATA_OPCODE_KEY: String { "opCode" }
    @nonobjc public static var METADATA_RESOURCE_ID_KEY: String { "resource_id" }
    @nonobjc public static var METADATA_USER_META_KEY: String { "user_metadata_name" }
    @nonobjc public static var OPTION_PROFILE: String { "applicationProfile" }
    @nonobjc public static var OPTION_VISITOR_ID: String { "visitorID" }
    @nonobjc public static var OPTION_HANDLE_SVC: String { "handleSVC" }
    @nonobjc public static var OPTION_DEVICE_INFO: String { "device_info" }
    @nonobjc public static var TV_PROVIDERS: String { "TV_PROVIDERS" }
    @nonobjc public static var FEATURED_TV_PROVIDERS: String { "FEATURED_TV_PROVIDERS" }

    @nonobjc public var ACCESS_ENABLER_STATUS_ERROR: Int32 { Self.ACCESS_ENABLER_STATUS_ERROR }
    @nonobjc public var ACCESS_ENABLER_STATUS_SUCCESS: Int32 { Self.ACCESS_ENABLER_STATUS_SUCCESS }
    @nonobjc public var USER_AUTHENTICATED: String { Self.USER_AUTHENTICATED }
    @nonobjc public var USER_NOT_AUTHENTICATED_ERROR: String { Self.USER_NOT_AUTHENTICATED_ERROR }
    @nonobjc public var USER_NOT_AUTHORIZED_ERROR: String { Self.USER_NOT_AUTHORIZED_ERROR }
    @nonobjc public var PROVIDER_NOT_SELECTED_ERROR: String { Self.PROVIDER_NOT_SELECTED_ERROR }
    @nonobjc public var GENERIC_AUTHENTICATION_ERROR: String { Self.GENERIC_AUTHENTICATION_ERROR }
    @nonobjc public var GENERIC_AUTHORIZATION_ERROR: String { Self.GENERIC_AUTHORIZATION_ERROR }
    @nonobjc public var TRACKING_AUTHENTICATION: Int32 { Self.TRACKING_AUTHENTICATION }
    @nonobjc public var TRACKING_AUTHORIZATION: Int32 { Self.TRACKING_AUTHORIZATION }
    @nonobjc public var TRACKING_MVPD_SELECTION: Int32 { Self.TRACKING_MVPD_SELECTION }
    @nonobjc public var TRACKING_GET_SELECTED_PROVIDER: Int32 { Self.TRACKING_GET_SELECTED_PROVIDER }
    @nonobjc public var SP_AUTH_PRODUCTION: String { Self.SP_AUTH_PRODUCTION }
    @nonobjc public var SP_AUTH_STAGING: String { Self.SP_AUTH_STAGING }
    @nonobjc public var DEFAULT_SP_URL: String { Self.DEFAULT_SP_URL }
    @nonobjc public var ADOBEPASS_REDIRECT_URL: String { Self.ADOBEPASS_REDIRECT_URL }
    @nonobjc public var SP_SAML_PRODUCTION: String { Self.SP_SAML_PRODUCTION }
    @nonobjc public var SP_SAML_STAGING: String { Self.SP_SAML_STAGING }
    @nonobjc public var CUSTOM_SCHEME_PREFIX: String { Self.CUSTOM_SCHEME_PREFIX }
    @nonobjc public var CLIENT_TYPE: String { Self.CLIENT_TYPE }
    @nonobjc public var METADATA_AUTHENTICATION: Int32 { Self.METADATA_AUTHENTICATION }
    @nonobjc public var METADATA_AUTHORIZATION: Int32 { Self.METADATA_AUTHORIZATION }
    @nonobjc public var METADATA_DEVICE_ID: Int32 { Self.METADATA_DEVICE_ID }
    @nonobjc public var METADATA_USER_META: Int32 { Self.METADATA_USER_META }
    @nonobjc public var METADATA_OPCODE_KEY: String { Self.METADATA_OPCODE_KEY }
    @nonobjc public var METADATA_RESOURCE_ID_KEY: String { Self.METADATA_RESOURCE_ID_KEY }
    @nonobjc public var METADATA_USER_META_KEY: String { Self.METADATA_USER_META_KEY }
    @nonobjc public var OPTION_PROFILE: String { Self.OPTION_PROFILE }
    @nonobjc public var OPTION_VISITOR_ID: String { Self.OPTION_VISITOR_ID }
    @nonobjc public var OPTION_HANDLE_SVC: String { Self.OPTION_HANDLE_SVC }
    @nonobjc public var OPTION_DEVICE_INFO: String { Self.OPTION_DEVICE_INFO }
    @nonobjc public var TV_PROVIDERS: String { Self.TV_PROVIDERS }
    @nonobjc public var FEATURED_TV_PROVIDERS: String { Self.FEATURED_TV_PROVIDERS }
}
