import Foundation
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// Lists of decisions without the decision that was requested, and spellings of its members.
@Suite(.timeLimit(.hanging))
struct DecisionListTests {
    private func preauthorize(_ body: String, _ resource: Resource = "R") async throws -> [PreauthorizationDecision] {
        let desk = try StrictDesk([(RESTv2Call.preauthorization.request, .response(status: 200, body: body))])
        return try await desk.service.preauthorization(
            of: [resource], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
    }

    /// A service that decides about fewer resources at once answers with an empty list alone.
    @Test(
        .row("B8.1"),
        arguments: [
            "{}", "null", "7", "[]", #"{"resource":"R"}"#, #"{"resource":"R","authorized":null}"#,
            #"{"resource":"R","error":{"message":"No"}}"#, #"{"resource":null,"authorized":true}"#,
            #"{"resource":["R"],"authorized":true}"#, #"{"resource":"","authorized":true}"#,
            #"{"authorized":true}"#, #"{"resource":"OTHER","authorized":true}"#,
            #"{"resource":"OTHER","authorized":true},{"resource":"R"}"#,
        ])
    func aList_thatDecidesNothing_isNoAnswer(entries: String) async throws {
        await #expect(throws: ServiceError.unreadableJSON) {
            try await preauthorize("{\"decisions\":[\(entries)]}")
        }
        #expect(try await preauthorize(#"{"decisions":[]}"#).isEmpty)
    }

    /// A service that has failed did not decide.
    @Test(.row("B8.1"), arguments: [("internal_server_error", "none"), ("too_many_resources", "configuration")])
    func anEmptyList_besideAnError_isTheError(code: String, action: String) async throws {
        let error = EnhancedError(status: 500, code: code, action: action)
        await #expect(throws: ServiceError.refused(error)) {
            try await preauthorize(
                "{\"decisions\":[],\"status\":500,\"code\":\"\(code)\",\"action\":\"\(action)\"}")
        }
        let ended = await #expect(throws: ServiceError.self) {
            try await preauthorize(
                #"{"decisions":[],"status":403,"code":"authenticated_profile_missing","action":"authentication"}"#)
        }
        #expect(ended?.endOfLogin?.reason == "authenticated_profile_missing")
    }

    /// The decisions of a later request are unreadable, so only those of the first one are known.
    @Test func aLaterList_thatDecidesNothing_takesNoDecisionBack() async throws {
        let request = RESTv2Call.preauthorization.request
        let first = (0..<5).map { #"{"resource":"R\#($0)","authorized":true}"# }.joined(separator: ",")
        let desk = try StrictDesk([
            (request, .response(status: 200, body: "{\"decisions\":[\(first)]}")),
            (request, .response(status: 200, body: #"{"decisions":[{"resource":"R5"}]}"#)),
        ])
        let decisions = try await desk.service.preauthorization(
            of: (0..<6).map { Resource("R\($0)") }, requestorID: "DEMO", usesServiceCache: true,
            try StrictDesk.login.get())
        #expect(decisions.map(\.resource) == (0..<5).map { Resource("R\($0)") } && desk.transport.left == [])
    }

    @Test func aResourceOfDigits_mayBeNamedByANumber() async throws {
        #expect(
            try await preauthorize(#"{"decisions":[{"resource":123,"authorized":true}]}"#, "123").map(\.isAuthorized)
                == [true])
    }

    /// White space around a word is no part of it.
    @Test(arguments: [("degradation", true), (" degradation\\n", true), ("mvpd", false)])
    func aPermission_ofADegradedProvider_isToldBySource(source: String, isOfDegradation: Bool) async throws {
        let entry =
            "{\"resource\":\"R\",\"authorized\":true,\"source\":\"\(source)\","
            + "\"token\":{\"serializedToken\":\"x\"}}"
        let desk = try StrictDesk([
            (RESTv2Call.authorization.request, .response(status: 200, body: "{\"decisions\":[\(entry)]}"))
        ])
        let answer = try await desk.service.authorization(
            for: "R", requestorID: "DEMO", data: [:], try StrictDesk.login.get())
        #expect(answer.token.claims.authorizesAll == isOfDegradation)
    }
}
