import TVEModels
import Testing

struct TVEErrorTests {
    @Test(arguments: [
        (TVEError.Code.applicationNotRegistered, TVEError.Recovery.fixConfiguration),
        (.accessTokenUnavailable, .fixConfiguration), (.unknownRequestor, .fixConfiguration),
        (.requestorNotConfigured, .fixConfiguration), (.serviceUnreachable, .retry),
        (.connectionNotTrusted, .fixConfiguration), (.serviceFailed, .retry), (.clientTooOld, .updateApplication),
        (.throttled, .retry), (.providerNotSelected, .chooseProvider), (.unknownProvider, .chooseProvider),
        (.authenticationFailed, .signInAgain), (.deviceMismatch, .signInAgain), (.notAuthenticated, .signInAgain),
        (.notAuthorized, TVEError.Recovery.none), (.invalidResource, .fixConfiguration),
        (.authorizationFailed, .retry), (.storageFailed, .checkStorage),
        (TVEError.Code(rawValue: "of a later version"), TVEError.Recovery.none),
    ])
    func saysWhatToDo(code: TVEError.Code, recovery: TVEError.Recovery) {
        #expect(TVEError(code).recovery == recovery)
    }

    @Test func equalsByCodeAlone() {
        #expect(TVEError(.notAuthorized, status: .denied, message: "no") == TVEError(.notAuthorized))
        #expect(TVEError(.notAuthorized) != TVEError(.notAuthenticated))
    }

    @Test func describesItselfInOneLine() {
        let error = TVEError(.serviceUnreachable, status: .serviceNotFound, message: "No answer.")
        #expect(error.description == "serviceUnreachable [CFG404] No answer.")
        #expect("\(error.code)" == "serviceUnreachable")
    }

    @Test(arguments: [
        (StatusCode.notAuthenticated, StatusCode.Level.info), (.providerSelectionCancelled, .info),
        (.clockSkew, .warning), (.deviceMismatch, .warning), (.denied, .error), (.serviceNotFound, .error),
    ])
    func hasTheDocumentedLevel(code: StatusCode, level: StatusCode.Level) {
        #expect(code.level == level)
    }

    @Test(arguments: [(500, "CFG500"), (503, "CFG503"), (599, "CFG599"), (418, "CFG500"), (-1, "CFG500")])
    func namesTheServersStatus_whenItIsA5xx(status: Int, code: String) {
        #expect(StatusCode.serviceFailedAtStart(status).rawValue == code)
    }
}
