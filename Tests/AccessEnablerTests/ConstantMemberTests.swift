import AccessEnabler
import TVETestTraits
import Testing

/// The constants as members of the class and of its instances, as the seed documents write some of them.
@Suite(.row("A7"))
struct ConstantMemberTests {
    private let enabler = AccessEnabler("statement")

    @Test(.row("A7")) func numbers_areThoseOfTheGlobalConstants() {
        let rows: [(name: String, ofClass: Int32, ofInstance: Int32, constant: Int32)] = [
            (
                "ACCESS_ENABLER_STATUS_ERROR", AccessEnabler.ACCESS_ENABLER_STATUS_ERROR,
                enabler.ACCESS_ENABLER_STATUS_ERROR, ACCESS_ENABLER_STATUS_ERROR
            ),
            (
                "ACCESS_ENABLER_STATUS_SUCCESS", AccessEnabler.ACCESS_ENABLER_STATUS_SUCCESS,
                enabler.ACCESS_ENABLER_STATUS_SUCCESS, ACCESS_ENABLER_STATUS_SUCCESS
            ),
            (
                "TRACKING_AUTHENTICATION", AccessEnabler.TRACKING_AUTHENTICATION, enabler.TRACKING_AUTHENTICATION,
                TRACKING_AUTHENTICATION
            ),
            (
                "TRACKING_AUTHORIZATION", AccessEnabler.TRACKING_AUTHORIZATION, enabler.TRACKING_AUTHORIZATION,
                TRACKING_AUTHORIZATION
            ),
            (
                "TRACKING_MVPD_SELECTION", AccessEnabler.TRACKING_MVPD_SELECTION, enabler.TRACKING_MVPD_SELECTION,
                TRACKING_MVPD_SELECTION
            ),
            (
                "TRACKING_GET_SELECTED_PROVIDER", AccessEnabler.TRACKING_GET_SELECTED_PROVIDER,
                enabler.TRACKING_GET_SELECTED_PROVIDER, TRACKING_GET_SELECTED_PROVIDER
            ),
            (
                "METADATA_AUTHENTICATION", AccessEnabler.METADATA_AUTHENTICATION, enabler.METADATA_AUTHENTICATION,
                METADATA_AUTHENTICATION
            ),
            (
                "METADATA_AUTHORIZATION", AccessEnabler.METADATA_AUTHORIZATION, enabler.METADATA_AUTHORIZATION,
                METADATA_AUTHORIZATION
            ),
            ("METADATA_DEVICE_ID", AccessEnabler.METADATA_DEVICE_ID, enabler.METADATA_DEVICE_ID, METADATA_DEVICE_ID),
            ("METADATA_USER_META", AccessEnabler.METADATA_USER_META, enabler.METADATA_USER_META, METADATA_USER_META),
        ]
        for row in rows { #expect([row.ofClass, row.ofInstance] == [row.constant, row.constant], "\(row.name)") }
    }

    @Test(.row("A7")) func texts_areThoseOfTheGlobalConstants() {
        let rows: [(name: String, ofClass: String, ofInstance: String, constant: String)] = [
            ("USER_AUTHENTICATED", AccessEnabler.USER_AUTHENTICATED, enabler.USER_AUTHENTICATED, USER_AUTHENTICATED),
            (
                "USER_NOT_AUTHENTICATED_ERROR", AccessEnabler.USER_NOT_AUTHENTICATED_ERROR,
                enabler.USER_NOT_AUTHENTICATED_ERROR, USER_NOT_AUTHENTICATED_ERROR
            ),
            (
                "USER_NOT_AUTHORIZED_ERROR", AccessEnabler.USER_NOT_AUTHORIZED_ERROR, enabler.USER_NOT_AUTHORIZED_ERROR,
                USER_NOT_AUTHORIZED_ERROR
            ),
            (
                "PROVIDER_NOT_SELECTED_ERROR", AccessEnabler.PROVIDER_NOT_SELECTED_ERROR,
                enabler.PROVIDER_NOT_SELECTED_ERROR, PROVIDER_NOT_SELECTED_ERROR
            ),
            (
                "GENERIC_AUTHENTICATION_ERROR", AccessEnabler.GENERIC_AUTHENTICATION_ERROR,
                enabler.GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHENTICATION_ERROR
            ),
            (
                "GENERIC_AUTHORIZATION_ERROR", AccessEnabler.GENERIC_AUTHORIZATION_ERROR,
                enabler.GENERIC_AUTHORIZATION_ERROR, GENERIC_AUTHORIZATION_ERROR
            ),
            ("SP_AUTH_PRODUCTION", AccessEnabler.SP_AUTH_PRODUCTION, enabler.SP_AUTH_PRODUCTION, SP_AUTH_PRODUCTION),
            ("SP_AUTH_STAGING", AccessEnabler.SP_AUTH_STAGING, enabler.SP_AUTH_STAGING, SP_AUTH_STAGING),
            ("DEFAULT_SP_URL", AccessEnabler.DEFAULT_SP_URL, enabler.DEFAULT_SP_URL, DEFAULT_SP_URL),
            (
                "ADOBEPASS_REDIRECT_URL", AccessEnabler.ADOBEPASS_REDIRECT_URL, enabler.ADOBEPASS_REDIRECT_URL,
                ADOBEPASS_REDIRECT_URL
            ),
            ("SP_SAML_PRODUCTION", AccessEnabler.SP_SAML_PRODUCTION, enabler.SP_SAML_PRODUCTION, SP_SAML_PRODUCTION),
            ("SP_SAML_STAGING", AccessEnabler.SP_SAML_STAGING, enabler.SP_SAML_STAGING, SP_SAML_STAGING),
            (
                "CUSTOM_SCHEME_PREFIX", AccessEnabler.CUSTOM_SCHEME_PREFIX, enabler.CUSTOM_SCHEME_PREFIX,
                CUSTOM_SCHEME_PREFIX
            ),
            ("CLIENT_TYPE", AccessEnabler.CLIENT_TYPE, enabler.CLIENT_TYPE, CLIENT_TYPE),
            (
                "METADATA_OPCODE_KEY", AccessEnabler.METADATA_OPCODE_KEY, enabler.METADATA_OPCODE_KEY,
                METADATA_OPCODE_KEY
            ),
            (
                "METADATA_RESOURCE_ID_KEY", AccessEnabler.METADATA_RESOURCE_ID_KEY, enabler.METADATA_RESOURCE_ID_KEY,
                METADATA_RESOURCE_ID_KEY
            ),
            (
                "METADATA_USER_META_KEY", AccessEnabler.METADATA_USER_META_KEY, enabler.METADATA_USER_META_KEY,
                METADATA_USER_META_KEY
            ),
            ("OPTION_PROFILE", AccessEnabler.OPTION_PROFILE, enabler.OPTION_PROFILE, OPTION_PROFILE),
            ("OPTION_VISITOR_ID", AccessEnabler.OPTION_VISITOR_ID, enabler.OPTION_VISITOR_ID, OPTION_VISITOR_ID),
            ("OPTION_HANDLE_SVC", AccessEnabler.OPTION_HANDLE_SVC, enabler.OPTION_HANDLE_SVC, OPTION_HANDLE_SVC),
            ("OPTION_DEVICE_INFO", AccessEnabler.OPTION_DEVICE_INFO, enabler.OPTION_DEVICE_INFO, OPTION_DEVICE_INFO),
            ("TV_PROVIDERS", AccessEnabler.TV_PROVIDERS, enabler.TV_PROVIDERS, TV_PROVIDERS),
            (
                "FEATURED_TV_PROVIDERS", AccessEnabler.FEATURED_TV_PROVIDERS, enabler.FEATURED_TV_PROVIDERS,
                FEATURED_TV_PROVIDERS
            ),
        ]
        for row in rows { #expect([row.ofClass, row.ofInstance] == [row.constant, row.constant], "\(row.name)") }
    }
}
