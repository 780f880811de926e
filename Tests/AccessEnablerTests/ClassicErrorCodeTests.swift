import TVEModels
import TVETestTraits

@testable import AccessEnabler

/// The classic code of every error, in each of the two callbacks.
struct ClassicErrorCodeTests {
    private static let rows: [(TVEError.Code, String, String)] = [
        (.applicationNotRegistered, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.redirectNotRegistered, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.accessTokenUnavailable, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.unknownRequestor, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.requestorNotConfigured, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.serviceUnreachable, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.connectionNotTrusted, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.serviceFailed, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.clientTooOld, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.throttled, GENERIC_AUTHENTICATION_ERROR, USER_NOT_AUTHORIZED_ERROR),
        (.providerNotSelected, PROVIDER_NOT_SELECTED_ERROR, USER_NOT_AUTHENTICATED_ERROR),
        (.unknownProvider, GENERIC_AUTHENTICATION_ERROR, USER_NOT_AUTHENTICATED_ERROR),
        (.authenticationFailed, GENERIC_AUTHENTICATION_ERROR, USER_NOT_AUTHENTICATED_ERROR),
        (.deviceMismatch, GENERIC_AUTHENTICATION_ERROR, USER_NOT_AUTHENTICATED_ERROR),
        (.notAuthenticated, USER_NOT_AUTHENTICATED_ERROR, USER_NOT_AUTHENTICATED_ERROR),
        (.notAuthorized, GENERIC_AUTHENTICATION_ERROR, USER_NOT_AUTHORIZED_ERROR),
        (.invalidResource, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.authorizationFailed, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.viewerIdentityMissing, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.temporaryAccessExpired, USER_NOT_AUTHENTICATED_ERROR, USER_NOT_AUTHORIZED_ERROR),
        (.tooManyResources, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.preauthorizationFailed, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.householdNotOffered, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.linkCodeInvalid, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.notInHousehold, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (.storageFailed, GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
        (TVEError.Code(rawValue: "later"), GENERIC_AUTHENTICATION_ERROR, GENERIC_AUTHORIZATION_ERROR),
    ]

    @Test(arguments: rows)
    func eachError_hasTheCodeOfItsCallback(code: TVEError.Code, authentication: String, authorization: String) {
        #expect(ClassicErrorCode.authentication(TVEError(code)) == authentication)
        #expect(ClassicErrorCode.authorization(code) == authorization)
    }
}
