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

    /// A permit and a denial of one resource are no decision, whichever comes first.
    @Test(
        .row("B8.1"),
        arguments: [
            (#"{"resource":"R","authorized":true},{"resource":"R","authorized":false}"#, nil),
            (#"{"resource":"R","authorized":false},{"resource":"R","authorized":true}"#, nil),
            (#"{"resource":"r ","authorized":true},{"resource":" R","authorized":false}"#, nil),
            (#"{"resource":"R","error":{"code":"denied"}},{"resource":"R","authorized":true}"#, nil),
            (#"{"resource":"R","authorized":true},{"resource":"R","authorized":true}"#, true),
            (#"{"resource":"R","authorized":false},{"resource":"R","authorized":false}"#, false),
            // Another spelling does not contradict the exact one.
            (#"{"resource":"r","authorized":true},{"resource":"R","authorized":false}"#, false),
            (#"{"resource":"R","authorized":true},{"resource":"R","authorized":null}"#, true),
        ] as [(String, Bool?)])
    func contradictoryDecisions_areNone(entries: String, decision: Bool?) async throws {
        let body = "{\"decisions\":[\(entries),{\"resource\":\"S\",\"authorized\":true}]}"
        let desk = try StrictDesk([(RESTv2Call.preauthorization.request, .response(status: 200, body: body))])
        let decided = try await desk.service.preauthorization(
            of: ["R", "S"], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.first { $0.resource == "R" }?.isAuthorized == decision)
        #expect(decided.first { $0.resource == "S" }?.isAuthorized == true)
    }

    /// A service without a login permits nothing, so even a permit that is no decision shows that there is one.
    @Test(.row("CL20"), arguments: ["authenticated_profile_missing", "step_up_needed"])
    func aContradictedPermit_showsALogin(code: String) async throws {
        let denial = #""authorized":false,"error":{"status":403,"code":"\#(code)","action":"authentication"}"#
        let entries = [#""authorized":true"#, denial].map { "{\"resource\":\"R\",\($0)}" }
        let body = "{\"decisions\":[\(entries.joined(separator: ",")),{\"resource\":\"S\",\(denial)}]}"
        let desk = try StrictDesk([(RESTv2Call.preauthorization.request, .response(status: 200, body: body))])
        let decided = try await desk.service.preauthorization(
            of: ["R", "S"], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.map(\.resource) == ["S"] && !decided.contains(where: \.isAuthorized))
    }

    /// A play needs a decision.
    @Test(.row("B8.1"), arguments: [true, false])
    func contradictoryDecisions_allowNoPlay(isPermitFirst: Bool) async throws {
        let entries = [isPermitFirst, !isPermitFirst].map {
            #"{"resource":"R","authorized":\#($0),"token":{"serializedToken":"t"},"error":{"code":"denied"}}"#
        }
        let body = "{\"decisions\":[\(entries.joined(separator: ","))]}"
        let desk = try StrictDesk([(RESTv2Call.authorization.request, .response(status: 200, body: body))])
        await #expect(throws: ServiceError.unreadableJSON) {
            try await desk.service.authorization(
                for: "R", requestorID: "DEMO", data: [:], try StrictDesk.login.get())
        }
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

    private static func error(_ code: String) -> ScriptedTransport.Answer {
        .response(
            status: 403, body: #"{"status":403,"code":"\#(code)","message":"m","action":"authentication"}"#)
    }

    private static func permit(_ resource: String, _ more: String = "") -> ScriptedTransport.Answer {
        .response(
            status: 200, body: #"{"decisions":[{"resource":"\#(resource)","authorized":true}\#(more)]}"#)
    }

    /// The documents have two places for an error, and the service permits a resource of another request.
    @Test(
        .row("CL18"),
        arguments: [
            ("step_up_needed", false), ("authorization_denied_by_hba_policies", false),
            ("authorization_denied_by_hba_policies", true), ("authenticated_profile_expired", true),
        ])
    func anErrorInPlaceOfAList_endsNoLogin_thatPermitsElsewhere(code: String, isLast: Bool) async throws {
        let six = (0..<6).map { Resource("R\($0)") }
        let request = RESTv2Call.preauthorization.request
        let desk = try StrictDesk([
            (request, isLast ? Self.permit("R0") : Self.error(code)),
            (request, isLast ? Self.error(code) : Self.permit("R5")),
        ])
        let decided = try await desk.service.preauthorization(
            of: six, requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.filter(\.isAuthorized).map(\.resource) == [isLast ? "R0" : "R5"])
        #expect(decided.filter { $0.error?.code == code }.map(\.resource) == (isLast ? ["R5"] : Array(six.prefix(5))))
        #expect(desk.transport.left == [])
    }

    /// No request permits anything.
    ///
    /// A service that has no login at all is asked no further.
    @Test(.row("CL18"), arguments: [("step_up_needed", 2), ("authenticated_profile_missing", 1)])
    func anErrorInPlaceOfEachList_endsTheLogin(code: String, requests: Int) async throws {
        let request = RESTv2Call.preauthorization.request
        let desk = try StrictDesk(Array(repeating: (request, Self.error(code)), count: requests))
        let error = await #expect(throws: ServiceError.self) {
            try await desk.service.preauthorization(
                of: (0..<6).map { Resource("R\($0)") }, requestorID: "DEMO", usesServiceCache: true,
                try StrictDesk.login.get())
        }
        #expect(error?.endOfLogin?.reason == code && desk.transport.left == [])
    }

    /// The service permits one channel, asks for a retry for the other one, and refuses that.
    @Test(.row("CL14", "CL18")) func anErrorOfARepetition_takesNoPermitBack() async throws {
        let retry = #",{"resource":"B","authorized":false,"error":{"code":"e","action":"retry"}}"#
        let request = RESTv2Call.preauthorization.request
        let desk = try StrictDesk([
            (request, Self.permit("A", retry)), (request, Self.error("authorization_denied_by_hba_policies")),
        ])
        let decided = try await desk.service.preauthorization(
            of: ["A", "B"], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.map(\.isAuthorized) == [true, false] && desk.transport.left == [])
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

    /// The answer to one request says nothing about the resources of another.
    @Test(arguments: [0, 1, 2], ["{\"decisions\":[{\"resource\":\"R\"}]}", "{\"decisions\":[", ""])
    func anUnreadableAnswer_hidesOnlyItsOwnResources(position: Int, bad: String) async throws {
        let request = RESTv2Call.preauthorization.request
        let resources = (0..<15).map { Resource("R\($0)") }
        let batches = [0..<5, 5..<10, 10..<15].map { Array(resources[$0]) }
        let desk = try StrictDesk(
            batches.enumerated().map { index, batch in
                (request, .response(status: 200, body: index == position ? bad : Self.permissions(batch)))
            })
        let decisions = try await desk.service.preauthorization(
            of: resources, requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        let expected = batches.enumerated().filter { $0.offset != position }.flatMap(\.element)
        #expect(decisions.map(\.resource) == expected && desk.transport.left == [])
    }

    /// After the refusal of one resource, each resource is requested by itself.
    @Test func anUnreadableAnswer_aboutOneResource_hidesNoOther() async throws {
        let request = RESTv2Call.preauthorization.request
        let refusal = #"{"status":400,"code":"invalid_parameter_resources","action":"none"}"#
        let desk = try StrictDesk([
            (request, .response(status: 400, body: refusal)),
            (request, .response(status: 200, body: #"{"decisions":[{"resource":"R0"}]}"#)),
            (request, .response(status: 200, body: Self.permissions(["R1"]))),
            (request, .response(status: 400, body: refusal)),
        ])
        let decisions = try await desk.service.preauthorization(
            of: ["R0", "R1", "R2"], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decisions.map(\.resource) == ["R1", "R2"] && decisions.map(\.isAuthorized) == [true, false])
        #expect(desk.transport.left == [])
    }

    /// An unreadable answer does not hide that the login has ended, and without any decision it is the result.
    @Test func anUnreadableAnswer_isTheResult_onlyWithoutDecisions() async throws {
        let request = RESTv2Call.preauthorization.request
        let unreadable = ScriptedTransport.Answer.response(status: 200, body: #"{"decisions":[{"resource":"R"}]}"#)
        let resources = (0..<6).map { Resource("R\($0)") }
        let desk = try StrictDesk([(request, unreadable), (request, unreadable)])
        await #expect(throws: ServiceError.unreadableJSON) {
            try await desk.service.preauthorization(
                of: resources, requestorID: "DEMO", usesServiceCache: true, StrictDesk.login.get())
        }
        #expect(desk.transport.left == [])
        let error = #"{"status":403,"code":"authorization_denied_by_session_invalidated","action":"authentication"}"#
        let denial = "{\"decisions\":[{\"resource\":\"R5\",\"authorized\":false,\"error\":\(error)}]}"
        let other = try StrictDesk([(request, unreadable), (request, .response(status: 200, body: denial))])
        // The answer that cannot be read may have permitted a resource, so the denial does not end the login.
        let decided = try await other.service.preauthorization(
            of: resources, requestorID: "DEMO", usesServiceCache: true, StrictDesk.login.get())
        #expect(decided.map(\.isAuthorized) == [false])
    }

    /// Returns an answer that permits resources.
    private static func permissions(_ resources: [Resource]) -> String {
        let entries = resources.map { "{\"resource\":\"\($0.text)\",\"authorized\":true}" }
        return "{\"decisions\":[\(entries.joined(separator: ","))]}"
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
