import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVENetworking

/// The calls of the vendor's single sign-on service against a strict sandbox.
@Suite(.fewAtATime)
struct HouseholdServiceTests {
    private let phone: RESTv2Fixture
    private let television: RESTv2Fixture
    private let onPhone: HouseholdService
    private let onTelevision: HouseholdService

    init() async throws {
        phone = try await RESTv2Fixture(device: "phone")
        television = try await RESTv2Fixture(device: "television", beside: phone)
        onPhone = HouseholdService(phone.service, requestorID: "DEMO")
        onTelevision = HouseholdService(television.service, requestorID: "DEMO")
    }

    /// Makes the phone receive an answer to one path that differs from the sandbox's.
    private func answer(_ path: String, status: Int = 200, _ body: String) {
        phone.script { $0.hasSuffix(path) ? .response(status: status, body: body) : nil }
    }

    // MARK: - Tokens

    @Test(.row("HH1")) func anAccount_givesAToken_thatIsRenewedBeforeAndAfterItsEnd() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        #expect(token.expires.timeIntervalSince(phone.clock.now) > 3_590)
        let second = try await onPhone.renewed(token)
        #expect(second != token)
        phone.clock.advance(by: 2 * 3_600)
        let third = try await onPhone.renewed(second)
        #expect(third.expires > phone.clock.now)
        #expect(try await onPhone.devices(third).map(\.id) == ["phone"])
    }

    @Test(.row("HH3")) func aTokenThatEndedLongAgo_isNotRenewed() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        phone.clock.advance(by: 3 * 86_400)
        await #expect(throws: HouseholdError.tokenEnded) { try await onPhone.renewed(token) }
    }

    @Test(arguments: ["1e12", "1e300", "1797832900000"])
    func aTokenWithoutABelievableEnd_isRenewedWithinAYear(end: String) async throws {
        let claims = Data("{\"exp\":\(end),\"iat\":0}".utf8).base64EncodedString().replacing("=", with: "")
        answer("/serviceToken", "{\"serviceToken\":\"e30.\(claims).c2ln\"}")
        let token = try await onPhone.token(forAccount: "account-1")
        #expect(token.expires.timeIntervalSince(phone.clock.now) <= 366 * 86_400)
    }

    /// The times of the answer are optional, and so is the time at which a JWS was issued.
    @Test(arguments: ["iat", "nbf"])
    func aTokenWithoutTimesBeside_lastsAsLongAsItSaysItself(begin: String) async throws {
        let claims = Data("{\"exp\":1797832900,\"\(begin)\":1797831100}".utf8).base64URL
        answer("/serviceToken", "{\"serviceToken\":\"e30.\(claims).c2ln\"}")
        let token = try await onPhone.token(forAccount: "account-1")
        #expect(token.expires == phone.clock.now.addingTimeInterval(1_800))
    }

    @Test(.row("HH11")) func aTokenThatHasEnded_makesNoCode() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        phone.clock.advance(by: 3_700)
        await #expect(throws: HouseholdError.tokenEnded) { try await onPhone.linkCode(token) }
    }

    @Test(.row("HH11"), arguments: ["e30.e30.c2ln", "text", "a.b"]) func anInventedToken_isRefused(text: String)
        async throws
    {
        let token = ServiceToken(value: text, expires: phone.clock.now.addingTimeInterval(60))
        await #expect(throws: HouseholdError.tokenRefused) { try await onPhone.renewed(token) }
        await #expect(throws: HouseholdError.tokenRefused) { try await onPhone.devices(token) }
        // A valid access token is not renewed because of another token.
        #expect(phone.sandbox.exchanges.count { $0.facts.step == "token" } == 1)
    }

    @Test(.row("HH11")) func aTokenOfAnotherDevice_isRefused() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        await #expect(throws: HouseholdError.tokenRefused) { try await onTelevision.linkCode(token) }
    }

    /// The tables of the document name the members differently from its samples, and dates may be texts.
    @Test(
        .row("HH9"),
        arguments: [
            #"{"status":"CREATED","serviceToken":"T","notBefore":1710000000000,"notAfter":1710003600000}"#,
            #"{"status":"CREATED","jws":"T","notBefore":"1710000000000","notAfter":"1710003600000"}"#,
            #"{"jws":"T","notBefore":0,"notAfter":0}"#, #"{"serviceToken":"T"}"#,
            // Times in seconds that are read as milliseconds are a few seconds apart.
            #"{"serviceToken":"T","notBefore":1710000000,"notAfter":1710003600}"#,
        ]) func aToken_isReadByBothNames_andWithDatesOfAnyKind(body: String) async throws
    {
        answer("/serviceToken", status: 201, body)
        let token = try await onPhone.token(forAccount: "account-1")
        #expect(token.value == "T")
        #expect(abs(token.expires.timeIntervalSince(phone.clock.now) - 3_600) < 1)
    }

    @Test(
        .row("HH9"),
        arguments: [
            #"{"status":"CREATED","code":"228128","notBefore":1758094617220,"notAfter":1758098217220}"#,
            #"{"status":"CREATED","link":"228128","notBefore":"1758094617220","notAfter":"1758098217220"}"#,
            #"{"link":228128}"#, #"{"status":"CREATED","code":"228128"}"#, #"{"status":201,"code":"228128"}"#,
            #"{"status":"Renewed","code":"228128","notAfter":1758098217220}"#,
        ]) func aCode_isReadByBothNames(body: String) async throws
    {
        let token = try await onPhone.token(forAccount: "account-1")
        answer("/link", status: 201, body)
        #expect(try await onPhone.linkCode(token).text == "228128")
    }

    @Test func aCode_withTimesInSeconds_lastsFiveMinutes() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        answer("/link", status: 201, #"{"link":"228128","notBefore":1758094617,"notAfter":1758098217}"#)
        let code = try await onPhone.linkCode(token)
        #expect(code.expires == phone.clock.now.addingTimeInterval(300))
    }

    /// The service may send an error with status 200, whose code is neither a token nor a link code.
    @Test(arguments: [
        #"{"status":500,"code":"internal_error","message":"m"}"#, #"{"code":"internal_error","action":"none"}"#,
        #"{"status":500,"code":"internal_error"}"#, #"{"status":"400","code":"header_missing"}"#,
        #"{"status":"BAD_REQUEST","code":"header_missing"}"#, #"{"status":" UNAUTHORIZED\n","code":"token_invalid"}"#,
    ]) func anError_isNeitherATokenNorACode(body: String) async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        answer("/serviceToken", body)
        await #expect(throws: HouseholdError.self) { try await onPhone.token(forAccount: "account-2") }
        answer("/link", body)
        await #expect(throws: HouseholdError.self) { try await onPhone.linkCode(token) }
    }

    /// A header without a value may be one value for everybody.
    @Test(arguments: ["", " ", "\r\n\t"]) func anEmptyAccount_joinsNothing(account: String) async throws {
        let error = await #expect(throws: HouseholdError.self) { try await onPhone.token(forAccount: account) }
        guard case .service(.refused(let refusal))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == "header_missing")
        #expect(phone.sandbox.exchanges.isEmpty)
    }

    // MARK: - Codes

    @Test(
        .row("HH8"),
        arguments: [
            "%@", " %@ ", "%a-%b", "%a %b", "%a\u{A0}%b", "%a–%b", "FULLWIDTH", "\t%a.%b\n",
        ]) func aCode_isTakenAsPeopleTypeIt(form: String) async throws
    {
        let code = try await onPhone.linkCode(try await onPhone.token(forAccount: "account-1"))
        let a = code.text.prefix(3)
        let b = code.text.dropFirst(3)
        var typed = form.replacingOccurrences(of: "%@", with: code.text)
            .replacingOccurrences(of: "%a", with: a).replacingOccurrences(of: "%b", with: b)
        if form == "FULLWIDTH" {
            typed = String(
                String.UnicodeScalarView(code.text.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xFEE0) }))
        }
        let token = try await onTelevision.token(joiningWith: try #require(LinkCode(typed: typed)))
        let devices = try await onTelevision.devices(token)
        #expect(Set(devices.map(\.id)) == ["phone", "television"])
        #expect(devices.first { $0.id == "television" }?.origin == "sso")
        #expect(devices.first { $0.id == "phone" }?.model == "AppleTV")
    }

    @Test(arguments: ["", " ", "–-–", "\u{0}"]) func aTextWithoutAnyLetter_isNoCode(typed: String) {
        #expect(LinkCode(typed: typed) == nil)
    }

    @Test(.row("HH2")) func aCode_isGoodForOneDevice() async throws {
        let code = try await onPhone.linkCode(try await onPhone.token(forAccount: "account-1"))
        _ = try await onTelevision.token(joiningWith: code)
        await #expect(throws: HouseholdError.codeEnded) { try await onTelevision.token(joiningWith: code) }
    }

    @Test(.row("HH11")) func aCode_endsWithItsTime() async throws {
        let code = try await onPhone.linkCode(try await onPhone.token(forAccount: "account-1"))
        phone.clock.advance(by: 901)
        #expect(try #require(code.expires) < phone.clock.now)
        await #expect(throws: HouseholdError.codeEnded) { try await onTelevision.token(joiningWith: code) }
    }

    @Test(.row("HH11")) func aCodeOfAnotherRequestor_isUnknown() async throws {
        let code = try await onPhone.linkCode(try await onPhone.token(forAccount: "account-1"))
        let other = HouseholdService(television.service, requestorID: "DEMO2")
        await #expect(throws: HouseholdError.codeUnknown) { try await other.token(joiningWith: code) }
    }

    @Test(.row("HH11")) func guesses_areLimited_alsoForTheRightCode() async throws {
        let code = try await onPhone.linkCode(try await onPhone.token(forAccount: "account-1"))
        for guess in 1...5 {
            let wrong = try #require(LinkCode(typed: "00000\(guess)"))
            await #expect(throws: HouseholdError.codeUnknown) { try await onTelevision.token(joiningWith: wrong) }
        }
        await #expect(throws: HouseholdError.throttled) { try await onTelevision.token(joiningWith: code) }
        phone.clock.advance(by: 601)
        _ = try await onTelevision.token(joiningWith: code)
    }

    // MARK: - Devices

    @Test(.row("HH10")) func unlinking_saysWhichDevicesStay() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        let other = try await onTelevision.token(joiningWith: try await onPhone.linkCode(token))
        let outcome = try await onPhone.unlink(["unknown", "television", ""], token)
        #expect(outcome == UnlinkedDevices(unlinked: ["television"], remaining: ["unknown", ""]))
        #expect(!outcome.isComplete)
        await #expect(throws: HouseholdError.tokenRefused) { try await onTelevision.renewed(other) }
        #expect(try await onPhone.devices(token).map(\.id) == ["phone"])
    }

    @Test func unlinkingNothing_asksNothing() async throws {
        let token = ServiceToken(value: "t", expires: .distantFuture)
        #expect(try await onPhone.unlink([], token).isComplete)
        #expect(phone.sandbox.exchanges.isEmpty)
    }

    @Test(
        .row("HH9"),
        arguments: [
            (#"{"devices":{}}"#, []),
            (#"{"devices":{"a":null,"b":{"lastSeen":"1623840000000"},"c":7}}"#, ["b", "a", "c"]),
            (#"{"devices":{"a":{},"b":{"lastSeen":"1623840000000"}," b":{},"a":{"lastSeen":1}}}"#, ["b", "a"]),
            (
                #"{"devices":{"a":{"lastSeen":1623840000001,"model":[1]},"b":{"lastSeen":1623840000002,"extra":{}}}}"#,
                ["b", "a"]
            ),
        ]) func aList_isReadWhateverItsDevicesSay(body: String, ids: [String]) async throws
    {
        let token = try await onPhone.token(forAccount: "account-1")
        answer("/list", body)
        #expect(try await onPhone.devices(token).map(\.id) == ids)
    }

    /// A time in seconds is no time in January 1970.
    @Test(arguments: ["1623840000", "\"1623840000\"", "0"])
    func aDevice_withoutATimeThatCanBeTrue_hasNone(lastSeen: String) async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        answer("/list", "{\"devices\":{\"a\":{\"lastSeen\":\(lastSeen)}}}")
        #expect(try await onPhone.devices(token).map(\.lastSeen) == [nil])
    }

    @Test(arguments: ["{}", "[]", #"{"devices":[]}"#, "<html>", ""])
    func aListThatCannotBeRead_isNotAnEmptyOne(body: String) async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        answer("/list", body)
        await #expect(throws: HouseholdError.self) { try await onPhone.devices(token) }
    }

    @Test func whiteSpaceAroundAnID_isNoPartOfIt() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        answer("/list", #"{"devices":{" television\n":{}}}"#)
        #expect(try await onPhone.devices(token).map(\.id) == ["television"])
        answer("/unlink", #"{"unlinkedDevices":["\ttelevision "]}"#)
        #expect(try await onPhone.unlink(["television"], token).isComplete)
    }

    // MARK: - Errors

    @Test(.row("HH11")) func aServiceWithoutHouseholds_isNotOffered() async throws {
        var world = SandboxWorld.demo
        world.behavior.households.areOffered = false
        let desk = try await RESTv2Fixture(world: world)
        let service = HouseholdService(desk.service, requestorID: "DEMO")
        await #expect(throws: HouseholdError.notOffered) { try await service.token(forAccount: "account-1") }
    }

    @Test(arguments: [404, 405, 403]) func aServiceThatDoesNotHaveThePath_offersNoHouseholds(status: Int) async throws {
        answer("/serviceToken", status: status, "")
        await #expect(throws: HouseholdError.notOffered) { try await onPhone.token(forAccount: "account-1") }
    }

    @Test(arguments: [
        (429, "", HouseholdError.throttled),
        (429, #"{"status":429,"code":"too_many_requests","message":"m","action":"none"}"#, .throttled),
        (403, #"{"status":403,"code":"unauthorized","message":"m","action":"none"}"#, .notOffered),
    ])
    func aRefusal_isToldByItsStatusAndItsCode(status: Int, body: String, error: HouseholdError) async throws {
        answer("/serviceToken", status: status, body)
        await #expect(throws: error) { try await onPhone.token(forAccount: "account-1") }
    }

    /// A firewall's page says nothing about the service behind it.
    @Test(arguments: [401, 403, 404, 405], ["<html><p>Blocked</p></html>", "\n<!DOCTYPE html><p>Blocked"])
    func aWebPage_doesNotSayThatHouseholdsAreNotOffered(status: Int, page: String) async throws {
        answer("/serviceToken", status: status, page)
        await #expect(throws: HouseholdError.service(.webPage(status: status, type: "text/html"))) {
            try await onPhone.token(forAccount: "account-1")
        }
    }

    @Test func anAccessTokenThatHasEnded_isRenewedFirst() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        phone.script { [phone] path in
            guard path.hasSuffix("/list"), phone.requests.withLock({ $0.count { $0.request.path == path } }) == 1 else {
                return nil
            }
            return .response(status: 401, body: #"{"error":"access_denied"}"#)
        }
        #expect(try await onPhone.devices(token).count == 1)
        #expect(phone.sandbox.exchanges.count { $0.facts.step == "token" } == 2)
    }

    @Test(arguments: [500, 503]) func aServiceThatFails_saysNothingAboutTheMembership(status: Int) async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        let body = #"{"status":"ERROR","error":{"status":500,"code":"internal_error","message":"m","action":"none"}}"#
        answer("/serviceToken", status: status, status == 500 ? body : "")
        do {
            _ = try await onPhone.renewed(token)
            Issue.record("There was no error.")
        } catch {
            guard case .service = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    /// The token is missing where a proxy has removed a header that it does not know.
    @Test func aRenewalThatArrivesWithoutItsToken_saysNothingAboutTheMembership() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        let error = #"{"status":400,"code":"header_missing","message":"m","action":"check_headers"}"#
        answer("/serviceToken", status: 400, #"{"status":"BAD_REQUEST","error":\#(error)}"#)
        let found = await #expect(throws: HouseholdError.self) { try await onPhone.renewed(token) }
        guard case .service(.refused(let refusal))? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(refusal.code == "header_missing")
    }

    @Test(.row("HH12")) func secrets_areNotPrinted() async throws {
        let token = try await onPhone.token(forAccount: "account-1")
        let code = try await onPhone.linkCode(token)
        var text = ""
        dump(token, to: &text)
        dump(code, to: &text)
        dump(try await onPhone.devices(token), to: &text)
        dump(HouseholdProof.token(token.value), to: &text)
        print(token, code, [token], Optional(code) as Any, HouseholdProof.token(token.value), to: &text)
        #expect(!text.contains(token.value) && !text.contains(code.text) && !text.contains("phone"))
    }
}
