// These are the documented constants as members, which the seed documents use too:
// `AccessEnabler.PROVIDER_NOT_SELECTED_ERROR`. Inside the class and its subclasses, a bare name refers to the member.
// The instance therefore has the members as well, and each value passes through a private constant of this file.
private let accessEnablerStatusError = ACCESS_ENABLER_STATUS_ERROR
private let accessEnablerStatusSuccess = ACCESS_ENABLER_STATUS_SUCCESS
private let userAuthenticated = USER_AUTHENTICATED
private let userNotAuthenticatedError = USER_NOT_AUTHENTICATED_ERROR
private let userNotAuthorizedError = USER_NOT_AUTHORIZED_ERROR
private let providerNotSelectedError = PROVIDER_NOT_SELECTED_ERROR
private let genericAuthenticationError = GENERIC_AUTHENTICATION_ERROR
private let genericAuthorizationError = GENERIC_AUTHORIZATION_ERROR
private let trackingAuthentication = TRACKING_AUTHENTICATION
private let trackingAuthorization = TRACKING_AUTHORIZATION
private let trackingMvpdSelection = TRACKING_MVPD_SELECTION
private let trackingGetSelectedProvider = TRACKING_GET_SELECTED_PROVIDER
private let spAuthProduction = SP_AUTH_PRODUCTION
private let spAuthStaging = SP_AUTH_STAGING
private let defaultSpUrl = DEFAULT_SP_URL
private let adobepassRedirectUrl = ADOBEPASS_REDIRECT_URL
private let spSamlProduction = SP_SAML_PRODUCTION
private let spSamlStaging = SP_SAML_STAGING
private let customSchemePrefix = CUSTOM_SCHEME_PREFIX
private let clientType = CLIENT_TYPE
private let metadataAuthentication = METADATA_AUTHENTICATION
private let metadataAuthorization = METADATA_AUTHORIZATION
private let metadataDeviceId = METADATA_DEVICE_ID
private let metadataUserMeta = METADATA_USER_META
private let metadataOpcodeKey = METADATA_OPCODE_KEY
private let metadataResourceIdKey = METADATA_RESOURCE_ID_KEY
private let metadataUserMetaKey = METADATA_USER_META_KEY
private let optionProfile = OPTION_PROFILE
private let optionVisitorId = OPTION_VISITOR_ID
private let optionHandleSvc = OPTION_HANDLE_SVC
private let optionDeviceInfo = OPTION_DEVICE_INFO
private let tvProviders = TV_PROVIDERS
private let featuredTvProviders = FEATURED_TV_PROVIDERS

// The constants are documented at their own declarations.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AccessEnabler {
    @nonobjc public static var ACCESS_ENABLER_STATUS_ERROR: Int32 { accessEnablerStatusError }
    @nonobjc public static var ACCESS_ENABLER_STATUS_SUCCESS: Int32 { accessEnablerStatusSuccess }
    @nonobjc public static var USER_AUTHENTICATED: String { userAuthenticated }
    @nonobjc public static var USER_NOT_AUTHENTICATED_ERROR: String { userNotAuthenticatedError }
    @nonobjc public static var USER_NOT_AUTHORIZED_ERROR: String { userNotAuthorizedError }
    @nonobjc public static var PROVIDER_NOT_SELECTED_ERROR: String { providerNotSelectedError }
    @nonobjc public static var GENERIC_AUTHENTICATION_ERROR: String { genericAuthenticationError }
    @nonobjc public static var GENERIC_AUTHORIZATION_ERROR: String { genericAuthorizationError }
    @nonobjc public static var TRACKING_AUTHENTICATION: Int32 { trackingAuthentication }
    @nonobjc public static var TRACKING_AUTHORIZATION: Int32 { trackingAuthorization }
    @nonobjc public static var TRACKING_MVPD_SELECTION: Int32 { trackingMvpdSelection }
    @nonobjc public static var TRACKING_GET_SELECTED_PROVIDER: Int32 { trackingGetSelectedProvider }
    @nonobjc public static var SP_AUTH_PRODUCTION: String { spAuthProduction }
    @nonobjc public static var SP_AUTH_STAGING: String { spAuthStaging }
    @nonobjc public static var DEFAULT_SP_URL: String { defaultSpUrl }
    @nonobjc public static var ADOBEPASS_REDIRECT_URL: String { adobepassRedirectUrl }
    @nonobjc public static var SP_SAML_PRODUCTION: String { spSamlProduction }
    @nonobjc public static var SP_SAML_STAGING: String { spSamlStaging }
    @nonobjc public static var CUSTOM_SCHEME_PREFIX: String { customSchemePrefix }
    @nonobjc public static var CLIENT_TYPE: String { clientType }
    @nonobjc public static var METADATA_AUTHENTICATION: Int32 { metadataAuthentication }
    @nonobjc public static var METADATA_AUTHORIZATION: Int32 { metadataAuthorization }
    @nonobjc public static var METADATA_DEVICE_ID: Int32 { metadataDeviceId }
    @nonobjc public static var METADATA_USER_META: Int32 { metadataUserMeta }
    @nonobjc public static var METADATA_OPCODE_KEY: String { metadataOpcodeKey }
    @nonobjc public static var METADATA_RESOURCE_ID_KEY: String { metadataResourceIdKey }
    @nonobjc public static var METADATA_USER_META_KEY: String { metadataUserMetaKey }
    @nonobjc public static var OPTION_PROFILE: String { optionProfile }
    @nonobjc public static var OPTION_VISITOR_ID: String { optionVisitorId }
    @nonobjc public static var OPTION_HANDLE_SVC: String { optionHandleSvc }
    @nonobjc public static var OPTION_DEVICE_INFO: String { optionDeviceInfo }
    @nonobjc public static var TV_PROVIDERS: String { tvProviders }
    @nonobjc public static var FEATURED_TV_PROVIDERS: String { featuredTvProviders }

    @nonobjc public var ACCESS_ENABLER_STATUS_ERROR: Int32 { accessEnablerStatusError }
    @nonobjc public var ACCESS_ENABLER_STATUS_SUCCESS: Int32 { accessEnablerStatusSuccess }
    @nonobjc public var USER_AUTHENTICATED: String { userAuthenticated }
    @nonobjc public var USER_NOT_AUTHENTICATED_ERROR: String { userNotAuthenticatedError }
    @nonobjc public var USER_NOT_AUTHORIZED_ERROR: String { userNotAuthorizedError }
    @nonobjc public var PROVIDER_NOT_SELECTED_ERROR: String { providerNotSelectedError }
    @nonobjc public var GENERIC_AUTHENTICATION_ERROR: String { genericAuthenticationError }
    @nonobjc public var GENERIC_AUTHORIZATION_ERROR: String { genericAuthorizationError }
    @nonobjc public var TRACKING_AUTHENTICATION: Int32 { trackingAuthentication }
    @nonobjc public var TRACKING_AUTHORIZATION: Int32 { trackingAuthorization }
    @nonobjc public var TRACKING_MVPD_SELECTION: Int32 { trackingMvpdSelection }
    @nonobjc public var TRACKING_GET_SELECTED_PROVIDER: Int32 { trackingGetSelectedProvider }
    @nonobjc public var SP_AUTH_PRODUCTION: String { spAuthProduction }
    @nonobjc public var SP_AUTH_STAGING: String { spAuthStaging }
    @nonobjc public var DEFAULT_SP_URL: String { defaultSpUrl }
    @nonobjc public var ADOBEPASS_REDIRECT_URL: String { adobepassRedirectUrl }
    @nonobjc public var SP_SAML_PRODUCTION: String { spSamlProduction }
    @nonobjc public var SP_SAML_STAGING: String { spSamlStaging }
    @nonobjc public var CUSTOM_SCHEME_PREFIX: String { customSchemePrefix }
    @nonobjc public var CLIENT_TYPE: String { clientType }
    @nonobjc public var METADATA_AUTHENTICATION: Int32 { metadataAuthentication }
    @nonobjc public var METADATA_AUTHORIZATION: Int32 { metadataAuthorization }
    @nonobjc public var METADATA_DEVICE_ID: Int32 { metadataDeviceId }
    @nonobjc public var METADATA_USER_META: Int32 { metadataUserMeta }
    @nonobjc public var METADATA_OPCODE_KEY: String { metadataOpcodeKey }
    @nonobjc public var METADATA_RESOURCE_ID_KEY: String { metadataResourceIdKey }
    @nonobjc public var METADATA_USER_META_KEY: String { metadataUserMetaKey }
    @nonobjc public var OPTION_PROFILE: String { optionProfile }
    @nonobjc public var OPTION_VISITOR_ID: String { optionVisitorId }
    @nonobjc public var OPTION_HANDLE_SVC: String { optionHandleSvc }
    @nonobjc public var OPTION_DEVICE_INFO: String { optionDeviceInfo }
    @nonobjc public var TV_PROVIDERS: String { tvProviders }
    @nonobjc public var FEATURED_TV_PROVIDERS: String { featuredTvProviders }
}
