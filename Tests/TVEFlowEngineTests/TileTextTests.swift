import Foundation
import TVEFlowEngine
import TVEModels
import TVETestTraits
import Testing

/// Tests of the text on a tile that cannot be played.
struct TileTextTests {
    struct Row: Sendable {
        let error: EnhancedError?
        let text: String
        let code: TVEError.Code
        var suggestion: String?
    }

    private static func coded(_ code: String, details: String? = nil, action: String? = nil) -> EnhancedError {
        EnhancedError(
            status: 403, code: code, message: "The MVPD denies the resource.", details: details, action: action)
    }

    private static let rows = [
        Row(
            error: coded("authorization_denied_by_mvpd", details: "Upgrade to Plus."), text: "Upgrade to Plus.",
            code: .notAuthorized),
        Row(
            error: coded("authorization_denied_by_mvpd"),
            text: "Your TV provider does not allow you to watch this.", code: .notAuthorized),
        Row(
            error: coded("authorization_denied_by_mvpd", details: "<b>No</b>"),
            text: "Your TV provider does not allow you to watch this.", code: .notAuthorized),
        Row(
            error: coded("authorization_denied_by_mvpd", details: " \n"),
            text: "Your TV provider does not allow you to watch this.", code: .notAuthorized),
        Row(error: nil, text: "Your TV provider does not allow you to watch this.", code: .notAuthorized),
        Row(
            error: coded("network_received_error", action: "retry"),
            text: "Your TV provider cannot be reached at the moment.", code: .notAuthorized,
            suggestion: "Try again later."),
        Row(
            error: coded("authorization_denied_by_degradation_rule"),
            text: "Your TV provider is having technical problems at the moment.", code: .notAuthorized),
        Row(
            error: coded("temporary_access_duration_limit_exceeded"), text: "Your temporary access has ended.",
            code: .notAuthorized, suggestion: "Choose your TV provider."),
        Row(
            error: coded("temporary_access_resources_limit_exceeded", action: "authentication"),
            text: "You have used up this offer.", code: .notAuthorized, suggestion: "Choose your TV provider."),
        Row(
            error: coded("authorization_denied_by_parental_controls"), text: "Parental controls do not allow this.",
            code: .notAuthorized),
        Row(
            error: coded("authenticated_profile_expired"), text: "You are not logged in with a TV provider.",
            code: .notAuthenticated, suggestion: "Log in with your TV provider."),
        Row(
            error: coded("internal_server_error", action: "retry"),
            text: "The TV provider service is not working at the moment.", code: .serviceFailed,
            suggestion: "Try again later."),
        Row(
            error: coded("of a later version"), text: "Your TV provider does not allow you to watch this.",
            code: .notAuthorized),
    ]

    @Test(.row("PR13"), arguments: rows)
    func isTheProvidersWords_orASentence_andNeverTheDevelopers(row: Row) throws {
        let decision = PreauthorizationDecision(resource: "R", isAuthorized: false, error: row.error)
        let denial = try #require(decision.denial)
        #expect(denial.localizedDescription == row.text && denial.code == row.code)
        #expect(denial.recoverySuggestion == row.suggestion)
    }

    @Test(.row("PR11")) func saysThatNobodyDecided_andNothingAboutAPermit() {
        var left = PreauthorizationDecision(resource: "R", isAuthorized: false)
        left.isDecided = false
        #expect(left.denial?.localizedDescription == "It was not possible to check whether you can watch this.")
        #expect(left.denial?.recovery == .retry)
        // The reason why nobody decided is kept.
        left.error = EnhancedError(status: 403, code: "something_new", action: "application-registration")
        #expect(left.denial?.recovery == .fixConfiguration)
        let odd = EnhancedError(code: "authorization_denied_by_mvpd")
        #expect(PreauthorizationDecision(resource: "R", isAuthorized: true, error: odd).denial == nil)
    }

    /// The cause is the registration of the app, about which no TV provider decides, and it is no outage either.
    @Test(arguments: [403, 503])
    func aRefusalOfTheApplication_isNoDenial(status: Int) {
        let error = EnhancedError(status: status, code: "something_new", action: "application-registration")
        let denial = PreauthorizationDecision(resource: "R", isAuthorized: false, error: error).denial
        #expect(denial?.code == .authorizationFailed && denial?.recovery == .fixConfiguration)
    }

    @Test(.row("PR11")) func saysThatNobodyDecided_alsoAfterAnAppStoredIt() throws {
        var left = PreauthorizationDecision(resource: "R", isAuthorized: false)
        left.isDecided = false
        let again = try JSONDecoder().decode(PreauthorizationDecision.self, from: JSONEncoder().encode(left))
        #expect(again == left && again.denial?.code == .authorizationFailed)
        // A decision is stored as before, and one from before was made by the service.
        let denied = PreauthorizationDecision(resource: "R", isAuthorized: false, error: EnhancedError(status: 403))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let stored = Data("{\"error\":{\"status\":403},\"isAuthorized\":false,\"resource\":\"R\"}".utf8)
        #expect(try encoder.encode(denied) == stored)
        #expect(try JSONDecoder().decode(PreauthorizationDecision.self, from: stored) == denied)
        // What cannot be read is no decision.
        let damaged = Data("{\"isAuthorized\":false,\"isDecided\":\"?\",\"resource\":\"R\"}".utf8)
        #expect(try JSONDecoder().decode(PreauthorizationDecision.self, from: damaged).isDecided == false)
    }
}
