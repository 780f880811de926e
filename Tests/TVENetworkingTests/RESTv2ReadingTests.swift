import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The spellings and shapes on which the service's own documents disagree, and values that are invalid in all of them.
@Suite(.fewAtATime)
struct RESTv2ReadingTests {
    private let redirect = URL(string: "adobepass://ios.app")

    private func desk(_ path: String, _ body: String, status: Int = 200) async throws -> RESTv2Fixture {
        let desk = try await RESTv2Fixture()
        desk.script { $0.contains(path) ? .response(status: status, body: body) : nil }
        return desk
    }

    // MARK: - Configuration

    @Test(
        .row("REST API v2, 5.1"),
        arguments: [
            // The shapes are nested and flat. One list has an entry of another type and one without an id.
            "{\"requestor\":{\"id\":\"A\",\"name\":\"N\","
                + "\"domains\":[{\"name\":\"d.example\",\"mvpdInitiated\":false}],\"mvpds\":[MVPDS]}}",
            "{\"requestor\":{\"id\":\"A\",\"name\":\"N\",\"domains\":[\"d.example\"]},\"mvpds\":[MVPDS]}",
            "{\"platform\":\"x\",\"sdkType\":\"y\",\"time\":\"1795241000000\",\"errorReporting\":{},\"requestor\":"
                + "{\"id\":\"A\",\"name\":\"N\",\"domains\":[{\"name\":\"d.example\"}],\"mvpds\":[MVPDS,7,{}]}}",
        ])
    func aConfiguration_inEitherShape(shape: String) async throws {
        let providers =
            "{\"id\":\"m\",\"displayName\":\"M\",\"logoUrl\":\"http://l\",\"isTempPass\":\"true\",\"new\":[1],"
            + "\"enablePlatformServices\":1,\"boardingStatus\":\"PICKER\",\"platformMappingId\":17},{\"id\":\"n\"}"
        let desk = try await desk("/configuration", shape.replacing("MVPDS", with: providers))
        let requestor = try await desk.service.configuration(of: "A").requestor
        #expect(requestor.id == "A" && requestor.domains == ["d.example"])
        #expect(requestor.providers.map(\.id) == ["m", "n"] && requestor.providers[1].displayName == "n")
        let first = requestor.providers[0]
        #expect(first.isTempPass && first.allowsPlatformSignOn && first.platformMappingID == "17")
        #expect(
            first.boardingStatus == "PICKER" && first.authenticatesPerRequestor && !requestor.providers[1].isTempPass)
        #expect(first.serviceProvider == desk.sandbox.baseURL.absoluteString)
    }

    /// Without an id, a provider could be chosen, but no login could begin.
    @Test(
        arguments: [
            ("\"m\"", ["m"]), ("\" m\\n\"", ["m"]), ("123", ["123"]), ("\"\"", []), ("\" \\t\"", []), ("null", []),
            ("1.5", []), ("true", []), ("[\"m\"]", []), ("{}", []),
        ] as [(String, [MVPDID])])
    func aProvider_hasAnIDOfTextOrDigits_orIsLeftOut(id: String, ids: [MVPDID]) async throws {
        let provider = "{\"id\":\(id),\"displayName\":\"M\"}"
        let desk = try await desk(
            "/configuration", "{\"requestor\":{\"id\":7,\"mvpds\":[\(provider),{\"id\":\"n\"}]}}")
        let requestor = try await desk.service.configuration(of: "7").requestor
        #expect(requestor.id == "7" && requestor.providers.map(\.id) == ids + ["n"])
        // A list of providers that cannot be read does not say that there are none.
        let alone = try await self.desk(
            "/configuration", "{\"requestor\":{\"id\":7,\"mvpds\":[\(provider)]}}")
        let found = try? await alone.service.configuration(of: "7").requestor.providers.map(\.id)
        #expect(found == (ids.isEmpty ? nil : ids))
    }

    /// The service may have no provider for a requestor yet.
    @Test func aConfiguration_mayHaveNoProviders() async throws {
        let desk = try await desk("/configuration", "{\"requestor\":{\"id\":\"A\",\"mvpds\":[]}}")
        #expect(try await desk.service.configuration(of: "A").requestor.providers.isEmpty)
    }

    @Test(arguments: [
        "", "[]", "{}", "null", "{\"requestor\":{}}", "{\"requestor\":{\"id\":\"A\"}}",
        "{\"requestor\":{\"id\":\"A\",\"mvpds\":{}}}", "<config>", "{\"requestor\":",
    ])
    func aConfiguration_thatIsNone(body: String) async throws {
        let desk = try await desk("/configuration", body)
        await #expect(throws: ServiceError.unreadableJSON) { try await desk.service.configuration(of: "A") }
    }

    /// A network or a proxy has answered, whatever the type in its answer is.
    @Test(arguments: [
        "<html>", " \n<!DOCTYPE html><title>Log in</title>", "<HTML lang=\"en\">", "<!-- hotel -->\n<html>",
        "<?xml version=\"1.0\"?>\n<!-- a --><!-- b -->\n<!DOCTYPE html>",
    ])
    func aWebPage_isToldFromWhatCannotBeRead(body: String) async throws {
        let page = ServiceError.webPage(status: 200, type: "text/html")
        let desk = try await desk("/configuration", body)
        await #expect(throws: page) { try await desk.service.configuration(of: "A") }
        let other = try await self.desk("/profiles", body)
        await #expect(throws: page) { try await other.service.logins(of: "A", with: nil, knowing: nil) }
    }

    // MARK: - Sessions

    @Test(arguments: ["\"domain\"", "\"domainName\""])
    func aMissingDomain_underEitherName(name: String) async throws {
        let desk = try await desk(
            "/sessions",
            "{\"actionName\":\"resume\",\"missingParameters\":[\(name)],\"code\":1234567,"
                + "\"notAfter\":1795242660000,\"serviceProvider\":\"A\"}")
        let session = try await desk.service.createSession(requestorID: "A", mvpdID: nil, redirectURL: nil)
        #expect(session.missingParameters == ["domainName"] && session.code == "1234567")
        #expect(session.expires == Date(timeIntervalSince1970: 1_795_242_660))
    }

    @Test(
        .row("REST API v2, 5.4"),
        arguments: [
            "{\"existingParameters\":{\"domainName\":\"d\",\"mvpd\":\"m\"},"
                + "\"missingParameters\":[\"redirectUrl\"],\"notAfter\":\"1795242660000\"}",
            "{\"parameters\":{\"existing\":{\"domain\":\"d\",\"mvpd\":\"m\"},\"missing\":[\"redirectUrl\"]},"
                + "\"notAfter\":1795242660000}",
            "{\"existing\":{\"domain\":\"d\",\"mvpd\":\"m\",\"odd\":{}},\"missing\":[\"redirectUrl\"],"
                + "\"device\":null,\"notAfter\":1795242660000}",
            // A member of another kind states nothing, so the parameters beside it are read.
            "{\"parameters\":null,\"existing\":{\"domain\":\"d\",\"mvpd\":\"m\"},"
                + "\"missing\":[\"redirectUrl\"],\"notAfter\":1795242660000}",
        ])
    func whatIsKnownOfASession_inEveryShape(body: String) async throws {
        let desk = try await desk("/sessions/", body)
        let state = try await desk.service.session(code: "ABC1234", requestorID: "A")
        #expect(
            state.existingParameters == ["domainName": "d", "mvpd": "m"] && state.missingParameters == ["redirectUrl"])
        #expect(state.expires == Date(timeIntervalSince1970: 1_795_242_660))
    }

    @Test(
        arguments: [
            ("\"notBefore\":1795240000000,\"notAfter\":1795240060000", 60),
            ("\"notBefore\":1795240000000,\"notAfter\":1795276000000", 36_000),
            ("\"notBefore\":1795240000000,\"notAfter\":1795276001000", 36_000),
            ("\"notAfter\":1795240060000", 1_800), ("\"notBefore\":1795240000000", 1_800),
            // Times that no code can have: none, one before the other, and seconds in place of milliseconds.
            ("\"notBefore\":1795240000000,\"notAfter\":1795240000000", 1_800),
            ("\"notBefore\":1795240000000,\"notAfter\":1795239999000", 1_800),
            ("\"notBefore\":1795240000,\"notAfter\":1795241800", 1_800),
            ("\"notBefore\":0,\"notAfter\":36000000", 1_800),
        ] as [(String, TimeInterval)])
    func aCode_isValidAsLongAsTheServiceSays_upToTenHours(dates: String, lifetime: TimeInterval) throws {
        let body = "{\"actionName\":\"authenticate\",\"code\":\"\",\(dates)}"
        let session = try UntrustedJSON.read(AuthenticationSession.self, from: body)
        #expect(session.lifetime == lifetime)
        #expect(session.code == nil, "an empty code is none")
    }

    @Test(
        .row("B8.1", "REST API v2, 6"),
        arguments: [
            // A new action is followed if its values are those of a known action, and otherwise refused.
            ("{\"actionName\":\"meditate\",\"actionType\":\"interactive\",\"url\":\"/p\",\"code\":\"C\"}", true),
            ("{\"actionName\":\"meditate\",\"actionType\":\"direct\",\"url\":\"/p\",\"code\":\"C\"}", false),
            // Only the page of an ordinary login is documented, so a new action needs the URL of its own.
            ("{\"actionName\":\"meditate\",\"actionType\":\"interactive\",\"code\":\"C\"}", false),
            ("{\"actionName\":\"authenticate\",\"actionType\":\"interactive\",\"url\":\"/p\"}", false),
            ("{\"actionName\":\"authenticate\",\"actionType\":\"interactive\",\"url\":\"\",\"code\":\"\"}", false),
            (
                "{\"actionName\":\"authenticate\",\"actionType\":\"interactive\","
                    + "\"url\":\"javascript:x\",\"code\":\"C\"}",
                false
            ),
            ("{\"actionName\":7}", false), ("{}", false), ("[]", false),
        ])
    func aLogin_isBegun_orNot(body: String, isBegun: Bool) async throws {
        let desk = try await desk("/sessions", body)
        let request = LoginRequest(requestorID: "A", mvpdID: "m")
        if isBegun {
            let page = try await desk.service.login(request)
            #expect(
                try page.url.absoluteString == desk.sandbox.baseURL.absoluteString + "/p"
                    && page.registrationCode == "C")
        } else {
            await #expect(throws: ServiceError.unreadableJSON) { try await desk.service.login(request) }
        }
    }

    /// The member is optional, and the page of a code is documented.
    @Test(arguments: ["", ",\"url\":null", ",\"url\":\" \""])
    func aLogin_withoutAURL_hasThePageOfItsCode(url: String) async throws {
        let desk = try await desk(
            "/sessions", "{\"actionName\":\"authenticate\",\"actionType\":\"interactive\",\"code\":\"C\"\(url)}")
        let page = try await desk.service.login(LoginRequest(requestorID: "A", mvpdID: "m"))
        #expect(
            try page.url.absoluteString == desk.sandbox.baseURL.absoluteString + "/api/v2/authenticate/A/C"
                && page.registrationCode == "C")
    }

    /// The action says whether the service has a login, and the reason alone does not.
    @Test func aForcedLogin_endsNoLogin_whereThePageIsTheNextStep() async throws {
        let desk = try await desk(
            "/sessions",
            "{\"actionName\":\"authenticate\",\"actionType\":\"interactive\",\"reasonType\":\"authenticated\","
                + "\"url\":\"/p\",\"code\":\"C\"}")
        var request = LoginRequest(requestorID: "A", mvpdID: "m")
        request.isForced = true
        #expect(try await desk.service.login(request).registrationCode == "C")
        #expect(desk.count("/logout/") == 0 && desk.count("/sessions") == 1)
    }

    /// Only temporary access and degradation need no login, so with every other reason, or none, the service has one.
    @Test(
        arguments: [
            ("", 1), (",\"reasonType\":\"none\"", 1), (",\"reasonType\":\"brandNew\"", 1),
            (",\"reasonType\":\"authenticatedSSO\"", 1), (",\"reasonType\":\"temporary\"", 0),
            (",\"reasonType\":\"degraded\"", 0),
        ])
    func aForcedLogin_endsTheLoginThatTheServiceHas(reason: String, logouts: Int) async throws {
        let desk = try await RESTv2Fixture()
        let session = "{\"actionName\":\"authorize\",\"actionType\":\"direct\",\"mvpd\":\"m\"\(reason)}"
        desk.script { path in
            if path.contains("/sessions") { return .response(status: 200, body: session) }
            if path.contains("/profiles") { return .response(status: 200, body: "{\"profiles\":{}}") }
            return path.contains("/logout/") ? .response(status: 200, body: "{\"logouts\":{}}") : nil
        }
        var request = LoginRequest(requestorID: "A", mvpdID: "m")
        request.isForced = true
        #expect(try await !desk.service.login(request).needsViewer)
        #expect(desk.count("/logout/") == logouts && desk.count("/sessions") == 1 + logouts)
    }

    /// The viewer continues with decisions, and the service has no profile for the viewer.
    @Test(
        .row("REST API v2, 6"),
        arguments: [
            ("authenticated", Profile.Kind.regular), ("authenticatedSSO", .regular), ("none", .regular),
            ("degraded", .degraded), ("temporary", .tempPass),
        ])
    func aLogin_thatNeedsNoProfile_lastsAMinute(reason: String, kind: Profile.Kind) async throws {
        let desk = try await RESTv2Fixture()
        let session =
            "{\"actionName\":\"authorize\",\"actionType\":\"direct\",\"reasonType\":\"\(reason)\",\"mvpd\":\"m\"}"
        desk.script { path in
            if path.contains("/sessions") { return .response(status: 200, body: session) }
            return path.contains("/profiles") ? .response(status: 200, body: "{\"profiles\":{}}") : nil
        }
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "m"))
        let claims = try await desk.service.authentication(of: page).token.claims
        #expect(claims.kind == kind && claims.mvpdID == "m")
        #expect(claims.expires.date.timeIntervalSince(desk.clock.now) == 60)
        // A session for the platform may say the same.
        let step = try await desk.service.platformRequest(LoginRequest(requestorID: "DEMO", mvpdID: "other"))
        guard case .loggedIn(let login) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(login.token.claims == claims)
        // A request about a login without such a session gets the service's answer.
        let question = LoginPage(
            step: .nothing, requestorID: "DEMO", mvpdID: "m", registrationCode: "", expires: desk.clock.now)
        await #expect(throws: ServiceError.notLoggedIn) { try await desk.service.authentication(of: question) }
    }

    /// Only the app can add the parameters that the service misses on the first screen.
    @Test(.row("B8.1"), arguments: ["resume", "retry"])
    func aLogin_thatMissesSomething_saysWhat(action: String) async throws {
        let missing = "\"missingParameters\":[\"mvpd\",\"domain\"]"
        let desk = try await desk(
            "/sessions", "{\"actionName\":\"\(action)\",\"url\":\"/p\",\"code\":\"C\",\(missing)}")
        await #expect(throws: ServiceError.loginParametersMissing(["mvpd", "domainName"])) {
            try await desk.service.login(LoginRequest(requestorID: "A", mvpdID: "m"))
        }
    }

    // MARK: - Profiles

    @Test(arguments: [
        ("\"u\"", "u"), ("7", "7"), ("1e3", "1000"), ("-7", "-7"), ("9007199254740991", "9007199254740991"),
        ("9007199254740993", ""), ("7.5", ""), ("1e300", ""), ("true", ""), ("null", ""), ("{}", ""),
    ])
    func theIDOfTheViewer_isATextOrAWholeNumber(value: String, id: String) async throws {
        let body = """
            {"profiles":{"m":{"notAfter":1797832900000,"issuer":"m","type":"regular",\
            "attributes":{"userID":{"value":\(value),"state":"plain"}}}}}
            """
        let desk = try await desk("/profiles", body)
        let found = try await desk.service.logins(of: "A", with: nil, knowing: nil)
        #expect(found.map(\.token.claims.authenticationGUID) == [id])
    }

    /// Such a login has no end, in the words of the service's language.
    @Test(arguments: ["9223372036854775807", "\"9223372036854775807\""])
    func aProfile_thatEndsAfterAllTime_isALogin(end: String) async throws {
        let body = "{\"profiles\":{\"m\":{\"notAfter\":\(end),\"type\":\"regular\"}}}"
        let desk = try await desk("/profiles", body)
        let found = try await desk.service.logins(of: "A", with: nil, knowing: nil)
        #expect(found.map(\.token.claims.expires.secondsSince1970) == [253_402_300_799])
    }

    @Test(
        .row("REST API v2, 5.8"), arguments: ["\"enc\"", "\"encrypted\"", "\"sealed\""],
        ["1797832900000", "\"1797832900000\""])
    func aProfile_inEverySpelling(state: String, end: String) async throws {
        let body = """
            {"profiles":{"m":{"notBefore":1795240900000,"notAfter":\(end),"issuer":"m","type":"brandNew","x":1,\
            "attributes":{"userId":{"value":"u","state":"plain"},"householdId":{"value":"h"},\
            "zip":{"value":"c2VjcmV0","state":\(state)},"maxRating":{"value":{"MPAA":"NR"},"state":"plain"},\
            "bad":7,"none":{"state":"plain","error":"x"},"is_hoh":{"value":"1"},"inHome":{"value":true}}},\
            "broken":{"type":"regular"}}}
            """
        let desk = try await desk("/profiles", body)
        let found = try await desk.service.logins(of: "A", with: nil, knowing: nil)
        let login = try #require(found.first)
        let token = login.token
        let metadata = login.metadata
        #expect(found.count == 1 && token.claims.mvpdID == "m" && token.claims.authenticationGUID == "u")
        #expect(token.claims.expires.secondsSince1970 == 1_797_832_900 && token.claims.fingerprint == "fp")
        #expect(metadata?.encrypted == ["zip"])
        #expect(metadata?.data["userID"] == .string("u") && metadata?.data["householdID"] == .string("h"))
        #expect(
            metadata?.data["maxRating"] == .object(["MPAA": .string("NR")]) && metadata?.data["inHome"] == .bool(true))
        #expect(metadata?.data["bad"] == nil && metadata?.data["none"] == nil)
        #expect(desk.service.recognizes(token) && !"\(token)".contains("u\""))
    }

    @Test(arguments: [("userId", "userID"), ("householdId", "householdID")])
    func anEncryptedFact_isThatUnderItsCurrentName(old: String, current: String) async throws {
        let body = """
            {"profiles":{"m":{"notAfter":1797832900000,"type":"regular","attributes":{\
            "\(old)":{"value":"x","state":"enc"},"zip":{"state":"enc"}}}}}
            """
        let desk = try await desk("/profiles", body)
        let metadata = try await desk.service.logins(of: "A", with: nil, knowing: nil).first?.metadata
        #expect(metadata?.data == [current: .string("x")] && metadata?.encrypted == [current])
    }

    @Test(arguments: ["1e400", "-1e400", "[1,1e400]", "{\"a\":{\"b\":1e999}}"])
    func aNumberThatNoDoubleHolds_hidesItsOwnFactAlone(number: String) async throws {
        let body = """
            {"profiles":{"m":{"notAfter":1797832900000,"type":"regular","attributes":{\
            "weight":{"value":\(number),"state":"plain"},"zip":{"value":"1"}}}}}
            """
        let desk = try await desk("/profiles", body)
        let metadata = try await desk.service.logins(of: "A", with: nil, knowing: nil).first?.metadata
        #expect(metadata?.data == ["zip": .string("1")])
    }

    @Test(arguments: [
        "{\"profiles\":{\"m\":{}}}", "{\"profiles\":{\"m\":{\"notAfter\":\"soon\"}}}",
        "{\"profiles\":{\"m\":{\"notAfter\":1e300}}}",
        // An end that no profile can have: in seconds, at zero, or not after the beginning.
        "{\"profiles\":{\"m\":{\"notAfter\":0}}}", "{\"profiles\":{\"m\":{\"notAfter\":1797832900}}}",
        "{\"profiles\":{\"m\":{\"notBefore\":1797832900000,\"notAfter\":1797832900000}}}",
        "{\"profiles\":{\"m\":{\"notAfter\":-1}}}",
        // A login with no provider.
        "{\"profiles\":{\"\":{\"notAfter\":1797832900000}}}", "{\"profiles\":{\" \":{\"notAfter\":1797832900000}}}",
        "{\"profiles\":[]}", "{\"profiles\":null}", "{}", "", "<profiles>",
    ])
    func nobody_isNotRead_outOfWhatCannotBeRead(body: String) async throws {
        let desk = try await desk("/profiles", body)
        await #expect(throws: ServiceError.unreadableJSON) {
            try await desk.service.logins(of: "A", with: nil, knowing: nil)
        }
    }

    /// A service that has failed did not look for profiles.
    @Test func nobody_isNotRead_outOfAnEmptyMapBesideAnError() async throws {
        func body(_ code: String) -> String {
            "{\"profiles\":{},\"status\":500,\"code\":\"\(code)\",\"action\":\"none\"}"
        }
        let desk = try await desk("/profiles", body("internal_server_error"))
        let error = EnhancedError(status: 500, code: "internal_server_error", action: "none")
        await #expect(throws: ServiceError.refused(error)) {
            try await desk.service.logins(of: "A", with: nil, knowing: nil)
        }
        let other = try await self.desk("/profiles", body("authenticated_profile_missing"))
        #expect(try await other.service.logins(of: "A", with: nil, knowing: nil).isEmpty)
    }

    /// The service has looked, whatever the form of its answer is.
    @Test(
        .row("B8.1"),
        arguments: [
            "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
        ], [200, 401, 403, 500])
    func nobody_isRead_outOfAnErrorThatNamesAMissingLogin(code: String, status: Int) async throws {
        let error = "{\"status\":403,\"code\":\"\(code)\",\"action\":\"authentication\"}"
        let desk = try await desk("/profiles", error, status: status)
        #expect(try await desk.service.logins(of: "DEMO", with: "A", knowing: StrictDesk.login.get()).isEmpty)
        let question = LoginPage(
            step: .nothing, requestorID: "DEMO", mvpdID: "A", registrationCode: "", expires: desk.clock.now)
        await #expect(throws: ServiceError.notLoggedIn) { try await desk.service.authentication(of: question) }
    }

    /// The service has ended the login since it said that no page is needed.
    @Test(.row("REST API v2, 6"))
    func aLogin_thatNeedsNoPage_isNotMadeUp_whenAnErrorContradictsTheSession() async throws {
        let session =
            "{\"actionName\":\"authorize\",\"actionType\":\"direct\",\"reasonType\":\"authenticated\",\"mvpd\":\"A\"}"
        let error =
            "{\"status\":403,\"code\":\"authenticated_profile_invalidated\",\"action\":\"authentication\","
            + "\"details\":\"Ended.\",\"trace\":\"x-1\"}"
        let desk = try StrictDesk([
            (RESTv2Call.login.request, .response(status: 200, body: session)),
            ("GET /api/v2/DEMO/profiles/A", .response(status: 403, body: error)),
            (RESTv2Call.authentication.request, .response(status: 403, body: error)),
        ])
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "A"))
        let failure = await #expect(throws: ServiceError.self) { try await desk.service.authentication(of: page) }
        // The poll of a code goes on, and its failure has the texts as well.
        let poll = LoginPage(
            step: .typeCode, requestorID: "DEMO", mvpdID: "A", registrationCode: "CODE", expires: .distantFuture)
        let later = await #expect(throws: ServiceError.self) { try await desk.service.authentication(of: poll) }
        for signal in [failure?.endOfLogin, later?.endOfLogin] {
            #expect(signal?.explanation?.details == "Ended." && signal?.explanation?.trace == "x-1")
        }
        #expect(desk.transport.left == [])
    }

    @Test func aLogin_isNotOver_whenItsProfileAloneCannotBeRead() async throws {
        let good = "{\"notAfter\":1797832900000,\"type\":\"regular\"}"
        let before = try await desk("/profiles", "{\"profiles\":{\"m\":\(good)}}")
        let known = try #require(try await before.service.logins(of: "A", with: nil, knowing: nil).first?.token)
        for id in ["M", "m"] {
            let desk = try await desk("/profiles", "{\"profiles\":{\"\(id)\":{\"notAfter\":\"soon\"},\"n\":\(good)}}")
            await #expect(throws: ServiceError.unreadableJSON) {
                try await desk.service.logins(of: "A", with: nil, knowing: known)
            }
        }
        let desk = try await desk("/profiles", "{\"profiles\":{\"m\":{\"notAfter\":\"soon\"},\"n\":\(good)}}")
        #expect(try await desk.service.logins(of: "A", with: nil, knowing: nil).map(\.token.claims.providerID) == ["n"])
    }

    @Test(arguments: [("appleSSO", MetadataValue.string("Apple")), ("platformSSO", nil), ("regular", nil)])
    func aProfile_namesThePlatformItCameFrom(type: String, source: MetadataValue?) async throws {
        let body = "{\"profiles\":{\"m\":{\"notAfter\":1797832900000,\"type\":\"\(type)\"}}}"
        let desk = try await desk("/profiles", body)
        let found = try await desk.service.logins(of: "A", with: nil, knowing: nil)
        #expect(found.map { $0.metadata?.data["tokenSource"] } == [source])
    }

    @Test(arguments: [
        ("{\"profiles\":{}}", false), ("{\"profiles\":{\"m\":{\"notAfter\":1797832900000}}}", false),
        ("{\"profiles\":{\"m\":{\"notAfter\":1797832900000},\"n\":{}}}", false),
        ("{\"profiles\":{\"m\":{}}}", true), ("{\"profiles\":[]}", true), ("{\"profiles\":null}", true),
        ("{}", true), ("[]", true), ("\"x\"", true), ("", true),
    ])
    func profilesThatCannotBeRead_sayNothingAboutLogins(body: String, isUnreadable: Bool) {
        let body = Data(body.utf8)
        for path in ["/api/v2/A/profiles", "/api/v2/A/profiles/m?x=y", "/api/v2/A/profiles/code/C"] {
            #expect(Endpoint.leavesLoginsUnknown(status: 200, body, at: path) == isUnreadable, "\(path)")
            // No map of profiles comes with another status.
            for status in [304, 400, 401, 403, 404, 425, 500] {
                #expect(Endpoint.leavesLoginsUnknown(status: status, body, at: path), "\(path) \(status)")
            }
        }
        for path in ["/api/v2/profiles/configuration", "/api/v2/A/decisions/authorize/profiles", "/", ""] {
            #expect(!Endpoint.leavesLoginsUnknown(status: 400, body, at: path), "\(path)")
        }
    }

    /// Only an error about the login itself is an answer to the question who is logged in, whatever its status is.
    @Test(arguments: [
        ("authenticated_profile_missing", "authentication", false), ("authenticated_profile_expired", "none", false),
        ("temporary_access_duration_limit_exceeded", "authentication", false),
        ("invalid_parameter_service_provider", "none", true), ("internal_server_error", "none", true),
        ("brand_new", "authentication", true), ("c", "none", true),
    ])
    func anError_saysNothingAboutLogins_unlessItNamesAMissingOne(code: String, action: String, isUnknown: Bool) {
        let body = Data("{\"code\":\"\(code)\",\"action\":\"\(action)\"}".utf8)
        for status in [200, 400, 403, 500] {
            #expect(Endpoint.leavesLoginsUnknown(status: status, body, at: "/api/v2/A/profiles") == isUnknown)
        }
    }

    // MARK: - White space

    @Test func whiteSpaceAroundAValue_isNoPartOfIt() async throws {
        let configuration = try await desk(
            "/configuration",
            #"{"requestor":{"id":" A","domains":[" d "],"mvpds":[{"id":"\n m ","displayName":"\tM m\r\n"}]}}"#)
        let requestor = try await configuration.service.configuration(of: "A").requestor
        #expect(requestor.id == "A" && requestor.domains == ["d"])
        #expect(requestor.providers.map(\.id) == ["m"] && requestor.providers.map(\.displayName) == ["M m"])
        let session = try await desk(
            "/sessions", #"{"actionName":" authenticate ","actionType":"interactive\n","url":" /p\n","code":" C\n"}"#)
        let page = try await session.service.login(LoginRequest(requestorID: "A", mvpdID: "m"))
        #expect(try page.url.absoluteString == session.sandbox.baseURL.absoluteString + "/p")
        #expect(page.registrationCode == "C")
        let state = try await desk("/sessions/", #"{"existingParameters":{"mvpd":" m\n"}}"#)
        #expect(
            try await state.service.session(code: "ABC1234", requestorID: "A").existingParameters == ["mvpd": "m"])
        let profiles = try await desk(
            "/profiles", #"{"profiles":{" m\n":{"notAfter":1797832900000,"type":" temporary"}}}"#)
        let login = try #require(
            try await profiles.service.logins(of: "A", with: nil, knowing: nil).first?.token)
        #expect(login.claims.mvpdID == "m" && login.claims.kind == .tempPass)
    }

    // MARK: - Errors

    @Test(
        arguments: [
            ("{\"code\":\"c\",\"status\":\"403\",\"message\":{\"a\":1},\"action\":\"none\"}", 403, nil),
            ("{\"code\":\"c\",\"status\":403,\"message\":\"m\",\"action\":\"configuration\",\"new\":[]}", 403, "m"),
            // Without a status of its own, an error has that of its answer.
            ("{\"code\":\"c\",\"message\":\"m\"}", 400, "m"), ("{\"code\":\"c\",\"action\":\"none\"}", 400, nil),
            // A status is enough to tell an error from the answer with the code of a login.
            ("{\"code\":\"c\",\"status\":403}", 403, nil),
            // An empty member does not hide what stands beside it.
            ("{\"error\":{},\"code\":\"c\",\"status\":403,\"message\":\"m\"}", 403, "m"),
            ("{\"code\":\"c\",\"status\":403,\"message\":\"m\",\"error\":{\"error\":{}}}", 403, "m"),
            ("{\"code\":\"x\",\"status\":404,\"error\":{\"code\":\"c\",\"status\":403,\"message\":\"m\"}}", 403, "m"),
        ] as [(String, Int, String?)])
    func anError_isReadWithWhatItHas(body: String, status: Int, message: String?) async throws {
        let desk = try await desk("/profiles", body, status: 400)
        let expected = ServiceError.refused(
            EnhancedError(
                status: status, code: "c", message: message,
                action: body.contains("none") ? "none" : body.contains("configuration") ? "configuration" : nil))
        await #expect(throws: expected) { try await desk.service.logins(of: "A", with: nil, knowing: nil) }
    }

    /// The status of an answer that succeeded is none of its error's.
    @Test func anError_inAnAnswerThatSucceeded_hasNoStatus() async throws {
        let desk = try await desk("/profiles", "{\"code\":\"c\",\"action\":\"none\"}")
        await #expect(throws: ServiceError.refused(EnhancedError(code: "c", action: "none"))) {
            try await desk.service.logins(of: "A", with: nil, knowing: nil)
        }
    }

    @Test(arguments: ["", "<html>", "{}", "{\"error\":\"x\"}", "{\"code\":\"c\"}", "[1]"])
    func anError_thatIsNone_isItsStatus(body: String) async throws {
        for status in [400, 403, 404, 405, 429, 500, 503] {
            let desk = try await desk("/profiles", body, status: status)
            await #expect(throws: ServiceError.status(status)) {
                try await desk.service.logins(of: "A", with: nil, knowing: nil)
            }
        }
    }

    // MARK: - The other spelling of the sandbox

    @Test(.row("CL29")) func everything_inTheOtherSpelling_withAbsoluteURLs_andAJunkRedirect() async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.usesOtherSpelling = true
        world.behavior.restV2.usesAbsoluteURLs = true
        world.behavior.restV2.appendsToRedirect = true
        world.behavior.restV2.failsWithoutProfile = true
        world.viewers[0].encrypted = ["householdID": "c2VjcmV0"]
        let desk = try await RESTv2Fixture(world: world)
        let begun = try await desk.service.createSession(requestorID: "DEMO", mvpdID: "demo-cable", redirectURL: nil)
        #expect(begun.missingParameters == ["domainName", "redirectUrl"])
        let code = try #require(begun.code)
        #expect(
            try await desk.service.session(code: code, requestorID: "DEMO").existingParameters["mvpd"] == "demo-cable")
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable"))
        #expect(try page.url.absoluteString.hasPrefix(desk.sandbox.baseURL.absoluteString))
        guard case .redirect(let end) = try await desk.logIn(at: page.url) else {
            Issue.record("no end")
            return
        }
        #expect(end.query() == "state=0&code=junk")
        let answer = try await desk.service.authentication(of: page)
        let login = answer.token
        #expect(answer.metadata?.encrypted == ["householdID"])
        let logout = try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", login, redirectURL: nil)
        #expect(logout.page?.url.absoluteString.hasPrefix(desk.sandbox.baseURL.absoluteString) == true)
        let error = await #expect(throws: ServiceError.self) {
            try await desk.service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        }
        #expect(error?.endOfLogin?.reason == "authenticated_profile_missing")
    }
}
