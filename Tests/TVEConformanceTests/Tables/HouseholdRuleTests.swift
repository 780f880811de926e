import TVEModels
import Testing

/// HH1 and HH2: tokens and codes of a household.
struct HouseholdRuleTests {
    @Test(arguments: tokens)
    func aNewServiceToken_breaksTheRow_whileTheLastOneIsValid(one: Case) throws { try one.check("HH1") }

    private static let early = "A new service token for the same account"

    private static let tokens: [Case] = [
        Case(
            "obtains one after a refusal that is not about the token",
            verdict: .breaks("1, 3: \(early), 59 minutes before the last one ended."), .serviceToken(),
            .household("list").answered(403), .serviceToken()),
        Case(
            "uses each of two tokens once", verdict: .nothing, .household("list"),
            .household("list").header("AD-Service-Token", "U")),
        Case("is two devices that use one token", verdict: .nothing, .household("list"), .household("list").from("x")),
        Case(
            "obtains a token and uses it twice", verdict: .keeps(2, 3), .serviceToken(), .household("list"),
            .household("link")),
        Case("renews it", verdict: .keeps(2), .serviceToken(), .renewal()),
        Case(
            "renews it without naming the device", verdict: .keeps(2), .serviceToken(),
            .renewal().header("AP-Device-Identifier", nil)),
        Case(
            "renews a token with its other name, without naming the device", verdict: .keeps(2),
            .serviceToken().answered(201, ["jws": "T"]), .renewal().header("AP-Device-Identifier", nil)),
        Case(
            "obtains one while the renewed one is valid",
            verdict: .breaks("2, 3: \(early), 50 minutes before the last one ended."), .serviceToken().at(0),
            .renewal().header("AP-Device-Identifier", nil).at(3_000), .serviceToken().at(3_600)),
        Case(
            "obtains the next one when the renewed one has ended", verdict: .keeps(2), .serviceToken().at(0),
            .renewal().at(3_000), .serviceToken().at(6_300)),
        Case(
            "obtains one for each question",
            verdict: .breaks("1, 3: \(early), 59 minutes before the last one ended."),
            .serviceToken(), .household("list"), .serviceToken()),
        Case(
            "obtains one for each question, and the service sends its times as texts",
            verdict: .breaks("1, 2: \(early), 59 minutes before the last one ended."),
            textual, textual),
        Case(
            "obtains the next one when the last has ended", verdict: .nothing, .serviceToken().at(0),
            .serviceToken().at(3_700)),
        Case("is a little early", verdict: .nothing, .serviceToken().at(0), .serviceToken().at(3_300)),
        Case(
            "obtains the next one when nine tenths of an hour have passed", verdict: .nothing, .serviceToken().at(0),
            .serviceToken().at(3_240)),
        Case(
            "obtains the next one a second before nine tenths of an hour have passed",
            verdict: .breaks("1, 2: \(early), 6 minutes before the last one ended."), .serviceToken().at(0),
            .serviceToken().at(3_239)),
        Case(
            "obtains the next one nine tenths of an hour after the answer", verdict: .nothing,
            .serviceToken().at(0).took(10), .serviceToken().at(3_250)),
        Case(
            "obtains the next one nine tenths of an hour after the request, which the answer followed later",
            verdict: .breaks("1, 2: \(early), 6 minutes before the last one ended."),
            .serviceToken().at(0).took(10), .serviceToken().at(3_249)),
        Case("obtains three at once", verdict: .nothing, sent: Sent.serviceToken().threeAtOnce),
        Case("belongs to two accounts", verdict: .nothing, .serviceToken("a"), .serviceToken("b")),
        Case("is two devices", verdict: .nothing, .serviceToken(), .serviceToken().from("other")),
        Case("has two brands", verdict: .nothing, .serviceToken(), .serviceToken().brand("OTHER")),
        Case(
            "has two brands, and obtains two for one of them",
            verdict: .breaks("1, 3: \(early), 59 minutes before the last one ended."),
            .serviceToken(), .serviceToken().brand("OTHER"), .serviceToken()),
        Case(
            "obtains one after a refusal", verdict: .nothing, .serviceToken(),
            .household("list").answered(401, ["error": ["code": "header_invalid"]]), .serviceToken()),
        Case(
            "obtains one after the access token was refused",
            verdict: .breaks("1, 3: \(early), 59 minutes before the last one ended."), .serviceToken(),
            .household("list").answered(401, ["error": "invalid_token"]), .serviceToken()),
        Case(
            "obtains one after a decision has found the access token expired",
            verdict: .breaks("1, 3: \(early), 59 minutes before the last one ended."), .serviceToken(),
            .authorize().header("AD-Service-Token", "T").answered(401), .serviceToken()),
        Case(
            "obtains one after a renewal was refused", verdict: .nothing, .serviceToken(),
            .renewal().answered(401, ["error": ["code": "token_expired"]]), .serviceToken()),
        Case(
            "obtains one after it has left its household", verdict: .nothing, .serviceToken(), .unlink, .serviceToken()
        ),
        Case(
            "obtains one after it could not leave its household",
            verdict: .breaks("1, 3: \(early), 59 minutes before the last one ended."), .serviceToken(),
            .unlink.answered(500), .serviceToken()),
        Case(
            "obtains one after it has left its household, and the answer was lost", verdict: .nothing, .serviceToken(),
            .unlink.unanswered, .serviceToken()),
        Case(
            "obtains one again, and a network answers with its own page",
            verdict: .breaks("1, 3: \(early), 59 minutes before the last one ended."), .serviceToken(),
            .serviceToken().welcomed, .serviceToken()),
        Case(
            "obtains one again, and a tool has masked the last answer",
            verdict: .breaks("1, 2: \(early), 59 minutes before the last one ended."), .serviceToken(),
            .serviceToken().masked),
        Case("renews it in vain", verdict: .nothing, .serviceToken(), .renewal().answered(503)),
        Case("joins with a code", verdict: .nothing, .serviceToken(), .serviceToken(code: "123456")),
    ]

    private static let textual = Sent.serviceToken().answered(
        201, ["serviceToken": "T", "notBefore": "1800000000000", "notAfter": "1800003600000"])

    @Test(arguments: codes)
    func aCodeThatIsSentAgain_breaksTheRow(one: Case) throws { try one.check("HH2") }

    private static let unknown: MetadataValue = ["error": ["code": "token_invalid", "action": "get_new_token"]]

    private static let codes: [Case] = [
        Case(
            "names the code in another request, too", verdict: .keeps(1), .serviceToken(code: "123456"),
            .household("list").header("X-SSO-LINK", "123456")),
        Case(
            "repeats a request that a firewall has refused with its own page", verdict: .keeps(2),
            .serviceToken(code: "123456").answered(403).welcomed, .serviceToken(code: "123456")),
        Case("types one code", verdict: .keeps(1), .serviceToken(code: "123456")),
        Case(
            "types another one after a mistake", verdict: .keeps(1, 2),
            .serviceToken(code: "123456").answered(400, unknown), .serviceToken(code: "123457")),
        Case(
            "sends a refused code again", verdict: .breaks("1, 2: The same link code was sent again."),
            .serviceToken(code: "123456").answered(400, unknown), .serviceToken(code: "123456").answered(400, unknown)),
        Case(
            "repeats a request that had no answer", verdict: .keeps(2), .serviceToken(code: "123456").answered(503),
            .serviceToken(code: "123456")),
        Case(
            "repeats a request to which a network has answered with its own page",
            verdict: .unsure("The recording does not have a body of these exchanges, or it cannot be read: 1."),
            .serviceToken(code: "123456").welcomed, .serviceToken(code: "123456")),
        Case(
            "sends a code again, and a tool has masked the answers",
            verdict: .breaks("1, 2: The same link code was sent again."), .serviceToken(code: "123456").masked,
            .serviceToken(code: "123456").masked),
        Case(
            "repeats a request after an error of the service", verdict: .keeps(2),
            .serviceToken(code: "123456").answered(500, ["error": ["code": "internal_error", "action": "none"]]),
            .serviceToken(code: "123456")),
        Case(
            "repeats a request where the error says so", verdict: .keeps(2),
            .serviceToken(code: "123456").answered(400, ["error": ["code": "busy", "action": "retry"]]),
            .serviceToken(code: "123456")),
        Case(
            "repeats a request whose access token was refused", verdict: .keeps(2),
            .serviceToken(code: "123456").refused(
                401, code: "invalid_access_token_client_application", action: "application-registration"),
            .serviceToken(code: "123456")),
        Case(
            "is two devices, of which one guesses", verdict: .keeps(1, 2), .serviceToken(code: "123456"),
            .serviceToken(code: "123456").from("other").answered(401, ["error": ["code": "token_expired"]])),
        Case("has an account", verdict: .nothing, .serviceToken()),
    ]
}

extension Sent {
    /// A token for an hour.
    fileprivate static func serviceToken(_ account: String = "account", code: String? = nil) -> Sent {
        Sent(method: "POST", path: "/api/DEMO/serviceToken")
            .header("X-SSO-ID", code == nil ? account : nil).header("X-SSO-LINK", code)
            .answered(201, ["serviceToken": "T", "notBefore": 1_800_000_000_000, "notAfter": 1_800_003_600_000])
    }

    fileprivate static let unlink = Sent(method: "POST", path: "/api/DEMO/unlink").header("AD-Service-Token", "T")

    fileprivate static func renewal() -> Sent {
        Sent(path: "/api/DEMO/serviceToken").header("AD-Service-Token", "T")
            .answered(200, ["serviceToken": "U", "notBefore": 1_800_000_000_000, "notAfter": 1_800_003_600_000])
    }

    fileprivate static func household(_ name: String) -> Sent {
        Sent(method: name == "link" ? "POST" : "GET", path: "/api/DEMO/\(name)").header("AD-Service-Token", "T")
    }
}
