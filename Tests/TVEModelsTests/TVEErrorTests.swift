import Foundation
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
        (.authorizationFailed, .retry), (.storageFailed, .checkStorage), (.preauthorizationFailed, .retry),
        (.temporaryAccessExpired, .chooseProvider), (.tooManyResources, .fixConfiguration),
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

    /// Every code of the specification has the level that its row says.
    @Test func everyCode_hasTheDocumentedLevel() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Documentation/Specification/StatusCodes.md"), encoding: .utf8)
        var count = 0
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let level = StatusCode.Level(rawValue: cells[1]) else { continue }
            for code in cells[0].split(separator: ",") {
                let name = code.filter { $0.isLetter || $0.isNumber }.replacingOccurrences(of: "CFG5xx", with: "CFG503")
                #expect(StatusCode(rawValue: name).level == level, "\(name)")
                count += 1
            }
        }
        #expect(count >= 35)
    }

    @Test(arguments: [(500, "CFG500"), (503, "CFG503"), (599, "CFG599"), (418, "CFG500"), (-1, "CFG500")])
    func namesTheServersStatus_whenItIsA5xx(status: Int, code: String) {
        #expect(StatusCode.serviceFailedAtStart(status).rawValue == code)
    }
}
