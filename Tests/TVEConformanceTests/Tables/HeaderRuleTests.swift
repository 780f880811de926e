import Foundation
import TVEModels
import Testing

@testable import TVEConformance

/// CL21 to CL23: headers about the client and its device.
struct HeaderRuleTests {
    @Test(arguments: three)
    func threeHeaders_areInEveryRequest(one: Case) throws { try one.check("CL21") }

    private static let identifier = "AP-Device-Identifier is not \"fingerprint\" and then the Base64 of an identifier."

    private static let bearer = "Authorization is not \"Bearer\" and then an access token."

    private static let signedOut =
        "The service denied a login of the platform, and the recording does not show whether the platform had a status "
        + "for AP-Partner-Framework-Status."

    private static let withoutToken =
        "POST authorize was sent without AD-Service-Token, by which the service had found the login."

    /// A successful request of whose headers the recorder has kept one.
    private static let bare = Sent.session().withoutHeaders.header("User-Agent", "browser")

    private static let three: [Case] = [
        Case(
            "sends the three headers, and the recording has lost all headers",
            verdict: .unsure("The recording was saved without the headers of some requests."),
            .profiles([]).withoutHeaders),
        Case(
            "sends none of the three headers, and no request has any of them",
            verdict: .breaks("1: GET profiles was sent without AP-Device-Identifier, X-Device-Info."),
            .profiles([]).withoutHeaders.header("User-Agent", "app")),
        Case(
            "sends the three headers, which the recording has lost for a request that is refused, too",
            verdict: .unsure("The recording was saved without the headers of some requests."),
            .profiles([]), .session().withoutHeaders, .profiles([]).answered(401).withoutHeaders),
        Case(
            "sends none of the three headers, and is refused, while the recording has lost those of another request",
            verdict: .breaks("3: GET profiles was sent without Authorization, AP-Device-Identifier, X-Device-Info."),
            .profiles([]), bare, .profiles([]).answered(401).withoutHeaders.header("User-Agent", "browser")),
        Case(
            "does not describe its device, while the recording has lost the headers of another request",
            verdict: .breaks("3: GET profiles was sent without X-Device-Info."),
            .profiles([]), bare, .profiles([]).header("X-Device-Info", nil)),
        Case(
            "renews a service token without an access token",
            verdict: .breaks("2: GET renewServiceToken was sent without Authorization."), .profiles([]),
            household("GET", "serviceToken").header("Authorization", nil)),
        Case("sends the three headers", verdict: .keeps(1, 2), .profiles([]), .authorize()),
        Case(
            "sends what the page of the single sign-on service requires", verdict: .keeps(1, 2, 3, 4, 5),
            household("POST", "serviceToken"), household("POST", "link"), household("GET", "list"),
            household("POST", "unlink"), household("GET", "serviceToken").header("AP-Device-Identifier", nil)),
        Case(
            "does not name its device to the single sign-on service",
            verdict: .breaks(
                "2: POST serviceToken was sent without AP-Device-Identifier.",
                "3: POST link was sent without AP-Device-Identifier.",
                "4: GET householdDevices was sent without AP-Device-Identifier.",
                "5: POST unlink was sent without AP-Device-Identifier."),
            .profiles([]), household("POST", "serviceToken").header("AP-Device-Identifier", nil),
            household("POST", "link").header("AP-Device-Identifier", nil),
            household("GET", "list").header("AP-Device-Identifier", nil),
            household("POST", "unlink").header("AP-Device-Identifier", nil)),
        Case(
            "obtains a service token without describing its device",
            verdict: .breaks("2: POST serviceToken was sent without X-Device-Info."), .profiles([]),
            household("POST", "serviceToken").header("X-Device-Info", nil)),
        Case(
            "asks for a link code without a token", verdict: .breaks("2: POST link was sent without Authorization."),
            .profiles([]), Sent(method: "POST", path: "/api/DEMO/link").header("Authorization", nil)),
        Case(
            "sends no token", verdict: .breaks("2: GET profiles was sent without Authorization."), .profiles([]),
            .profiles([]).header("Authorization", nil)),
        Case(
            "sends no token in its header, and is refused",
            verdict: .breaks("2: \(bearer)", "3: \(bearer)", "4: \(bearer)"),
            .profiles([]), .profiles([]).answered(401).header("Authorization", ""),
            .profiles([]).answered(401).header("Authorization", "token"),
            .profiles([]).answered(401).header("Authorization", "Bearer ")),
        Case(
            "sends tokens, which the recorder has changed in some requests",
            verdict: .unsure("The recording does not show the Authorization headers of some requests."),
            .profiles([]), .profiles([]).header("Authorization", "secret"),
            .profile("cable").answered(404).header("Authorization", "secret")),
        Case(
            "sends no device id", verdict: .breaks("1: POST authorize was sent without AP-Device-Identifier."),
            .authorize().header("AP-Device-Identifier", nil)),
        Case(
            "does not describe its device", verdict: .breaks("1: GET profiles was sent without X-Device-Info."),
            .profiles([]).header("X-Device-Info", nil)),
        Case(
            "sends none of the three headers, and is refused",
            verdict: .breaks("1: GET profiles was sent without Authorization, AP-Device-Identifier, X-Device-Info."),
            .profiles([]).answered(401).header("Authorization", nil).header("AP-Device-Identifier", nil)
                .header("X-Device-Info", nil)),
        Case(
            "sends the three headers, which the recording has lost for one request",
            verdict: .unsure("The recording was saved without the headers of some requests."),
            .profiles([]), .session().withoutHeaders.header("User-Agent", "browser").header("Accept", "*/*")),
        Case(
            "sends none of the three headers, and is refused, while other requests have them",
            verdict: .breaks("2: GET profiles was sent without Authorization, AP-Device-Identifier, X-Device-Info."),
            .profiles([]), .profiles([]).answered(401).withoutHeaders.header("User-Agent", "browser")),
        Case(
            "registers, gets a token, and opens a page, without these headers", verdict: .nothing,
            .registration().header("X-Device-Info", nil), .token().header("X-Device-Info", nil), .loginPage()),
        Case(
            "sends an identifier of another kind", verdict: .breaks("1: \(identifier)"),
            .profiles([]).header("AP-Device-Identifier", "serial cGhvbmU=")),
        Case(
            "sends an identifier that is no Base64", verdict: .breaks("1: \(identifier)"),
            .profiles([]).header("AP-Device-Identifier", "fingerprint phone")),
        Case(
            "sends an empty identifier", verdict: .breaks("1: \(identifier)"),
            .profiles([]).header("AP-Device-Identifier", "fingerprint ")),
        Case(
            "sends an identifier that is nothing but the padding of Base64", verdict: .breaks("1: \(identifier)"),
            .profiles([]).header("AP-Device-Identifier", "fingerprint ====")),
        Case(
            "sends no identifier but its kind", verdict: .breaks("1: \(identifier)"),
            .profiles([]).header("AP-Device-Identifier", "fingerprint")),
        Case(
            "sends headers with blanks around their values", verdict: .keeps(1),
            .profiles([]).header("Authorization", " Bearer token ").header(
                "AP-Device-Identifier", "\t\(Sent.identifier("phone")) ")),
        Case(
            "sends an identifier that the recording has masked", verdict: .keeps(1),
            .profiles([]).header("AP-Device-Identifier", "••••")),
        Case(
            "sends a token that the recording has masked", verdict: .keeps(1),
            .profiles([]).header("Authorization", "••••")),
        Case(
            "sends tokens, which the recording has lost",
            verdict: .unsure("The recording was saved without its Authorization headers."),
            .profiles([]).header("Authorization", nil), .profiles([]).header("Authorization", nil)),
        Case(
            "sends tokens, which the recording has lost, and no device id",
            verdict: .breaks("2: GET profiles was sent without AP-Device-Identifier."),
            .profiles([]).header("Authorization", nil),
            .profiles([]).header("Authorization", nil).header("AP-Device-Identifier", nil)),
        Case(
            "asks for a decision with a login of the household without its token",
            verdict: .breaks(
                "2: POST authorize was sent without AD-Service-Token, by which the service had found the login."),
            found("serviceTokenSSO"), denied),
        Case(
            "asks for a decision with a login of the platform without its status",
            verdict: .unsure(signedOut), found("appleSSO"), denied),
        Case(
            "asks for a login of the platform without its status, because the viewer has signed out there",
            verdict: .keeps(1, 2), found("appleSSO"), .profile("cable", exists: false)),
        Case(
            "asks for a login of the household without its token",
            verdict: .breaks(
                "2: GET profile was sent without AD-Service-Token, by which the service had found the login."),
            found("serviceTokenSSO"), .profile("cable", exists: false)),
        Case(
            "is denied the login of a household whose token could not be renewed", verdict: .keeps(1, 2, 3),
            found("serviceTokenSSO"), household("GET", "serviceToken").answered(503), denied),
        Case(
            "is denied the login of the household without its token, after another provider had no login with it",
            verdict: .breaks("3: \(withoutToken)"), found("serviceTokenSSO"),
            .profile("fiber", exists: false).header("AD-Service-Token", "a.b.c"), denied),
        Case(
            "is denied the login of a household whose next token did not come", verdict: .keeps(1, 2, 3),
            found("serviceTokenSSO"), household("POST", "serviceToken").header("X-SSO-ID", "viewer").unanswered,
            denied),
        Case(
            "is denied the login of a household whose token was renewed at the second attempt",
            verdict: .breaks("4: \(withoutToken)"), found("serviceTokenSSO"),
            household("GET", "serviceToken").answered(503), household("GET", "serviceToken").answered(201, token),
            denied),
        Case(
            "is denied the login of a household whose token was not renewed after a 429", verdict: .keeps(1, 2, 3),
            found("serviceTokenSSO"), household("GET", "serviceToken").answered(429), denied),
        Case(
            "is denied the login of the household after the access token was refused",
            verdict: .breaks("3: \(withoutToken)"), found("serviceTokenSSO"),
            household("GET", "serviceToken").answered(401, ["error": "invalid_token"]), denied),
        Case(
            "is denied the login of the household while another device gets no token",
            verdict: .breaks("3: \(withoutToken)"), found("serviceTokenSSO"),
            household("GET", "serviceToken").answered(503).from("television"), denied),
        Case(
            "is denied the login of the household after another device has left, but not this one",
            verdict: .breaks("3: \(withoutToken)"), found("serviceTokenSSO"),
            household("GET", "list").answered(401, ["error": ["code": "token_expired"]]).from("television"), denied),
        Case(
            "is denied the login of a household, and a device that is not named gets no token",
            verdict: .keeps(1, 2, 3), found("serviceTokenSSO"), nameless.answered(503), denied),
        Case(
            "is denied the login of a household whose token was renewed without the name of the device",
            verdict: .breaks("4: \(withoutToken)"), found("serviceTokenSSO"), nameless.answered(503),
            nameless.answered(201, token), denied),
        Case(
            "is denied the login of a household whose token it has got, while an unnamed device got none",
            verdict: .breaks("4: \(withoutToken)"), found("serviceTokenSSO"), nameless.answered(503),
            household("POST", "serviceToken").header("X-SSO-ID", "viewer").answered(201, token), denied),
        Case(
            "is denied the login of a household whose token it has got under its other name",
            verdict: .breaks("3: \(withoutToken)"), found("serviceTokenSSO"),
            household("POST", "serviceToken").header("X-SSO-ID", "viewer").answered(201, ["jws": "a.b.c"]), denied),
        Case(
            "is denied the login of the household after it could not join another one",
            verdict: .breaks(
                "3: POST authorize was sent without AD-Service-Token, by which the service had found the login."),
            found("serviceTokenSSO"),
            household("POST", "serviceToken").header("X-SSO-LINK", "ABC123").answered(503), denied),
        Case(
            "is permitted what a household may watch, without its token", verdict: .keeps(1, 2),
            found("serviceTokenSSO"),
            .authorize()),
        Case(
            "is denied a login of the household with its token", verdict: .keeps(1, 2), found("serviceTokenSSO"),
            denied.header("AD-Service-Token", "a.b.c")),
        Case(
            "is denied a login of the household without its token, in the other form of an error",
            verdict: .breaks(
                "2: POST authorize was sent without AD-Service-Token, by which the service had found the login."),
            found("serviceTokenSSO"),
            .authorize().answered(
                403, ["error": ["code": "authenticated_profile_missing", "action": "authentication"]])),
        Case(
            "asks for a login of the platform without its status, and the recording lacks the answer",
            verdict: .keeps(1, 2), found("appleSSO"), .profile("cable").answer(nil)),
        Case("is denied an ordinary login", verdict: .keeps(1, 2), found("regular"), denied),
        Case(
            "is denied the login of the household on another device", verdict: .keeps(1, 2), found("serviceTokenSSO"),
            denied.from("television")),
        Case(
            "is denied a login that is an ordinary one by now", verdict: .keeps(1, 2, 3), found("serviceTokenSSO"),
            found("regular"), denied),
        Case(
            "is denied the login of the household in another brand", verdict: .keeps(1, 2), found("serviceTokenSSO"),
            denied.brand("OTHER")),
        Case(
            "is denied the login of the household that it has left", verdict: .keeps(1, 2, 3), found("serviceTokenSSO"),
            household("POST", "unlink"), denied),
        Case(
            "is denied the login of the household that it has left, and the answer was lost", verdict: .keeps(1, 2, 3),
            found("serviceTokenSSO"), household("POST", "unlink").unanswered, denied),
        Case(
            "is denied the login of the household that it could not leave",
            verdict: .breaks(
                "3: POST authorize was sent without AD-Service-Token, by which the service had found the login."),
            found("serviceTokenSSO"), household("POST", "unlink").answered(500), denied),
        Case(
            "is denied the login of the household whose token was refused", verdict: .keeps(1, 2, 3),
            found("serviceTokenSSO"),
            household("GET", "list").answered(401, ["error": ["code": "token_expired"]]), denied),
        Case(
            "is denied the login of the platform after it has left a household",
            verdict: .unsure(signedOut), found("appleSSO"), household("POST", "unlink"), denied),
        Case(
            "is denied a login from which it has logged out", verdict: .keeps(1, 2, 3), found("serviceTokenSSO"),
            .logout(), denied),
        Case(
            "is denied a login from which it has logged out, and the answer was lost", verdict: .keeps(1, 2, 3),
            found("serviceTokenSSO"), .logout().unanswered, denied),
        Case(
            "is denied a login after a logout from another one",
            verdict: .breaks(
                "3: POST authorize was sent without AD-Service-Token, by which the service had found the login."),
            found("serviceTokenSSO"), .logout("fiber"), denied),
        Case(
            "is denied a login that the service had not found with the proof either", verdict: .keeps(1, 2, 3),
            found("appleSSO"), .profiles([]).header("AP-Partner-Framework-Status", "e30="), denied),
    ]

    /// A finding that does not pass lists the evidence that there is.
    @Test func aRequestThatBreaksTheRow_isNoEvidence() throws {
        let report = ConformanceReport(judging: [Self.found("serviceTokenSSO"), Self.denied].exchanges)
        let finding = try #require(report.findings.first { $0.row.id == "CL21" })
        #expect(finding.outcome == .fail && finding.evidence == [1])
    }

    /// The values that tools write in the place of secrets, and values that look like them.
    @Test(
        arguments: [
            ("•••••• (hidden, 9 bytes)", true), ("[REDACTED]", true), ("<hidden>", true), ("[Header redacted]", true),
            ("***", true), ("REDACTED", true), ("fingerprint [REDACTED]", true), ("fingerprint ***", true),
            ("[]", false), (#"["model"]"#, false), ("<1>", false), ("**a", false), ("redacted value", false),
            ("", false), ("XXXXXXXX", true), ("...", true), ("…", true), ("(removed)", true), ("SANITIZED", true),
            ("fingerprint xxxx", true), ("xx", false), ("111", false), ("xxx1", false),
            ("App (iPhone)", false), ("(x)", false), ("AAAA", false), ("eeee", false), ("----", true), ("####", true),
            ("eyJhbGciOi…", true), ("fingerprint cGhvbmU...", true), ("***REDACTED***", true), ("__hidden__", true),
            ("--Removed--", true), ("x-hidden-x", false), ("hidden1", false), ("eyJhbGciOi..", false),
            ("masked", true), ("Filtered", true), ("********REDACTED********", true),
            ("*********REDACTED********", false),
        ])
    func aMaskedValue_isNotHeldAgainstTheClient(value: String, isMasked: Bool) {
        let sent = Sent.profiles([]).header("AP-Device-Identifier", value).header("X-Device-Info", value)
        let broken = ConformanceReport(judging: [sent].exchanges).brokenRows
        #expect(broken == (isMasked ? [] : ["CL21", "CL22"]))
    }

    /// A request to the single sign-on service, whose page requires `X-Device-Info` only for a new token.
    private static func household(_ method: String, _ name: String) -> Sent {
        let sent = Sent(method: method, path: "/api/DEMO/\(name)")
        return method == "POST" && name == "serviceToken" ? sent : sent.header("X-Device-Info", nil)
    }

    private static let token: MetadataValue = ["serviceToken": "a.b.c"]

    /// A request for the next service token that does not name the device, as the service's page allows.
    private static let nameless = household("GET", "serviceToken").header("AP-Device-Identifier", nil)

    private static func found(_ type: String) -> Sent {
        .profiles(["cable"]).answered(
            200, ["profiles": ["cable": ["type": .string(type), "notAfter": 1_900_000_000_000]]])
    }

    private static let denied = Sent.authorize().refused(
        code: "authenticated_profile_missing", action: "authentication")

    @Test(arguments: facts)
    func theDevice_isDescribedAsItIs(one: Case) throws { try one.check("CL22") }

    private static func with(_ name: String, _ value: MetadataValue) -> Sent {
        .profiles([]).info(.object(["model": "X-1", "osName": "Linux"].merging([name: value]) { $1 }))
    }

    private static func refused(_ name: String, _ value: String) -> Case {
        Case(
            "has a \(name) that is not in the list",
            verdict: .breaks("1: \(name) is \"\(value)\", which is not in the list."),
            with(name, .string(value)))
    }

    private static func accepted(_ name: String, _ value: String) -> Case {
        Case("has a \(name) from the list: \(value)", verdict: .keeps(1), with(name, .string(value)))
    }

    private static let facts: [Case] = [
        Case("describes its device", verdict: .keeps(1, 2), .profiles([]), .registration()),
        Case(
            "does not describe its device, which is another row's matter", verdict: .nothing,
            .profiles([]).header("X-Device-Info", nil)),
        Case(
            "describes its device with a blank after it", verdict: .keeps(1, 2), .profiles([]),
            .profiles([]).header("X-Device-Info", "\(Sent.facts(["model": "A", "osName": "Android"])) ")),
        Case(
            "sends what is no Base64", verdict: .breaks("1: X-Device-Info is not the Base64 of a JSON object."),
            .profiles([]).header("X-Device-Info", "{}")),
        Case(
            "sends the Base64 of a list", verdict: .breaks("1: X-Device-Info is not the Base64 of a JSON object."),
            .profiles([]).info([])),
        Case(
            "sends a description that the recording has masked", verdict: .nothing,
            .profiles([]).header("X-Device-Info", "••••")
        ),
        Case(
            "says nothing about its device",
            verdict: .breaks(
                "1: X-Device-Info has no model, which the service asks for.",
                "1: X-Device-Info does not name the operating system, which the service asks for."),
            .profiles([]).info(.object([:]))),
        Case(
            "does not say its model", verdict: .breaks("1: X-Device-Info has no model, which the service asks for."),
            .profiles([]).info(["osName": "Linux"])),
        Case(
            "does not say its model in each of two requests",
            verdict: .breaks("1: X-Device-Info has no model, which the service asks for."),
            .profiles([]).info(["osName": "Linux"]), .profiles([]).info(["osName": "Linux"])),
        Case("has a number where there is no list", verdict: .keeps(1), with("connectionPort", 443)),
        Case(
            "has a number where a list has the names of truth values",
            verdict: .breaks("1: connectionSecure is not a string, as the values in the list are."),
            with("connectionSecure", 7)),
        Case(
            "has a model, and then one that is null",
            verdict: .breaks("2: model is empty; an unknown field is left out."), with("model", "A"),
            with("model", .null)),
        Case(
            "has a system without a name in the list", verdict: .keeps(1),
            .profiles([]).info(["model": "RealityDevice", "osVersion": "2.1"])),
        refused("primaryHardwareType", "Fridge"), accepted("primaryHardwareType", "SetTopBox"),
        accepted("primaryHardwareType", "Projector"), refused("osName", "macOS"), accepted("osName", "Mac OS"),
        refused("osFamily", "Mac OS"), accepted("osFamily", "macOS"), accepted("osFamily", "Symbian"),
        refused("osVendor", "Tizen"), accepted("osVendor", "Tizen Project"), refused("browserName", "Netscape"),
        accepted("browserName", "Safari"), refused("browserVendor", "LG"), accepted("browserVendor", "Sony Ericsson"),
        refused("connectionSecure", "yes"), accepted("connectionSecure", "true"), accepted("connectionSecure", "false"),
        Case("has a model of its own", verdict: .keeps(1), with("model", "X-100")),
        Case("has a field that is in no list", verdict: .keeps(1), with("brightness", "high")),
        Case(
            "has a number where a list has texts",
            verdict: .breaks("1: osName is not a string, as the values in the list are."), with("osName", 7)),
        Case(
            "has a list where a list has texts",
            verdict: .breaks("1: osVendor is not a string, as the values in the list are."), with("osVendor", ["Apple"])
        ),
        Case("has a truth value where a list has its name", verdict: .keeps(1), with("connectionSecure", true)),
        Case(
            "has a truth value where a list has other names",
            verdict: .breaks("1: osName is not a string, as the values in the list are."), with("osName", true)),
        Case(
            "has a long name of a system",
            verdict: .breaks("1: osName is \"\(String(repeating: "x", count: 40))\", which is not in the list."),
            with("osName", .string(String(repeating: "x", count: 50)))),
        Case(
            "has an empty field", verdict: .breaks("1: model is empty; an unknown field is left out."),
            with("model", "")),
        Case(
            "has a field that is null", verdict: .breaks("1: model is empty; an unknown field is left out."),
            with("model", .null)),
        Case(
            "has an empty field of which there is a list",
            verdict: .breaks("1: osName is \"\", which is not in the list."),
            with("osName", "")),
        Case(
            "has two fields with mistakes",
            verdict: .breaks(
                "1: model is empty; an unknown field is left out.", "1: osName is \"MyOS\", which is not in the list."),
            .profiles([]).info(["osName": "MyOS", "model": ""])),
        Case(
            "makes a mistake twice", verdict: .breaks("1: model is empty; an unknown field is left out."),
            with("model", ""),
            with("model", "")),
        Case(
            "makes a mistake on each of two devices",
            verdict: .breaks(
                "1: model is empty; an unknown field is left out.", "2: model is empty; an unknown field is left out."),
            with("model", ""), .profiles([]).info(["model": "", "osName": "iOS"]).with("two").from("television")),
        Case(
            "has another model than before",
            verdict: .breaks("1, 2: The same device was first one model and then another."),
            with("model", "A"), with("model", "B")),
        Case(
            "has another type than before",
            verdict: .breaks("1, 2: The same device was first one primaryHardwareType and then another."),
            with("primaryHardwareType", "TV"), with("primaryHardwareType", "SetTopBox")),
        Case(
            "has another system than before",
            verdict: .breaks("1, 2: The same device was first one osName and then another."),
            with("osName", "iOS"), with("osName", "tvOS")),
        Case(
            "says its model once, and not again",
            verdict: .breaks("1, 2: The same device was first one model and then another."),
            .profiles([]).info(["osName": "iOS", "model": "A"]), with("osName", "iOS")),
        Case(
            "leaves out its system in between", verdict: .keeps(1, 2, 3),
            .profiles([]).info(["model": "A", "osVersion": "1", "osName": "iOS"]),
            .profiles([]).info(["model": "A", "osVersion": "1"]),
            .profiles([]).info(["model": "A", "osVersion": "1", "osName": "iOS"])),
        Case(
            "leaves out its system at first, and then has two",
            verdict: .breaks("2, 3: The same device was first one osName and then another."),
            .profiles([]).info(["model": "A", "osVersion": "1"]),
            .profiles([]).info(["model": "A", "osVersion": "1", "osName": "iOS"]),
            .profiles([]).info(["model": "A", "osVersion": "1", "osName": "tvOS"])),
        Case(
            "has another model for two requests, and each is compared with the first",
            verdict: .breaks(
                "1, 2: The same device was first one model and then another.",
                "1, 3: The same device was first one model and then another."), with("model", "A"), with("model", "B"),
            with("model", "B")),
        Case("has another version than before", verdict: .keeps(1, 2), with("osVersion", "1"), with("osVersion", "2")),
        Case(
            "two devices of two models", verdict: .keeps(1, 2), with("model", "A"),
            with("model", "B").from("television")),
        Case(
            "describes its device in two ways, and does not say which device it is", verdict: .keeps(1, 2),
            with("model", "A").header("AP-Device-Identifier", nil),
            with("model", "B").header("AP-Device-Identifier", nil)),
    ]

    @Test(arguments: ids)
    func theDeviceID_stays(one: Case) throws { try one.check("CL23") }

    private static let changed = "The device id of an application changed."
    private static let lost = "The recording does not show the Authorization headers of some requests."
    private static let anonymous = Sent.profiles([]).header("Authorization", nil)

    private static let ids: [Case] = [
        Case("sends the same id twice", verdict: .keeps(1, 2), .profiles([]), .configuration),
        Case("sends an id once", verdict: .nothing, .profiles([])),
        Case(
            "sends its id with a registration, whose answer the recording lacks", verdict: .keeps(2, 3),
            .registration().from("phone").answer(nil), .profiles([]), .profiles([])),
        Case(
            "sends two ids, each of which repeats one letter", verdict: .breaks("1, 2: \(changed)"),
            .profiles([]).header("AP-Device-Identifier", "fingerprint AAAA"),
            .profiles([]).header("AP-Device-Identifier", "fingerprint BBBB")),
        Case(
            "two devices send their tokens, whose ends a tool has left out", verdict: .unsure(lost),
            .profiles([]).with("eyJhbGciOi…"), .profiles([]).with("eyJhbGciOi…").from("television")),
        Case(
            "two devices send their tokens, in whose place a tool has put a word with marks around it",
            verdict: .unsure(lost),
            .profiles([]).with("***REDACTED***"), .profiles([]).with("***REDACTED***").from("television")),
        Case("sends another id", verdict: .breaks("1, 2: \(changed)"), .profiles([]), .profiles([]).from("other")),
        Case(
            "sends another id, and the first one again", verdict: .breaks("2, 3: \(changed)", "3, 4: \(changed)"),
            .token(), .profiles([]), .profiles([]).from("other"), .profiles([])),
        Case(
            "sends another id with the next token of the same credentials", verdict: .breaks("2, 4: \(changed)"),
            .token("one"), .profiles([]).with("one"), .token("two"), .profiles([]).with("two").from("other")),
        Case(
            "sends another id with a token of other credentials", verdict: .nothing, .token("one", of: "a"),
            .profiles([]).with("one"), .token("two", of: "b"), .profiles([]).with("two").from("other")),
        Case(
            "sends another id with another token", verdict: .nothing, .profiles([]),
            .profiles([]).with("two").from("other")),
        Case(
            "a server sends the ids of its devices", verdict: .nothing, .profiles([]).forwarded(for: "192.0.2.7"),
            .profiles([]).from("other").forwarded(for: "192.0.2.8")),
        Case(
            "a server sends the ids of the devices of one home", verdict: .nothing, .token(), .loginPage(),
            .profiles([]).forwarded(for: "192.0.2.7"), .profiles([]).from("other").forwarded(for: "192.0.2.7")),
        Case(
            "a server sends the ids of the devices of one home through a reverse proxy", verdict: .nothing,
            .token().forwarded(for: "10.0.0.1"), .loginPage().forwarded(for: "192.0.2.7"),
            .profiles([]).forwarded(for: "192.0.2.7, 10.0.0.1"),
            .profiles([]).from("other").forwarded(for: "192.0.2.7, 10.0.0.1")),
        Case(
            "sends another id through a reverse proxy", verdict: .breaks("3, 4: \(changed)"),
            .token().forwarded(for: "192.0.2.7"), .loginPage().forwarded(for: "192.0.2.7"),
            .profiles([]).forwarded(for: "192.0.2.7"), .profiles([]).from("other").forwarded(for: " 192.0.2.7 ")),
        Case(
            "sends another id from another network through a reverse proxy", verdict: .breaks("3, 4: \(changed)"),
            .token().forwarded(for: "192.0.2.7"), .loginPage().forwarded(for: "192.0.2.7"),
            .profiles([]).forwarded(for: "192.0.2.7"), .profiles([]).from("other").forwarded(for: "198.51.100.9")),
        Case(
            "a server that has its token already sends the ids of the devices of one home through a reverse proxy",
            verdict: .nothing, .loginPage().forwarded(for: "192.0.2.7"),
            .profiles([]).forwarded(for: "192.0.2.7, 10.0.0.1"),
            .profiles([]).from("other").forwarded(for: "192.0.2.7,10.0.0.1")),
        Case(
            "sends the same id from two networks through a reverse proxy", verdict: .keeps(1, 2),
            .profiles([]).forwarded(for: "192.0.2.7"), .profiles([]).forwarded(for: "192.0.2.8")),
        Case(
            "sends no id in between", verdict: .keeps(1, 3), .profiles([]),
            .profiles([]).header("AP-Device-Identifier", nil), .profiles([])),
        Case(
            "sends an id that the recording has masked in between", verdict: .keeps(1, 3), .profiles([]),
            .profiles([]).header("AP-Device-Identifier", "••••"), .profiles([])),
        Case(
            "sends two ids with tokens, which the recording has lost", verdict: .unsure(lost), anonymous, anonymous,
            anonymous.from("other"), anonymous.from("other")),
        Case(
            "sends two ids with tokens, which the recording has masked", verdict: .unsure(lost),
            .profiles([]).header("Authorization", "••••"), .profiles([]).header("Authorization", "••••"),
            .profiles([]).from("other").header("Authorization", "••••")),
        Case(
            "sends two ids with tokens that a tool has crossed out", verdict: .unsure(lost),
            .profiles([]).with("XXXXXXXX"), .profiles([]).from("other").with("XXXXXXXX")),
        Case(
            "sends another id with a token, which the recording has lost for these requests", verdict: .unsure(lost),
            .token(), .profiles([]), .profiles([]), anonymous.from("other"), anonymous.from("other")),
        Case(
            "sends another id, and the recording has lost the token of a request",
            verdict: .breaks("1, 2: \(changed)"), .profiles([]), .profiles([]).from("other"), anonymous),
        Case(
            "sends no token in between, and is refused", verdict: .keeps(1, 3), .profiles([]), anonymous.answered(401),
            .profiles([])),
    ]
}
