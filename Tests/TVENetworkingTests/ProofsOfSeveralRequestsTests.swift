import Foundation
import TVEModels
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVENetworking

/// Preauthorizations that need two requests, with a login that the service finds by a proof.
@Suite(.row("CL20"), .timeLimit(.hanging))
struct ProofsOfSeveralRequestsTests {
    private static let resources = (0..<6).map { Resource("R\($0)") }

    private static func login(_ type: String, until end: Int64) throws -> AuthenticationToken {
        try StoredProfile.token(
            TokenText(
                #"{"serviceProvider":"DEMO","mvpd":"A","type":"\#(type)","notAfter":\#(end),"fingerprint":"fp"}"#))
    }

    /// A service token that ends at a time in seconds since 1970.
    private static func token(_ number: Int, until end: Int) -> String {
        "e30.\(Data(#"{"jti":"\#(number)","exp":\#(end)}"#.utf8).base64URL).c2ln"
    }

    private static func refusal(_ code: String, action: String) -> ScriptedTransport.Answer {
        .response(status: 403, body: #"{"status":403,"code":"\#(code)","message":"m","action":"\#(action)"}"#)
    }

    private static let permit = ScriptedTransport.Answer.response(
        status: 200, body: #"{"decisions":[{"resource":"R0","authorized":true}]}"#)

    /// Each request gets an error that this version does not know, which may mean that the proof is outdated.
    ///
    /// A renewed proof that has ended already is no better than the first one.
    @Test(arguments: [(false, 1), (true, 2)])
    func aProofOfAHousehold_isRenewedOnce_asLongAsItIsValid(hasEnded: Bool, renewals: Int) async throws {
        let calls = Guarded<[Bool]>([])
        var proofs = LoginProofs()
        proofs.household = { isRenewed in
            // The household stores what it has renewed.
            let number = calls.withLock { calls in
                calls.append(isRenewed)
                return calls.count(where: \.self)
            }
            return .token(Self.token(number, until: number > 0 && hasEnded ? 1 : 4_102_444_800))
        }
        let request = RESTv2Call.preauthorization.request
        let refusal = Self.refusal("step_up_needed", action: "authentication")
        let desk = try StrictDesk(Array(repeating: (request, refusal), count: 2 + renewals), proofs: proofs)
        let error = await #expect(throws: ServiceError.self) {
            try await desk.service.preauthorization(
                of: Self.resources, requestorID: "DEMO", usesServiceCache: true,
                try Self.login("serviceTokenSSO", until: 1_000))
        }
        #expect(error?.endOfLogin?.reason == "step_up_needed")
        #expect(calls.withLock { $0.count(where: \.self) } == renewals && desk.transport.left == [])
    }

    /// A platform that has not answered has renewed nothing.
    @Test func aPlatform_isAskedAgain_ifItHasNotAnswered() async throws {
        let answers = Guarded(["old", nil, "new"])
        var proofs = LoginProofs()
        proofs.platformStatus = {
            guard let id = answers.withLock({ $0.removeFirst() }) else { return nil }
            return PlatformStatus(permission: .granted, providerID: id, expires: .distantFuture)
        }
        let request = RESTv2Call.preauthorization.request
        let refusal = Self.refusal("step_up_needed", action: "authentication")
        let permit = ScriptedTransport.Answer.response(
            status: 200, body: #"{"decisions":[{"resource":"R5","authorized":true}]}"#)
        let desk = try StrictDesk([(request, refusal), (request, refusal), (request, permit)], proofs: proofs)
        let decided = try await desk.service.preauthorization(
            of: Self.resources, requestorID: "DEMO", usesServiceCache: true,
            try Self.login("appleSSO", until: 4_102_444_800_000))
        #expect(decided.filter(\.isAuthorized).map(\.resource) == ["R5"])
        #expect(desk.transport.left == [] && answers.withLock(\.isEmpty))
    }

    /// The app may have a newer token than the one with which an earlier request was repeated.
    @Test func theApp_isAskedForItsToken_beforeEachRequest() async throws {
        let calls = Guarded(0)
        var proofs = LoginProofs()
        proofs.serviceToken = {
            calls.withLock { calls in
                calls += 1
                return Self.token(calls, until: 4_102_444_800)
            }
        }
        let request = RESTv2Call.preauthorization.request
        let refusal = Self.refusal("step_up_needed", action: "authentication")
        let unreadable = ScriptedTransport.Answer.response(status: 200, body: "{}")
        let desk = try StrictDesk([(request, refusal), (request, Self.permit), (request, unreadable)], proofs: proofs)
        let decided = try await desk.service.preauthorization(
            of: Self.resources, requestorID: "DEMO", usesServiceCache: true,
            try Self.login("serviceTokenSSO", until: 4_102_444_800_000))
        #expect(decided.map(\.resource) == ["R0"])
        #expect(desk.transport.left == [] && calls.withLock(\.self) == 3)
    }

    /// The platform still has the old status of a login that has expired, and the provider permits one resource.
    @Test func aPermit_stays_ifTheServiceRefusesTheNextProof() async throws {
        let status = PlatformStatus(permission: .granted, providerID: "p", expires: .distantFuture)
        let request = RESTv2Call.preauthorization.request
        let refusal = Self.refusal("invalid_header_pfs_provider_info_expired", action: "none")
        let desk = try StrictDesk(
            [(request, Self.permit), (request, refusal)],
            proofs: LoginProofs(platformStatus: { status }))
        let decided = try await desk.service.preauthorization(
            of: Self.resources, requestorID: "DEMO", usesServiceCache: true, try Self.login("appleSSO", until: 1_000))
        #expect(decided.map(\.resource) == ["R0"] && decided.allSatisfy(\.isAuthorized))
        #expect(desk.transport.left == [])
    }
}
