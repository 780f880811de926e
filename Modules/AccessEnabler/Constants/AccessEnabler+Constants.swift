// The documented constants as members, which the seed documents use too: `AccessEnabler.PROVIDER_NOT_SELECTED_ERROR`.
// Inside the class and its subclasses a bare name means the member. So the instance has the members as well, and each
// value goes through a private constant of this file.
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

extension AccessEnabler {
    /// The constant of this name.
    @nonobjc public static var ACCESS_ENABLER_STATUS_ERROR: Int32 { accessEnablerStatusError }
    /// The constant of this name.
    @nonobjc public static var ACCESS_ENABLER_STATUS_SUCCESS: Int32 { accessEnablerStatusSuccess }
    /// The constant of this name.
    @nonobjc public static var USER_AUTHENTICATED: String { userAuthenticated }
    /// The constant of this name.
    @nonobjc public static var USER_NOT_AUTHENTICATED_ERROR: String { userNotAuthenticatedError }
    /// The constant of this name.
    @nonobjc public static var USER_NOT_AUTHORIZED_ERROR: String { userNotAuthorizedError }
    /// The constant of this name.
    @nonobjc public static var PROVIDER_NOT_SELECTED_ERROR: String { providerNotSelectedError }
    /// The constant of this name.
    @nonobjc public static var GENERIC_AUTHENTICATION_ERROR: String { genericAuthenticationError }
    /// The constant of this name.
    @nonobjc public static var GENERIC_AUTHORIZATION_ERROR: String { genericAuthorizationError }
    /// The constant of this name.
    @nonobjc public static var TRACKING_AUTHENTICATION: Int32 { trackingAuthentication }
    /// The constant of this name.
    @nonobjc public static var TRACKING_AUTHORIZATION: Int32 { trackingAuthorization }
    /// The constant of this name.
    @nonobjc public static var TRACKING_MVPD_SELECTION: Int32 { trackingMvpdSelection }
    /// The constant of this name.
    @nonobjc public static var TRACKING_GET_SELECTED_PROVIDER: Int32 { trackingGetSelectedProvider }
    /// The constant of this name.
    @nonobjc public static var SP_AUTH_PRODUCTION: String { spAuthProduction }
    /// The constant of this name.
    @nonobjc public static var SP_AUTH_STAGING: String { spAuthStaging }
    /// The constant of this name.
    @nonobjc public static var DEFAULT_SP_URL: String { defaultSpUrl }
    /// The constant of this name.
    @nonobjc public static var ADOBEPASS_REDIRECT_URL: String { adobepassRedirectUrl }
    /// The constant of this name.
    @nonobjc public static var SP_SAML_PRODUCTION: String { spSamlProduction }
    /// The constant of this name.
    @nonobjc public static var SP_SAML_STAGING: String { spSamlStaging }
    /// The constant of this name.
    @nonobjc public static var CUSTOM_SCHEME_PREFIX: String { customSchemePrefix }
    /// The constant of this name.
    @nonobjc public static var CLIENT_TYPE: String { clientType }
    /// The constant of this name.
    @nonobjc public static var METADATA_AUTHENTICATION: Int32 { metadataAuthentication }
    /// The constant of this name.
    @nonobjc public static var METADATA_AUTHORIZATION: Int32 { metadataAuthorization }
    /// The constant of this name.
    @nonobjc public static var METADATA_DEVICE_ID: Int32 { metadataDeviceId }
    /// The constant of this name.
    @nonobjc public static var METADATA_USER_META: Int32 { metadataUserMeta }
    /// The constant of this name.
    @nonobjc public static var METADATA_OPCODE_KEY: String { metadataOpcodeKey }
    /// The constant of this name.
    @nonobjc public static var METADATA_RESOURCE_ID_KEY: String { metadataResourceIdKey }
    /// The constant of this name.
    @nonobjc public static var METADATA_USER_META_KEY: String { metadataUserMetaKey }
    /// The constant of this name.
    @nonobjc public static var OPTION_PROFILE: String { optionProfile }
    /// The constant of this name.
    @nonobjc public static var OPTION_VISITOR_ID: String { optionVisitorId }
    /// The constant of this name.
    @nonobjc public static var OPTION_HANDLE_SVC: String { optionHandleSvc }
    /// The constant of this name.
    @nonobjc public static var OPTION_DEVICE_INFO: String { optionDeviceInfo }
    /// The constant of this name.
    @nonobjc public static var TV_PROVIDERS: String { tvProviders }
    /// The constant of this name.
    @nonobjc public static var FEATURED_TV_PROVIDERS: String { featuredTvProviders }

    /// The constant of this name.
    @nonobjc public var ACCESS_ENABLER_STATUS_ERROR: Int32 { accessEnablerStatusError }
    /// The constant of this name.
    @nonobjc public var ACCESS_ENABLER_STATUS_SUCCESS: Int32 { accessEnablerStatusSuccess }
    /// The constant of this name.
    @nonobjc public var USER_AUTHENTICATED: String { userAuthenticated }
    /// The constant of this name.
    @nonobjc public var USER_NOT_AUTHENTICATED_ERROR: String { userNotAuthenticatedError }
    /// The constant of this name.
    @nonobjc public var USER_NOT_AUTHORIZED_ERROR: String { userNotAuthorizedError }
    /// The constant of this name.
    @nonobjc public var PROVIDER_NOT_SELECTED_ERROR: String { providerNotSelectedError }
    /// The constant of this name.
    @nonobjc public var GENERIC_AUTHENTICATION_ERROR: String { genericAuthenticationError }
    /// The constant of this name.
    @nonobjc public var GENERIC_AUTHORIZATION_ERROR: String { genericAuthorizationError }
    /// The constant of this name.
    @nonobjc public var TRACKING_AUTHENTICATION: Int32 { trackingAuthentication }
    /// The constant of this name.
    @nonobjc public var TRACKING_AUTHORIZATION: Int32 { trackingAuthorization }
    /// The constant of this name.
    @nonobjc public var TRACKING_MVPD_SELECTION: Int32 { trackingMvpdSelection }
    /// The constant of this name.
    @nonobjc public var TRACKING_GET_SELECTED_PROVIDER: Int32 { trackingGetSelectedProvider }
    /// The constant of this name.
    @nonobjc public var SP_AUTH_PRODUCTION: String { spAuthProduction }
    /// The constant of this name.
    @nonobjc public var SP_AUTH_STAGING: String { spAuthStaging }
    /// The constant of this name.
    @nonobjc public var DEFAULT_SP_URL: String { defaultSpUrl }
    /// The constant of this name.
    @nonobjc public var ADOBEPASS_REDIRECT_URL: String { adobepassRedirectUrl }
    /// The constant of this name.
    @nonobjc public var SP_SAML_PRODUCTION: String { spSamlProduction }
    /// The constant of this name.
    @nonobjc public var SP_SAML_STAGING: String { spSamlStaging }
    /// The constant of this name.
    @nonobjc public var CUSTOM_SCHEME_PREFIX: String { customSchemePrefix }
    /// The constant of this name.
    @nonobjc public var CLIENT_TYPE: String { clientType }
    /// The constant of this name.
    @nonobjc public var METADATA_AUTHENTICATION: Int32 { metadataAuthentication }
    /// The constant of this name.
    @nonobjc public var METADATA_AUTHORIZATION: Int32 { metadataAuthorization }
    /// The constant of this name.
    @nonobjc public var METADATA_DEVICE_ID: Int32 { metadataDeviceId }
    /// The constant of this name.
    @nonobjc public var METADATA_USER_META: Int32 { metadataUserMeta }
    /// The constant of this name.
    @nonobjc public var METADATA_OPCODE_KEY: String { metadataOpcodeKey }
    /// The constant of this name.
    @nonobjc public var METADATA_RESOURCE_ID_KEY: String { metadataResourceIdKey }
    /// The constant of this name.
    @nonobjc public var METADATA_USER_META_KEY: String { metadataUserMetaKey }
    /// The constant of this name.
    @nonobjc public var OPTION_PROFILE: String { optionProfile }
    /// The constant of this name.
    @nonobjc public var OPTION_VISITOR_ID: String { optionVisitorId }
    /// The constant of this name.
    @nonobjc public var OPTION_HANDLE_SVC: String { optionHandleSvc }
    /// The constant of this name.
    @nonobjc public var OPTION_DEVICE_INFO: String { optionDeviceInfo }
    /// The constant of this name.
    @nonobjc public var TV_PROVIDERS: String { tvProviders }
    /// The constant of this name.
    @nonobjc public var FEATURED_TV_PROVIDERS: String { featuredTvProviders }
}
