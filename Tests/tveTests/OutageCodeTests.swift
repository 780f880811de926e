import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import Testing

@testable import tve

/// The errors after which a command cannot know the answer, and exits with 2 in place of 1.
struct OutageCodeTests {
    private static func refusal(_ status: Int?, _ code: String, action: String = "none") -> ServiceError {
        .refused(EnhancedError(status: status, code: code, action: action))
    }

    /// The client reports the challenge of another server as a status without an explanation.
    @Test(arguments: [
        ServiceError.status(401), .status(403), .status(407), .status(500), .registrationCodeRefused(status: 401),
        refusal(500, "x"), refusal(429, "x"), refusal(400, "internal_server_error"),
    ])
    func anOutage_isNoAnswer(error: ServiceError) {
        #expect(TVEError(.applicationNotRegistered, underlying: error).isWithoutAnswer)
    }

    /// A mistake in a configuration lasts until somebody corrects it, whatever its status is.
    @Test(arguments: [
        ServiceError.transport(.timedOut), .webPage(status: 200, type: "text/html"), .unreadable(.empty),
        .unreadableJSON, .loginNotProven, .cannotKeepRegistration(reason: "r"),
        .denied(AuthorizationDenial(code: "c", reason: .network)),
    ])
    func aLackOfEvidence_isNoAnswer(error: ServiceError) {
        #expect(TVEError(.notAuthorized, underlying: error).isWithoutAnswer)
        // The error of a call may have that of another call as its cause.
        #expect(TVEError(.notAuthorized, underlying: TVEError(.unknownRequestor, underlying: error)).isWithoutAnswer)
    }

    @Test(arguments: [
        ServiceError.denied(AuthorizationDenial(code: "c", reason: .provider)),
        .denied(AuthorizationDenial(code: "c", reason: .degradation)), .notLoggedIn, .pendingLogout(PendingLogout()),
        .unusableStatement(reason: "r"), .registrationRefused("r"), .loginParametersMissing([]),
        .viewerIdentityMissing(EnhancedError()),
    ])
    func aWordOfTheServiceOrAMistake_isAnAnswer(error: ServiceError) {
        #expect(!TVEError(.serviceFailed, underlying: error).isWithoutAnswer)
    }

    /// Without a cause, the code of the error decides.
    @Test(
        arguments: [
            (.serviceUnreachable, true), (.connectionNotTrusted, true), (.serviceFailed, true), (.throttled, true),
            (.storageFailed, true), (.tooManyResources, true), (.notAuthorized, false), (.notAuthenticated, false),
            (.unknownRequestor, false), (.applicationNotRegistered, false), (.temporaryAccessExpired, false),
        ] as [(TVEError.Code, Bool)])
    func aCodeMayMeanNoAnswer(code: TVEError.Code, isWithoutAnswer: Bool) {
        #expect(TVEError(code).isWithoutAnswer == isWithoutAnswer)
    }

    @Test(
        arguments: [
            (302, nil), (400, nil), (403, nil), (407, "is behind a proxy that requires a login"), (428, nil),
            (429, "throttles this machine"), (451, "refuses the request"), (499, nil), (500, "is not available"),
            (511, "is behind a network that requires a login"), (599, "is not available"), (600, nil),
        ] as [(Int, String?)])
    func anAnswerIsStrange_byItsStatus(status: Int, finding: String?) throws {
        let base = try #require(URL(string: "https://sp.example.com"))
        let answer = StrangeAnswer(HTTPResponse(status: .init(code: status)), Data(), to: base)
        #expect(answer?.finding == finding.map { "\($0) (HTTP \(status))" })
    }

    @Test(.timeLimit(.hanging)) func anOutageLasts_untilItsOwnRequestIsAnswered() async throws {
        let outages = ServiceOutages()
        let next = ScriptedTransport()
        let transport = outages.watched(next)
        func send(_ path: String, _ status: Int) async throws {
            next.setScript { _, _ in .response(status: status, body: "{}") }
            let request = HTTPRequest(method: .get, scheme: "https", authority: "h", path: path)
            _ = try await transport.send(request, body: nil)
        }
        let first = "https://h is not available (HTTP 503)."
        let second = "https://h throttles this machine (HTTP 429)."
        for (path, status, current, latest) in [
            ("/a", 200, nil, nil), ("/a?x=1", 503, first, first), ("/b", 429, second, second),
            ("/b?y=2", 200, first, second), ("/c", 404, first, second), ("/a", 200, nil, second),
        ] as [(String, Int, String?, String?)] {
            try await send(path, status)
            #expect(outages.current == current && outages.latest == latest, "\(path) \(status)")
        }
    }

    @Test(arguments: [
        ServiceError.status(400), .status(410), .accessTokenRefused("unauthorized"), refusal(400, "x"),
        refusal(nil, "x"), refusal(500, "invalid_configuration_service_provider"),
        refusal(500, "x", action: "configuration"), refusal(503, "x", action: "application-registration"),
    ])
    func aRefusal_isAnAnswer(error: ServiceError) {
        #expect(!TVEError(.unknownRequestor, underlying: error).isWithoutAnswer)
    }
}
