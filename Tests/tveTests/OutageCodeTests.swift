import TVEModels
import TVENetworking
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
        ServiceError.status(400), .status(410), .accessTokenRefused("unauthorized"), refusal(400, "x"),
        refusal(nil, "x"), refusal(500, "invalid_configuration_service_provider"),
        refusal(500, "x", action: "configuration"), refusal(503, "x", action: "application-registration"),
    ])
    func aRefusal_isAnAnswer(error: ServiceError) {
        #expect(!TVEError(.unknownRequestor, underlying: error).isWithoutAnswer)
    }
}
