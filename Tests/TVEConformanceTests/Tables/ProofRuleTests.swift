import TVEModels
import Testing

/// CL21: the headers by which the service has found a login.
struct ProofRuleTests {
    @Test(arguments: proofs)
    func aLoginThatIsDenied_neededItsProof(one: Case) throws { try one.check("CL21") }

    private static func without(_ number: Int) -> Case.Verdict {
        .breaks(
            "\(number): POST authorize was sent without AD-Service-Token, by which the service had found the login.")
    }

    private static let signedOut =
        "The service denied a login of the platform, and the recording does not show whether the platform had a status "
        + "for AP-Partner-Framework-Status."

    private static let proofs: [Case] = [
        Case(
            "is denied the login of the platform after a service token could not be renewed",
            verdict: .unsure(signedOut), ofPlatform, renewal.answered(503), denied),
        Case(
            "is denied the login of the household from which it could not log out", verdict: without(3), ofHousehold,
            .logout().answered(503), denied),
        Case(
            "is denied the login of the household after it has asked for all profiles without the token",
            verdict: without(3), ofHousehold, .profiles([]), denied),
        Case(
            "is denied the login of the household without the token, with which it was permitted before",
            verdict: without(3), ofHousehold, .authorize().header("AD-Service-Token", "a.b.c"), denied),
        Case(
            "is denied a login that a failed response has named", verdict: .keeps(1, 2), ofHousehold.status(500),
            denied),
        Case(
            "is denied the login of a household whose token could not be renewed in the first request",
            verdict: .keeps(1, 2, 3), renewal.answered(503), ofHousehold, denied),
        Case(
            "is denied the login of the household with a token that the recording has masked", verdict: .keeps(1, 2),
            ofHousehold, denied.header("AD-Service-Token", "••••")),
        Case(
            "is denied the login of a household whose token could not be renewed, and another answer is missing",
            verdict: .keeps(1, 2, 3, 4), ofHousehold, renewal.answered(503), .profile("cable").answer(nil), denied),
        Case(
            "is denied the login of a household whose token was renewed with an answer that the recording lacks",
            verdict: without(4), ofHousehold, renewal.answered(503), renewal.answer(nil), denied),
        Case(
            "is denied the login of a household whose renewal has brought no token", verdict: .keeps(1, 2, 3),
            ofHousehold, renewal, denied),
        Case(
            "is denied the login of a household whose renewal has brought an empty token", verdict: .keeps(1, 2, 3),
            ofHousehold, renewal.answered(200, ["serviceToken": ""]), denied),
        Case(
            "is denied the login of a household whose token has its other name beside an empty one",
            verdict: without(3), ofHousehold, renewal.answered(200, ["serviceToken": "", "jws": "a.b.c"]), denied),
        Case(
            "is denied the login of the household after the challenge of another server", verdict: without(3),
            ofHousehold, .profiles([]).challenged(), denied),
        Case(
            "is denied the login of the household after a look for a code that found nothing with the token",
            verdict: without(3), ofHousehold, .look().header("AD-Service-Token", "a.b.c"), denied),
    ]

    private static let ofHousehold = found("serviceTokenSSO")
    private static let ofPlatform = found("appleSSO")

    private static func found(_ type: String) -> Sent {
        .profiles([]).finding(["cable": ["type": .string(type), "notAfter": 1_900_000_000_000]])
    }

    /// A request for the next service token, with an answer that has none.
    private static let renewal = Sent(path: "/api/DEMO/serviceToken")

    private static let denied = Sent.authorize().refused(
        code: "authenticated_profile_missing", action: "authentication")
}
