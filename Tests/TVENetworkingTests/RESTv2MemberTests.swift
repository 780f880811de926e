import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The members of answers that no flow needs, members that occur twice, and the first time that a service can name.
@Suite(.fewAtATime)
struct RESTv2MemberTests {
    // MARK: - Configuration

    @Test(arguments: [("device", "clientType"), ("platform", "sdkType")])
    func aConfiguration_hasEveryMember(device: String, client: String) async throws {
        let provider =
            "{\"id\":\"m\",\"logoUrl\":\" https://l.example/m.png \",\"isProxy\":\"true\",\"authPerBrowserSession\":1,"
            + "\"displayInPlatformPicker\":true}"
        let body =
            "{\"time\":\"1795241000000\",\"\(device)\":\" mobile\",\"\(client)\":\"ios \",\"os\":\"iOS\","
            + "\"requestor\":{\"id\":\"A\",\"name\":\" Channel A\",\"channels\":[\"one\",\"two\"],"
            + "\"mvpds\":[\(provider),{\"id\":\"n\"}]}}"
        let desk = try await RESTv2Fixture.answering("/configuration", body)
        let configuration = try await desk.service.configuration(of: "A")
        #expect(configuration.serverTime == Date(timeIntervalSince1970: 1_795_241_000))
        #expect(configuration.deviceType == "mobile" && configuration.clientType == "ios")
        #expect(configuration.operatingSystem == "iOS")
        #expect(configuration.requestor.name == "Channel A" && configuration.requestor.channels == ["one", "two"])
        let providers = configuration.requestor.providers
        #expect(providers.map(\.logoURL) == ["https://l.example/m.png", ""])
        #expect(providers.map(\.isProxy) == [true, false])
        #expect(providers.map(\.authenticatesPerBrowserSession) == [true, false])
        #expect(providers.map(\.isShownInPlatformPicker) == [true, false])
    }

    @Test func aConfiguration_withTheNecessaryMembersAlone() async throws {
        let desk = try await RESTv2Fixture.answering(
            "/configuration", "{\"requestor\":{\"id\":\"A\",\"mvpds\":[{\"id\":\"m\"}]}}")
        let configuration = try await desk.service.configuration(of: "A")
        #expect(configuration.serverTime == nil && configuration.operatingSystem == nil)
        #expect(configuration.deviceType == nil && configuration.clientType == nil)
        #expect(configuration.requestor.name == "A" && configuration.requestor.channels.isEmpty)
        #expect(configuration.requestor.providers.map(\.logoURL) == [""])
    }

    // MARK: - Names that occur twice

    @Test(arguments: [
        ("{\"notAfter\":1797832900000}", "{\"notAfter\":1797832960000}"),
        ("{\"notAfter\":1797832900000}", "{}"), ("{\"notAfter\":1797832900000}", "null"),
    ])
    func ofTwoProfilesOfOneProvider_theFirstCounts(first: String, second: String) async throws {
        let desk = try await RESTv2Fixture.answering("/profiles", "{\"profiles\":{\"m\":\(first),\"m\":\(second)}}")
        let found = try await desk.service.logins(of: "A", with: "m", knowing: nil)
        #expect(found.map(\.token.claims.expires.secondsSince1970) == [1_797_832_900])
    }

    /// A profile that cannot be read says nothing, and no profile after it replaces it.
    @Test(arguments: ["m", " m ", "M"])
    func aProfileThatCannotBeRead_isNotReplacedByItsDouble(other: String) async throws {
        let body = "{\"profiles\":{\"m\":{},\"\(other)\":{\"notAfter\":1797832900000}}}"
        let desk = try await RESTv2Fixture.answering("/profiles", body)
        await #expect(throws: ServiceError.unreadableJSON) {
            try await desk.service.logins(of: "A", with: "m", knowing: nil)
        }
    }

    @Test func ofTwoFactsOfOneName_theFirstCounts() async throws {
        let body = """
            {"profiles":{"m":{"notAfter":1797832900000,"attributes":{\
            "zip":{"value":"1"},"zip":{"value":"2","state":"enc"}}}}}
            """
        let desk = try await RESTv2Fixture.answering("/profiles", body)
        let metadata = try await desk.service.logins(of: "A", with: nil, knowing: nil).first?.metadata
        #expect(metadata?.data == ["zip": .string("1")] && metadata?.encrypted == [])
    }

    /// A fact of another kind states nothing, so the one under the other name is read.
    @Test(arguments: ["7", "\"x\"", "[\"x\"]", "null"])
    func aFactOfAnotherKind_hidesNoOther(fact: String) async throws {
        let facts = "{\"userID\":\(fact),\"userId\":{\"value\":\"u\"}}"
        let desk = try await RESTv2Fixture.answering(
            "/profiles", "{\"profiles\":{\"m\":{\"notAfter\":1797832900000,\"attributes\":\(facts)}}}")
        let found = try await desk.service.logins(of: "A", with: nil, knowing: nil)
        #expect(found.map(\.token.claims.authenticationGUID) == ["u"])
    }

    @Test func ofTwoStepsOfOneProvider_theFirstCounts() async throws {
        let body = """
            {"logouts":{"m":{"actionName":"complete"},"m":{"actionName":"logout","url":"/second"}}}
            """
        let desk = try await RESTv2Fixture.answering("/logout", body)
        let step = try await desk.service.logout(requestorID: "A", mvpdID: "m", nil, redirectURL: nil)
        #expect(step == .nothing)
    }

    @Test func ofTwoParametersOfOneName_theFirstCounts() async throws {
        let desk = try await RESTv2Fixture.answering(
            "/sessions/", "{\"existingParameters\":{\"mvpd\":\"m\",\"mvpd\":\"n\"}}")
        let state = try await desk.service.session(code: "ABC1234", requestorID: "A")
        #expect(state.existingParameters == ["mvpd": "m"])
    }

    // MARK: - Spelling

    /// Two profiles may differ from the id of the configuration in the case of their letters alone.
    @Test(arguments: [["Sport-K", "sport-k"], ["sport-k", "Sport-K"]])
    func ofTwoSpellings_theLoginThatLastsLongerCounts(ids: [String]) async throws {
        let entries = zip(ids, [1_797_832_900_000, 1_797_832_960_000]).map { "\"\($0)\":{\"notAfter\":\($1)}" }
        let desk = try await RESTv2Fixture.answering("/profiles", "{\"profiles\":{\(entries.joined(separator: ","))}}")
        let found = try await desk.service.logins(of: "A", with: "SPORT-K", knowing: nil)
        #expect(found.map(\.token.claims.mvpdID) == ["SPORT-K"])
        #expect(found.map(\.token.claims.expires.secondsSince1970) == [1_797_832_960])
    }

    /// The service encrypts the id for the programmer, with another result in each answer.
    @Test(arguments: ["userID", "userId"])
    func anEncryptedIDOfTheViewer_makesNoOtherLogin(name: String) async throws {
        let answers = ["x", "y"].map { secret -> (String, ScriptedTransport.Answer) in
            let id = "\"\(name)\":{\"value\":\"\(secret)\",\"state\":\"enc\"}"
            let profile = "{\"notAfter\":4102444800000,\"attributes\":{\(id)}}"
            return (RESTv2Call.logins.request, .response(status: 200, body: "{\"profiles\":{\"A\":\(profile)}}"))
        }
        let desk = try StrictDesk(answers)
        let first = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        let second = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        #expect(first.count == 1 && first.map(\.token) == second.map(\.token))
        #expect(first.first?.token.claims.authenticationGUID == "")
        #expect(second.first?.metadata?.data == ["userID": .string("y")])
        #expect(second.first?.metadata?.encrypted == ["userID"])
    }

    @Test(arguments: [
        ("\"plain\"", false), ("\" plain\\n\"", false), ("\"enc\"", true), ("\"\"", true), ("null", false),
    ])
    func aFact_isPlain_whateverStandsAroundTheWord(state: String, isEncrypted: Bool) async throws {
        let body = """
            {"profiles":{"m":{"notAfter":1797832900000,"attributes":{"zip":{"value":"1","state":\(state)}}}}}
            """
        let desk = try await RESTv2Fixture.answering("/profiles", body)
        let metadata = try await desk.service.logins(of: "A", with: nil, knowing: nil).first?.metadata
        #expect(metadata?.encrypted == (isEncrypted ? ["zip"] : []))
    }

    // MARK: - Sessions of the platform

    /// The session leaves the provider open, so the login is that of the request.
    @Test(arguments: ["", ",\"mvpd\":null", ",\"mvpd\":\"\"", ",\"mvpd\":\" \""])
    func aSession_thatNamesNoProvider_isAboutTheRequestedOne(mvpd: String) async throws {
        let session = "{\"actionName\":\"authorize\",\"actionType\":\"direct\"\(mvpd)}"
        let profiles = #"{"profiles":{"A":{"notAfter":4102444800000}}}"#
        let desk = try StrictDesk([
            (RESTv2Call.platformRequest.request, .response(status: 200, body: session)),
            ("GET /api/v2/DEMO/profiles/A", .response(status: 200, body: profiles)),
        ])
        guard
            case .loggedIn(let login) = try await desk.service.platformRequest(
                LoginRequest(requestorID: "DEMO", mvpdID: "A"))
        else {
            Issue.record("no login")
            return
        }
        #expect(login.token.claims.mvpdID == "A" && desk.transport.left == [])
    }

    /// The profile of another provider says nothing about this one, and an empty map says that there is none.
    @Test(arguments: [
        ("{\"B\":{\"notAfter\":4102444800000}}", ServiceError.unreadableJSON),
        ("{\"A\":{},\"B\":{\"notAfter\":4102444800000}}", .unreadableJSON), ("{}", .notLoggedIn),
    ])
    func aProfileOfThePlatform_isThatOfTheRequest(profiles: String, error: ServiceError) async throws {
        let body = "{\"profiles\":\(profiles)}"
        let desk = try StrictDesk([
            (RESTv2Call.platformAuthentication.request, .response(status: 201, body: body))
        ])
        await #expect(throws: error) {
            try await desk.service.authentication(from: "x", requestorID: "DEMO", mvpdID: "A")
        }
    }

    /// The profile of another provider does not take the place of one that cannot be read, and neither of two profiles
    /// is the login.
    @Test(arguments: ["\"A\":{}", "\"a\":{}", "\"C\":{\"notAfter\":4102444800000}"])
    func anotherProfile_isNotTheLogin_whereItIsInDoubt(other: String) async throws {
        let body = "{\"profiles\":{\(other),\"B\":{\"notAfter\":4102444800000}}}"
        let desk = try StrictDesk([(RESTv2Call.authentication.request, .response(status: 200, body: body))])
        await #expect(throws: ServiceError.unreadableJSON) {
            try await RESTv2Call.authentication.perform(desk.service)
        }
    }

    /// The platform cannot answer an empty request.
    @Test(arguments: ["null", "{}", #"{"request":null}"#, #"{"request":""}"#, #"{"request":" "}"#, #"["x"]"#])
    func aSession_withoutARequestToThePlatform_isNone(request: String) async throws {
        let session = "{\"actionName\":\"partner_profile\",\"mvpd\":\"A\",\"authenticationRequest\":\(request)}"
        let desk = try StrictDesk([
            (RESTv2Call.platformRequest.request, .response(status: 200, body: session))
        ])
        await #expect(throws: ServiceError.unreadableJSON) {
            try await desk.service.platformRequest(LoginRequest(requestorID: "DEMO", mvpdID: "A"))
        }
    }

    // MARK: - Times

    /// The year 2001 begins at 978,307,200 seconds.
    ///
    /// A time before is one in seconds that is read as milliseconds.
    @Test(arguments: [(978_307_199_999, false), (978_307_200_000, true)])
    func aLogin_mayEndFromTheYear2001On(end: Int, isRead: Bool) async throws {
        let desk = try await RESTv2Fixture.answering("/profiles", "{\"profiles\":{\"m\":{\"notAfter\":\(end)}}}")
        let found = try? await desk.service.logins(of: "A", with: nil, knowing: nil)
        #expect(found?.count == (isRead ? 1 : nil))
    }

    /// A time in seconds would be one of January 1970, and the device's clock would seem to be wrong by decades.
    @Test(
        arguments: [
            ("978307200000", 978_307_200), ("978307199999", nil), ("1795241000", nil), ("\"1795241000\"", nil),
            ("0", nil),
        ] as [(String, TimeInterval?)])
    func aConfiguration_mayHaveATimeFromTheYear2001On(time: String, isRead: TimeInterval?) async throws {
        let desk = try await RESTv2Fixture.answering(
            "/configuration", "{\"time\":\(time),\"requestor\":{\"id\":\"A\",\"mvpds\":[]}}")
        let configuration = try await desk.service.configuration(of: "A")
        #expect(configuration.serverTime == isRead.map { Date(timeIntervalSince1970: $0) })
    }

    @Test(arguments: [(978_307_199_999, 1_800), (978_307_200_000, 60)] as [(Int, TimeInterval)])
    func aCode_mayBeginAndEndFromTheYear2001On(begins: Int, lifetime: TimeInterval) throws {
        func session(_ dates: String) throws -> AuthenticationSession {
            try UntrustedJSON.read(AuthenticationSession.self, from: "{\"actionName\":\"authenticate\",\(dates)}")
        }
        let whole = try session("\"notBefore\":\(begins),\"notAfter\":978307260000")
        #expect(whole.lifetime == lifetime)
        let end = try session("\"notAfter\":\(begins)").expires
        #expect(end == (lifetime == 60 ? Date(timeIntervalSinceReferenceDate: 0) : nil))
    }

    /// A code whose end is read as a time of January 1970 would seem to have expired.
    @Test(
        arguments: [
            ("1795242660", nil), ("\"1795242660\"", nil), ("0", nil), ("1795242660000", 1_795_242_660),
        ] as [(String, TimeInterval?)])
    func theStateOfACode_mayEndFromTheYear2001On(end: String, isRead: TimeInterval?) async throws {
        let desk = try await RESTv2Fixture.answering(
            "/sessions/", "{\"missingParameters\":[\"mvpd\"],\"notAfter\":\(end)}")
        let state = try await desk.service.session(code: "ABC1234", requestorID: "A")
        #expect(state.expires == isRead.map { Date(timeIntervalSince1970: $0) })
    }

    /// The time of a TempPass is measured from its beginning, and would last for decades from one at zero.
    @Test(arguments: ["0", "1795241000", "\"1795241000\"", "null", "{}"])
    func aTempPass_withoutABeginningThatCanBeTrue_endsAtItsEnd(begins: String) async throws {
        let desk = try await RESTv2Fixture()
        let end = Int(desk.clock.now.timeIntervalSince1970) + 600
        let profile = "{\"notBefore\":\(begins),\"notAfter\":\(end)000,\"type\":\"temporary\"}"
        desk.script {
            $0.contains("/profiles") ? .response(status: 200, body: "{\"profiles\":{\"m\":\(profile)}}") : nil
        }
        let found = try await desk.service.logins(of: "A", with: "m", knowing: nil)
        #expect(found.map(\.token.claims.expires.secondsSince1970) == [Int64(end)])
    }

    private func permission(ending end: String, tokenTime: String) async throws -> (StrictDesk, AuthorizationAnswer) {
        let body = """
            {"decisions":[{"resource":"R","authorized":true,"notAfter":\(end),"token":{\
            "notBefore":\(tokenTime),"notAfter":\(tokenTime),"serializedToken":"TYGjZ33"}}]}
            """
        let desk = try StrictDesk([(RESTv2Call.authorization.request, .response(status: 200, body: body))])
        let answer = try await desk.service.authorization(
            for: "R", requestorID: "DEMO", data: [:], try StrictDesk.login.get())
        return (desk, answer)
    }

    /// A token of January 1970 would have ended before it came.
    @Test(arguments: ["1795241000", "\"1795241000\"", "0", "null"])
    func aPermission_withoutATimeThatCanBeTrue_lastsSevenMinutes(time: String) async throws {
        let (desk, answer) = try await permission(ending: time, tokenTime: time)
        #expect(answer.mediaToken?.claims.timeToLive == 420_000)
        #expect(abs(answer.token.claims.expires.date.timeIntervalSince(desk.clock.now) - 420) < 1)
    }

    @Test(arguments: ["9223372036854775807", "\"9223372036854775807\""])
    func aPermission_thatEndsAfterAllTime_lastsLongerThanItsToken(end: String) async throws {
        let (_, answer) = try await permission(ending: end, tokenTime: "null")
        #expect(answer.token.claims.expires.secondsSince1970 == 253_402_300_799)
    }
}
