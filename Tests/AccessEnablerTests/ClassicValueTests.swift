import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestTraits
import Testing

@testable import AccessEnabler

/// Values of the app in the form of the session, and errors of the session in the words of the documented calls.
struct ClassicValueTests {
    @Test func anOptionThatTheAppRemoves_isThatOfItsEnvironment() {
        var given = ClientOptions(applicationProfile: "gp", visitorID: "gv", deviceInfo: "gd", serviceToken: "gs")
        given.further = ["brand": "given", "level": "7"]
        var options = Options()
        #expect(options.client(over: given) == given)
        options.merge([
            OPTION_PROFILE: "p", OPTION_VISITOR_ID: "v", OPTION_DEVICE_INFO: "d", "brand": "own", 7: "no name",
        ])
        var own = ClientOptions(applicationProfile: "p", visitorID: "v", deviceInfo: "d", serviceToken: "gs")
        own.further = ["brand": "own", "level": "7"]
        #expect(options.client(over: given) == own)
        // An option that the next call does not name stays.
        options.merge(["level": "8"])
        own.further["level"] = "8"
        #expect(options.client(over: given) == own)
        options.merge([
            OPTION_PROFILE: 7, OPTION_VISITOR_ID: NSNull(), OPTION_DEVICE_INFO: ["d"], "brand": NSNull(),
            "level": Data(),
        ])
        #expect(options.client(over: given) == given)
    }

    /// A value for a query is a text as it is, and otherwise the JSON of the value.
    @Test func anOption_isWrittenAsText() {
        #expect(GenericData.text("a/b \"c\"") == "a/b \"c\"")
        #expect(GenericData.text(7.5) == "7.5" && GenericData.text(false) == "false")
        #expect(GenericData.text(["b": 1, "a": ["x/y", true]] as [String: Any]) == #"{"a":["x/y",true],"b":1}"#)
        #expect(GenericData.text(Double.nan) == nil && GenericData.text(Float.infinity) == nil)
        #expect(GenericData.text(NSNull()) == nil && GenericData.text(Data()) == nil)
    }

    @Test func eachFeatureOfAPreauthorization_isDisabledByItself() {
        let builder = PreauthorizeRequest.Builder().setResources(resources: ["A", "B"])
        #expect(builder.build().caches == .all && builder.build().resources == ["A", "B"])
        #expect(builder.disableFeatures(features: [.LOCAL_CACHE]).build().caches == .service)
        #expect(builder.disableFeatures(features: [.REMOTE_CACHE]).build().caches == .local)
        #expect(builder.disableFeatures(features: [.LOCAL_CACHE, .REMOTE_CACHE]).build().caches == [])
        #expect(builder.disableFeatures(features: []).build().caches == .all)
    }

    /// Errors of this library, which have the status 0, and those in which the service has answered.
    @Test(
        arguments: [
            (TVEError(.requestorNotConfigured), "requestor_not_configured", "retry", 0),
            (
                TVEError(.notAuthenticated, underlying: LoginProblem.missing), "authentication_session_missing",
                "authentication", 0
            ),
            (TVEError(.notAuthenticated), "authentication_session_expired", "authentication", 0),
            (TVEError(.temporaryAccessExpired), "authentication_session_expired", "authentication", 0),
            (TVEError(.deviceMismatch), "authentication_session_expired", "authentication", 0),
            (TVEError(.accessTokenUnavailable), "access_token_unavailable", "none", 0),
            (TVEError(.applicationNotRegistered), "access_token_unavailable", "none", 0),
            (TVEError(.tooManyResources), "too_many_resources", "none", 400),
            (TVEError(.throttled), "too_many_requests", "retry-after", 429),
            (
                TVEError(.serviceFailed, underlying: ServiceError.status(503)), "internal_server_error", "retry", 503
            ),
            (TVEError(.serviceUnreachable), "network_error", "none", 0),
            (TVEError(.connectionNotTrusted), "network_error", "none", 0),
            (TVEError(.preauthorizationFailed), "server_response_format_unknown", "retry", 0),
            (
                TVEError(.preauthorizationFailed, underlying: ServiceError.loginNotProven),
                "server_response_format_unknown", "retry", 0
            ),
            (
                TVEError(.preauthorizationFailed, underlying: ServiceError.unreadableJSON),
                "server_response_format_unknown", "none", 0
            ),
        ] as [(TVEError, String, String, Int)])
    func anErrorOfAPreauthorization_hasTheDocumentedWords(error: TVEError, code: String, action: String, status: Int) {
        let answer = PreauthorizeResponse(error)
        let found = answer.getStatus()
        #expect(found?.getCode() == code && found?.getAction() == action && found?.getStatus() == status)
        #expect(answer.isFromService == (status != 0) && answer.getDecisions().isEmpty)
    }

    /// Several errors have the same documented code, and the viewer reads about the one that has occurred.
    @Test(
        arguments: [
            (TVEError(.temporaryAccessExpired), "Your temporary access has ended."),
            (TVEError(.deviceMismatch), "You are no longer logged in on this device."),
            (TVEError(.connectionNotTrusted), "The connection to the TV provider service is not secure."),
            (
                TVEError(
                    .preauthorizationFailed, providerMessage: "Call us.",
                    underlying: ServiceError.denied(AuthorizationDenial(code: "notAuthorized", details: "Call us."))),
                "Call us."
            ),
        ])
    func anErrorOfAPreauthorization_hasItsOwnTextForTheViewer(error: TVEError, text: String) {
        #expect(PreauthorizeResponse(error).getStatus()?.getViewerMessage() == text)
    }

    /// The code of the error alone would not say why the service has refused or denied the whole request.
    @Test(
        arguments: [
            (.denied(AuthorizationDenial(code: "notAuthorized")), "Your TV provider does not allow you to watch this."),
            (explained("preauthorization_denied_by_mvpd"), "Your TV provider does not allow you to watch this."),
            (explained("authorization_denied_by_parental_controls"), "Parental controls do not allow this."),
            (explained("maximum_execution_time_exceeded"), "Your TV provider cannot be reached at the moment."),
            (
                explained("authorization_denied_by_degradation_rule"),
                "Your TV provider is having technical problems at the moment."
            ),
            (explained("temporary_access_duration_limit_exceeded"), "Your temporary access has ended."),
            (explained("preauthorization_denied_by_mvpd", details: "Call us."), "Call us."),
            (explained("too_many_requests", status: 429), "There were too many requests from this device."),
            (explained("internal_server_error", status: 500), "The TV provider service is not working at the moment."),
            (explained("new"), "It was not possible to check what you can watch."),
        ] as [(ServiceError, String)])
    func aRefusalOfAPreauthorization_hasTheTextOfItsReason(cause: ServiceError, text: String) {
        let isFailure = cause.explanation?.isFailureOfService == true
        let error = TVEError(
            isFailure ? .serviceFailed : .preauthorizationFailed, providerMessage: cause.explanation?.details,
            underlying: cause)
        #expect(PreauthorizeResponse(error).getStatus()?.getViewerMessage() == text)
    }

    private static func explained(_ code: String, status: Int = 403, details: String? = nil) -> ServiceError {
        ServiceError(EnhancedError(status: status, code: code, details: details, action: "none"))
    }
}
