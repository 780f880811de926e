import AccessEnabler
import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVESandbox
import TVEStorage
import TVETestSupport
import Testing

/// The calls that `ClassicFlowTests` does not make.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ClassicCallTests {
    // MARK: - Options

    @Test func M5_sendsTheOptions_withEveryLaterRequest() async throws {
        let app = try await ClassicApp()
        let seen = Guarded<[String]>([])
        app.transport.setScript { request, body in
            let visitor = request.headerFields.first { $0.name.canonicalName == "ap-visitor-identifier" }?.value ?? "-"
            let form = String(decoding: body ?? Data(), as: UTF8.self)
            let parts = [
                visitor, form.contains("device_info=OVERRIDE") ? "info" : "-",
                form.contains("applicationProfile=p1") || request.path?.contains("applicationProfile=p1") == true
                    ? "profile" : "-",
            ]
            seen.withLock {
                $0.append("\(request.path?.split(separator: "/").last?.prefix { $0 != "?" } ?? "") \(parts)")
            }
            return nil
        }
        app.enabler.setOptions([
            OPTION_VISITOR_ID: "visitor-1", OPTION_PROFILE: "p1", OPTION_DEVICE_INFO: "OVERRIDE", "unknown": 7,
        ])
        try await app.logIn()
        #expect(
            seen.withLock { $0.filter { $0.contains("DEMO ") || $0.contains("sessionDevice") } } == [
                "DEMO [\"visitor-1\", \"-\", \"profile\"]", "sessionDevice [\"visitor-1\", \"info\", \"profile\"]",
            ])
        // Key by key, and taken back by a value that is none.
        app.enabler.setOptions([OPTION_VISITOR_ID: NSNull()])
        app.enabler.checkAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        #expect(seen.withLock { $0.last } == "deviceShortAuthorize [\"-\", \"info\", \"profile\"]")
    }

    // MARK: - Start

    @Test(arguments: [
        (IntegrityCheckType.INTEGRITY_CHECK_NONE, Int32(1)), (.INTEGRITY_CHECK_ALL, 1), (.INTEGRITY_CHECK_CLEAR, 0),
    ])
    func T64_T67_T71_looksAtAHealthyStore(check: IntegrityCheckType, isLoggedIn: Int32) async throws {
        let storage = MemoryStorage()
        let app = try await ClassicApp(storage: storage)
        try await app.logIn()
        let next = try await ClassicApp(storage: storage, earlier: app.sandbox, check: check)
        next.setRequestor()
        next.enabler.checkAuthentication()
        guard case .authenticationStatus(let status, _)? = await next.callbacks(until: \.isAuthenticationStatus).last
        else {
            Issue.record("no answer")
            return
        }
        #expect(status == isLoggedIn)
        // A further setRequestor does not look again: a login of this run stays.
        if check == .INTEGRITY_CHECK_CLEAR {
            next.enabler.setSelectedProvider("demo-cable")
            next.enabler.getAuthentication()
            try await next.browse()
            _ = await next.callbacks(until: \.isAuthenticationStatus)
            next.setRequestor("DEMO2")
            next.setRequestor("DEMO")
            next.enabler.checkAuthentication()
            #expect(await next.callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
        }
    }

    @Test func T65_T69_looksAtADamagedStore() async throws {
        for (check, remains) in [(IntegrityCheckType.INTEGRITY_CHECK_NONE, true), (.INTEGRITY_CHECK_ALL, false)] {
            let storage = MemoryStorage()
            let app = try await ClassicApp(storage: storage)
            try await app.logIn()
            let key = try #require(
                storage.keys(under: StorageKey("requestor")).first { $0.rawValue.hasSuffix("/metadata") })
            storage.apply([.put(key, Data("garbage".utf8))])
            let next = try await ClassicApp(storage: storage, earlier: app.sandbox, check: check)
            next.setRequestor()
            _ = await next.callbacks(until: \.isRequestorComplete)
            #expect(storage.keys(under: StorageKey("requestor")).isEmpty == !remains)
        }
    }

    @Test func M1_isAPlaceholder_thatNoServiceRegisters() async throws {
        let app = try await ClassicApp(statement: "")
        app.setRequestor()
        guard case .status("R400", "error", _)? = await app.recorder.next() else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(await app.recorder.next() == .requestorComplete(0))
    }

    // MARK: - Login

    @Test func E5_answersNotAuthenticated_rightAfterALogout() async throws {
        for _ in 0..<10 {
            let app = try await ClassicApp()
            try await app.logIn()
            app.enabler.logout()
            app.enabler.checkAuthentication()
            // The check is answered from the storage that the logout has emptied, before the page is done with.
            let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
            #expect(callbacks.last == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
            app.enabler.logout()
        }
    }

    @Test func SP2_SP8_opensAPickerOfItsOwn_rightAfterACancel() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        for _ in 0..<5 {
            app.enabler.setSelectedProvider(nil)
            app.enabler.getAuthentication()
            let callbacks = await app.callbacks(until: \.isProviderDialog)
            #expect(callbacks.filter(\.isAuthenticationStatus).count == 1)
        }
        app.enabler.setSelectedProvider(nil)
        _ = await app.callbacks(until: \.isAuthenticationStatus)
    }

    @Test func cancelsALogin_thatHasJustBegun() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        for _ in 0..<10 {
            app.enabler.getAuthentication()
            app.enabler.setSelectedProvider(nil)
            #expect(
                await app.callbacks(until: \.isAuthenticationStatus).last
                    == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR))
        }
    }

    @Test func M17_goesOnWithAnotherProvider_whileAPageIsOpen() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider("demo-cable")
        _ = await app.callbacks(until: \.isNavigation)
        // The viewer goes back to the app's own picker, which tells nobody.
        app.enabler.setSelectedProvider("demo-fiber")
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: { $0 == .selectedProvider("demo-fiber") })
        #expect(app.recorder.callbacks.filter(\.isAuthenticationStatus) == [.authenticationStatus(1, code: "")])
    }

    private static func withTempPass(_ access: SandboxWorld.Provider.TemporaryAccess) -> SandboxWorld {
        var world = SandboxWorld.demo
        var pass = SandboxWorld.Provider(id: "TempPass", displayName: "Temporary Pass", login: .none)
        pass.temporaryAccess = access
        world.providers.append(pass)
        world.requestors[0].providers.append("TempPass")
        return world
    }

    @Test func SP10_TP9_logsIn_whenChoiceAndIdentityComeAtOnce() async throws {
        let world = Self.withTempPass(.init(seconds: 600, identityKey: "email"))
        let app = try await ClassicApp(world: world)
        app.setRequestor()
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.getAuthentication(true, withData: ["email": "hash"])
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(
            callbacks.map(\.word).dropFirst() == [
                "tracking 2 TempPass", "status(N011, info, \"Logged in by a TempPass.\")", "tracking 0 true",
                "setAuthenticationStatus(1, \"\")",
            ])
    }

    @Test func SP9_letsACheckWait_forThePassThatWasJustChosen() async throws {
        let app = try await ClassicApp(world: Self.withTempPass(.init(seconds: 600)))
        app.setRequestor()
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.checkAuthorization("DEMO-PLUS")
        #expect(await app.callbacks(until: \.isAuthorizationEnd).last?.word == "token DEMO-PLUS")
    }

    @Test func SP12_takesTheLastChoice() async throws {
        let app = try await ClassicApp(world: Self.withTempPass(.init(seconds: 600)))
        app.setRequestor()
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication()
        try await app.browse()
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: { $0 == .selectedProvider("demo-cable") })
    }

    @Test func opensNoPicker_forALoginThatALogoutCancelled() async throws {
        for _ in 0..<10 {
            let app = try await ClassicApp()
            try await app.logIn()
            app.enabler.getAuthentication(true, withData: nil)
            app.enabler.logout()
            try await app.browse()
            _ = await app.callbacks(until: \.isAuthenticationStatus)
            app.enabler.checkAuthorization("DEMO-1")
            _ = await app.callbacks(until: \.isAuthorizationEnd)
            // One of the login before; the cancelled one asks nobody.
            #expect(app.recorder.callbacks.filter(\.isProviderDialog).count == 1)
        }
    }

    @Test func E6_goesOn_whenTheRedirectOfAnIgnoredLogoutComesLate() async throws {
        let app = try await ClassicApp()
        try await app.logIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isNavigation)
        // The hidden page of the logout has come to its end, while the viewer is at the login.
        app.enabler.handleExternalURL("adobepass://ios.app")
        try await app.browse()
        #expect(await app.callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
    }

    @Test func E6_logsInAgain_whileALogoutPageIsIgnored() async throws {
        let app = try await ClassicApp()
        try await app.logIn()
        app.enabler.logout()
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getAuthentication()
        let callbacks = await app.callbacks(until: \.isProviderDialog)
        #expect(
            callbacks.map(\.word) == [
                "tracking 0 false", "setAuthenticationStatus(0, \"\(USER_NOT_AUTHENTICATED_ERROR)\")",
                "displayProviderDialog(demo-cable, demo-fiber)",
            ])
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
    }

    @Test func GA9_asksAgain_andAnswersOnce() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider("demo-cable")
        _ = await app.callbacks(until: \.isNavigation)
        app.enabler.getAuthentication()
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: { $0 == .selectedProvider("demo-cable") })
        #expect(app.recorder.callbacks.filter(\.isAuthenticationStatus).count == 1)
    }

    @Test func HX7_finishesALogin_thatTheAppBeganBeforeItWasClosed() async throws {
        let storage = MemoryStorage()
        let app = try await ClassicApp(storage: storage)
        app.setRequestor()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication()
        guard case .navigate(let url)? = await app.callbacks(until: \.isNavigation).last else {
            Issue.record("no page")
            return
        }
        let next = try await ClassicApp(storage: storage, earlier: app.sandbox)
        next.setRequestor()
        try await next.finish(url)
        #expect(await next.callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
        app.enabler.setSelectedProvider(nil)
    }

    @available(*, deprecated)
    @Test func M20_finishesTheLogin_withoutAnArgument() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication()
        guard case .navigate(let url)? = await app.callbacks(until: \.isNavigation).last else {
            Issue.record("no page")
            return
        }
        var browser = HeadlessBrowser()
        _ = await browser.open(
            try #require(URL(string: url)), endingAt: AccessEnabler.redirectURL,
            as: .logsIn(name: "viewer", password: "secret"))
        app.enabler.getAuthenticationToken()
        #expect(await app.callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
    }

    @Test func M14_sendsItsData_withTheLogin() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication(true, withData: ["email": "hash", "n": 1, "odd": Data(), "yes": true])
        guard case .navigate(let url)? = await app.callbacks(until: \.isNavigation).last else {
            Issue.record("no page")
            return
        }
        let query = URLComponents(string: url)?.queryItems
        #expect(query?.first { $0.name == "generic_data" }?.value == #"{"email":"hash","n":1,"yes":true}"#)
        app.enabler.setSelectedProvider(nil)
    }

    @Test(arguments: [true, false])
    func M22_M24_AZ20_sendsItsData_withTheAuthorization(mayLogIn: Bool) async throws {
        let app = try await ClassicApp()
        try await app.logIn()
        let bodies = Guarded<[String]>([])
        app.transport.setScript { request, body in
            let text = String(decoding: body ?? Data(), as: UTF8.self).removingPercentEncoding ?? ""
            bodies.withLock { $0.append("\(request.path ?? "") \(text.contains(#"generic_data={"email":"hash"}"#))") }
            return nil
        }
        if mayLogIn {
            app.enabler.getAuthorization("DEMO-1", withData: ["email": "hash"])
        } else {
            app.enabler.checkAuthorization("DEMO-1", withData: ["email": "hash"])
        }
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        #expect(
            bodies.withLock(\.self) == [
                "/adobe-services/authorizeDevice true", "/adobe-services/deviceShortAuthorize true",
            ])
    }

    @Test func CA11_answersFromStorage_andLeavesTheLoginAlone() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.checkAuthentication()
        #expect(
            await app.callbacks(until: \.isAuthenticationStatus).last
                == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        #expect(await app.callbacks(until: \.isAuthenticationStatus).last == .authenticationStatus(1, code: ""))
    }

    @Test func M15_handsTheFilterToThePlatform_andShowsItsDialog() async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        world.providers[1].platformID = "apple-fiber"
        let platform = ScriptedPlatform(.init(picker: .success("apple-fiber")))
        let app = try await ClassicApp(world: world) { $0.platform = platform }
        app.setRequestor()
        app.enabler.getAuthentication([TV_PROVIDERS: ["demo-fiber"], FEATURED_TV_PROVIDERS: ["demo-fiber"]])
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(
            callbacks.map(\.word) == [
                "setRequestorComplete(1)", "presentTvProviderDialog", "dismissTvProviderDialog", "tracking 0 true",
                "setAuthenticationStatus(1, \"\")",
            ])
        #expect(platform.requests.contains { $0.supportedProviderIDs == ["apple-fiber"] && $0.mayInterrupt })
    }

    @Test func TV8_putsTheCode_whereAnAppMayLookForIt() async throws {
        let dictionaries = Guarded<[[String: String]]>([])
        let witness = StatusWitness { dictionaries.withLock { [given = $0] in $0.append(given) } }
        let app = try await ClassicApp { $0.loginStyle = .secondScreen }
        app.enabler.statusDelegate = witness
        app.setRequestor()
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getAuthentication()
        while dictionaries.withLock(\.isEmpty) { await Task.yield() }
        let dictionary = try #require(dictionaries.withLock(\.first))
        #expect(dictionary["errorId"] == "REGCODE" && dictionary["level"] == "success")
        let code = try #require(dictionary["code"])
        #expect(code.count == 7 && dictionary["regCode"] == code && dictionary["message"] == code)
        app.enabler.setSelectedProvider(nil)
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(app.recorder.callbacks.filter(\.isNavigation).isEmpty)
    }

    // MARK: - Preauthorization and metadata

    @Test func M25_M26_answersWithTheAllowedResources() async throws {
        let app = try await ClassicApp()
        try await app.logIn()
        app.enabler.checkPreauthorizedResources(["DEMO-2", "DEMO-PLUS", "DEMO-1", 7])
        #expect(await app.recorder.next() == .preauthorizedResources(["DEMO-2", "DEMO-1"]))
        let asked = app.transport.requests.count
        app.enabler.checkPreauthorizedResources(["DEMO-1", "DEMO-2", "DEMO-PLUS"])
        #expect(await app.recorder.next() == .preauthorizedResources(["DEMO-1", "DEMO-2"]))
        #expect(app.transport.requests.count == asked)
        app.enabler.checkPreauthorizedResources(["DEMO-1", "DEMO-2", "DEMO-PLUS"], cache: false)
        #expect(await app.recorder.next() == .preauthorizedResources(["DEMO-1", "DEMO-2"]))
        #expect(app.transport.requests.count == asked + 1)
        app.enabler.checkPreauthorizedResources(nil)
        #expect(await app.recorder.next() == .preauthorizedResources([]))
    }

    @Test func PR7_PR9_answersWithNothing_whenItCannotBeFoundOut() async throws {
        let app = try await ClassicApp()
        app.setRequestor()
        app.enabler.checkPreauthorizedResources(["DEMO-1"])
        #expect(
            await app.callbacks(until: { $0 == .preauthorizedResources([]) }).map(\.word).dropFirst() == [
                "status(N000, info, \"Nobody is logged in.\")", "preauthorizedResources([])",
            ])
        app.enabler.getAuthentication()
        _ = await app.callbacks(until: \.isProviderDialog)
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        app.enabler.checkPreauthorizedResources((0..<6).map { "DEMO-\($0)" })
        guard case .status("P100", "error", _)? = await app.recorder.next() else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(await app.recorder.next() == .preauthorizedResources([]))
    }

    // MD9 and the shapes in which apps write the number.
    @Test(arguments: [
        Sample(arguments: [METADATA_OPCODE_KEY: 3, METADATA_USER_META_KEY: "zip"], key: 3, hasValue: true),
        Sample(arguments: [METADATA_OPCODE_KEY: Int32(3), METADATA_USER_META_KEY: "zip"], key: 3, hasValue: true),
        Sample(
            arguments: [METADATA_OPCODE_KEY: NSNumber(value: 3), METADATA_USER_META_KEY: "zip"], key: 3, hasValue: true),
        Sample(arguments: [METADATA_OPCODE_KEY: "3", METADATA_USER_META_KEY: "zip"], key: 3, hasValue: true),
        Sample(arguments: [METADATA_OPCODE_KEY: METADATA_AUTHENTICATION], key: 0, hasValue: true),
        Sample(arguments: [METADATA_OPCODE_KEY: METADATA_DEVICE_ID], key: 2, hasValue: true),
        Sample(
            arguments: [METADATA_OPCODE_KEY: METADATA_AUTHORIZATION, METADATA_RESOURCE_ID_KEY: "DEMO-1"], key: 1,
            hasValue: false),
        Sample(arguments: [METADATA_OPCODE_KEY: METADATA_AUTHORIZATION], key: 1, hasValue: false),
        Sample(arguments: [METADATA_OPCODE_KEY: 3], key: 3, hasValue: false),
        Sample(arguments: [METADATA_OPCODE_KEY: 99], key: 99, hasValue: false),
        Sample(arguments: [METADATA_OPCODE_KEY: Int.max], key: -1, hasValue: false),
        Sample(arguments: [:], key: -1, hasValue: false),
        Sample(arguments: ["nonsense": Data()], key: -1, hasValue: false),
    ])
    func M28_MD6_MD9_answersEveryQuestion(_ sample: Sample) async throws {
        let app = try await ClassicApp()
        try await app.logIn()
        app.enabler.getMetadata(sample.arguments)
        guard case .metadata(let value, false, let key, _)? = await app.recorder.next() else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(key == sample.key && (value != nil) == sample.hasValue)
    }

    @Test func M28_takesNil_andGivesListsAsLists() async throws {
        let app = try await ClassicApp()
        try await app.logIn()
        app.enabler.getMetadata(nil)
        #expect(await app.recorder.next() == .metadata(nil, encrypted: false, key: -1, argument: nil))
        app.enabler.getMetadata([METADATA_OPCODE_KEY: METADATA_USER_META, METADATA_USER_META_KEY: "zip"])
        #expect(await app.recorder.next() == .metadata("[\"12345\"]", encrypted: false, key: 3, argument: "zip"))
    }

    // MARK: - preauthorize

    @Test func M27_PR8_Q4_answersInTheDocumentedWords() async throws {
        let app = try await ClassicApp()
        let builder = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1", "DEMO-PLUS"])
        #expect(await app.preauthorize(builder.build()) == "failure requestor_not_configured retry 0")
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        #expect(await app.preauthorize(builder.build()) == "failure authentication_session_missing authentication 0")
        try await app.logIn()
        #expect(await app.preauthorize(builder.build()) == "response DEMO-1:true DEMO-PLUS:false")
        let many = PreauthorizeRequest.Builder().setResources(resources: (0..<6).map { "R\($0)" }).build()
        #expect(await app.preauthorize(many) == "response too_many_resources none 400")
    }

    @Test(arguments: [
        (ScriptedTransport.Answer.response(status: 500, body: ""), "response internal_server_error retry 500"),
        (.response(status: 200, body: "<html>"), "failure server_response_format_unknown none 0"),
        (.failure(.unreachable), "failure network_error none 0"),
        (.failure(.notTrusted), "failure network_error none 0"),
        (.response(status: 429, body: ""), "response too_many_requests retry-after 429"),
        (
            .response(status: 200, body: "<error><notAuthorized/></error>"),
            "response authorization_denied_by_mvpd none 403"
        ),
    ])
    func PR14_tellsServiceAndLibraryApart(answer: ScriptedTransport.Answer, words: String) async throws {
        let app = try await ClassicApp()
        try await app.logIn()
        app.transport.setScript { request, _ in request.path?.contains("/preauthorize") == true ? answer : nil }
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"])
            .disableFeatures(features: [.LOCAL_CACHE, .REMOTE_CACHE]).build()
        #expect(await app.preauthorize(request) == words)
    }

    // MARK: - Constants

    @Test func A7_namesAndValues() {
        #expect([ACCESS_ENABLER_STATUS_ERROR, ACCESS_ENABLER_STATUS_SUCCESS] == [0, 1])
        #expect(
            [METADATA_AUTHENTICATION, METADATA_AUTHORIZATION, METADATA_DEVICE_ID, METADATA_USER_META] == [0, 1, 2, 3])
        #expect([TRACKING_AUTHENTICATION, TRACKING_AUTHORIZATION, TRACKING_MVPD_SELECTION] == [0, 1, 2])
        #expect(TRACKING_GET_SELECTED_PROVIDER == TRACKING_MVPD_SELECTION)
        #expect(
            [METADATA_OPCODE_KEY, METADATA_RESOURCE_ID_KEY, METADATA_USER_META_KEY] == [
                "opCode", "resource_id", "user_metadata_name",
            ])
        #expect(
            [USER_AUTHENTICATED, USER_NOT_AUTHENTICATED_ERROR, USER_NOT_AUTHORIZED_ERROR, PROVIDER_NOT_SELECTED_ERROR]
                == [
                    "", "User Not Authenticated Error", "User Not Authorized Error", "Provider Not Selected Error",
                ])
        #expect(
            [OPTION_PROFILE, OPTION_VISITOR_ID, OPTION_HANDLE_SVC, OPTION_DEVICE_INFO] == [
                "applicationProfile", "visitorID", "handleSVC", "device_info",
            ])
        #expect(DEFAULT_SP_URL == SP_AUTH_PRODUCTION && ADOBEPASS_REDIRECT_URL == "adobepass://ios.app")
        #expect(CUSTOM_SCHEME_PREFIX == "adbe." && SP_SAML_PRODUCTION == "https://saml.sp.auth.adobe.com")
        #expect(
            [IntegrityCheckType.INTEGRITY_CHECK_NONE, .INTEGRITY_CHECK_ALL, .INTEGRITY_CHECK_CLEAR].map(\.rawValue)
                == [0, 1, 2])
    }
}

/// Arguments of `getMetadata`, the number that comes back, and whether there is a value.
///
/// Unchecked, because dictionaries of anything are not `Sendable`; nobody changes them.
struct Sample: @unchecked Sendable {
    let arguments: [AnyHashable: Any]
    let key: Int32
    let hasValue: Bool
}

/// Hands the texts of every status on.
private final class StatusWitness: EntitlementStatus, Sendable {
    private let see: @Sendable ([String: String]) -> Void

    init(_ see: @escaping @Sendable ([String: String]) -> Void) {
        self.see = see
    }

    func status(_ statusDictionary: [AnyHashable: Any]!) {
        see(statusDictionary as? [String: String] ?? [:])
    }
}

extension ClassicApp {
    /// Calls `preauthorize` and says in words what came of it.
    fileprivate func preauthorize(_ request: PreauthorizeRequest) async -> String {
        await withCheckedContinuation { continuation in
            enabler.preauthorize(
                request,
                didCompleteWith: AccessEnablerCallback(
                    onResponse: { continuation.resume(returning: "response \(Self.words($0))") },
                    onFailure: { continuation.resume(returning: "failure \(Self.words($0))") }))
        }
    }

    private static func words(_ response: PreauthorizeResponse) -> String {
        if let status = response.getStatus() {
            return "\(status.getCode() ?? "") \(status.getAction() ?? "") \(status.getStatus())"
        }
        return response.getDecisions().map { "\($0.getId()):\($0.isAuthorized())" }.joined(separator: " ")
    }
}
