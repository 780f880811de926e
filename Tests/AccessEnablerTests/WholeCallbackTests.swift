import AccessEnabler
import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import Testing

@testable import TVEFlowEngine

/// The content of callbacks: each argument, and not only the fact that the callback comes.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct WholeCallbackTests {
    // MARK: - Media tokens

    // Back ends verify the signed text, and many accept no other form of it. REST API v2 sends it in Base64.
    @Test(.row("K9", "AZ2"), arguments: ServiceDialect.allCases, [false, true])
    func setToken_hasTheTextThatTheServiceSigned(service: ServiceDialect, mayLogIn: Bool) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let sent = app.answers(at: service == .classic ? "/deviceShortAuthorize" : "/decisions/authorize/")
        for resource in ["DEMO-1", "DEMO-2", "DEMO-1"] {
            if mayLogIn {
                app.enabler.getAuthorization(resource)
            } else {
                app.enabler.checkAuthorization(resource)
            }
            let answer = await app.callbacks(until: \.isAuthorizationEnd).last
            let body = try #require(sent.withLock(\.last))
            #expect(answer == .token(try Self.signedText(in: body, service), resource: resource))
        }
    }

    private static func signedText(in body: String, _ service: ServiceDialect) throws -> String {
        guard service == .restV2 else { return body }
        let wrapped = try #require(body.firstMatch(of: /"serializedToken"\s*:\s*"([^"]+)"/)).output.1
        let text = try #require(Data(base64Encoded: String(wrapped).replacing("\\/", with: "/")))
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: - Tracking

    private static let client = ["computer", "html5", "Linux"]

    /// The GUID of these events is that of the login, so that an app can follow a viewer without knowing who it is.
    @Test(.row("B7", "K13"), arguments: ServiceDialect.allCases)
    func sendTrackingData_hasEveryTextOfItsEvent(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service) {
            $0.deviceInformation = DeviceInformation(model: "x86_64", osName: .linux)
        }
        let sent = app.answers(at: service == .classic ? "/sessionDevice" : "/profiles/")
        app.setRequestor()
        app.enabler.checkAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        app.enabler.getAuthorization("DEMO-1")
        try await app.chooseAndLogIn()
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        app.enabler.getAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        app.enabler.getAuthorization("DEMO-PLUS")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        app.enabler.checkAuthentication()
        _ = await app.loginStatus()
        app.enabler.logout()
        try await app.browse(as: .cancels)
        _ = await app.loginStatus()
        let id = try Self.viewerID(in: try #require(sent.withLock(\.last)), service)
        let login = ["demo-cable", Logins.trackingID(id)]
        let nobody = ["None", "None", "None"]
        let denial = [USER_NOT_AUTHORIZED_ERROR, "Demo Plus is not part of your plan. Add it for 5 a month."]
        let rows: [(event: Int32, data: [String])] = [
            (TRACKING_AUTHORIZATION, ["false"] + nobody + [USER_NOT_AUTHENTICATED_ERROR, "None"]),
            (TRACKING_MVPD_SELECTION, ["demo-cable"]),
            (TRACKING_AUTHENTICATION, ["true"] + login + ["false"]),
            (TRACKING_AUTHORIZATION, ["true"] + login + ["false", "None", "None"]),
            // Over REST API v2, the service decides about each playback.
            (TRACKING_AUTHORIZATION, ["true"] + login + [service == .classic ? "true" : "false", "None", "None"]),
            (TRACKING_AUTHORIZATION, ["false"] + login + ["false"] + denial),
            (TRACKING_AUTHENTICATION, ["true"] + login + ["true"]),
            (TRACKING_AUTHENTICATION, ["false"] + nobody),
        ]
        #expect(
            app.recorder.callbacks.filter { if case .tracking = $0 { true } else { false } }
                == rows.map { .tracking($0.data + Self.client, event: $0.event) })
    }

    /// Returns the id from which the GUID of tracking is computed, from the service's own response about a login.
    private static func viewerID(in body: String, _ service: ServiceDialect) throws -> String {
        let found =
            service == .classic
            ? body.firstMatch(of: /AuthenticationGuid&gt;([^&]+)&lt;/)?.output.1
            : body.firstMatch(of: /"userID"\s*:\s*\{[^}]*"value"\s*:\s*"([^"]+)"/)?.output.1
        return String(try #require(found, "The answer names no viewer: \(body)"))
    }

    // MARK: - Statuses

    @Test(.row("CA2"), arguments: ServiceDialect.allCases)
    func checkAuthentication_explainsThatNobodyIsLoggedIn(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service) {
            $0.deviceInformation = DeviceInformation(model: "x86_64", osName: .linux)
        }.started()
        _ = await app.callbacks(until: \.isRequestorComplete)
        app.enabler.checkAuthentication()
        #expect(
            await app.callbacks(until: \.isAuthenticationStatus) == [
                .status(id: "N000", level: "info", message: "Nobody is logged in.", further: [:]),
                .tracking(["false", "None", "None", "None"] + Self.client, event: TRACKING_AUTHENTICATION),
                .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR),
            ])
    }

    /// The classic services store no login that this device does not have, so there is nothing to request from them.
    @Test(.row("CA2"), arguments: [false, true])
    func checkAuthentication_asksNoClassicService(isLoggedIn: Bool) async throws {
        let app = try await ClassicApp()
        if isLoggedIn { try await app.logIn() } else { app.setRequestor() }
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: \.isSelectedProvider)
        let asked = app.transport.requests
        for _ in 0..<3 {
            app.enabler.checkAuthentication()
            #expect(await app.loginStatus()?.word.hasPrefix("setAuthenticationStatus(\(isLoggedIn ? 1 : 0)") == true)
        }
        // A request of a later call follows everything that the three calls might have sent.
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        #expect(app.transport.requests == asked + ["GET /adobe-services/config/DEMO"])
    }

    /// An app that shows several channels must know which of them was denied.
    @Test(.row("AZ4"), arguments: ServiceDialect.allCases)
    func status_namesTheResourceThatWasRefused(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.checkAuthorization("DEMO-PLUS")
        let text = "Demo Plus is not part of your plan. Add it for 5 a month."
        let statuses = await app.callbacks(until: \.isAuthorizationEnd).compactMap { callback in
            if case .status(let id, _, let message, let further) = callback {
                [id, message ?? "", further["resource"] ?? ""]
            } else {
                nil
            }
        }
        #expect(statuses == [["Z100", text, "DEMO-PLUS"]])
    }

    /// The service's own trace helps its operator to find a request that an app complains about.
    @Test func status_hasTheServicesTrace() async throws {
        let app = try await ClassicApp(.restV2).loggedIn()
        app.transport.setScript { request, _ in
            guard request.path?.contains("/decisions/authorize/") == true else { return nil }
            return .response(
                status: 403,
                body: #"{"status":403,"code":"application_suspended","message":"m","trace":"t-1","action":"none"}"#)
        }
        app.enabler.checkAuthorization("DEMO-1")
        let traces = await app.callbacks(until: \.isAuthorizationEnd).compactMap { callback in
            if case .status(_, _, _, let further) = callback { further["trace"] } else { nil }
        }
        #expect(traces == ["t-1"])
    }

    // MARK: - Providers

    // REST API v2 does not share logins between requestors, and therefore creates none silently.
    @Test(.row("K3", "K8"), arguments: ServiceDialect.allCases)
    func providers_haveWhatTheConfigurationSays(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        world.providers[0].boardingStatus = "PICKER"
        world.providers[0].authenticatesPerRequestor = true
        world.providers[0].allowsPassiveAuthentication = false
        var pass = SandboxWorld.Provider(id: "TempPass", displayName: "Temporary Pass", login: .none)
        pass.temporaryAccess = .init(seconds: 600)
        world.providers.append(pass)
        world.requestors[0].providers.append("TempPass")
        let app = try await ClassicApp(service, world: world)
        let attributes = "<requiredMetadataFields><field>zip</field><field>plan</field></requiredMetadataFields>"
        app.transport.setScript { _, _ in
            .rewritten { $0.replacing("<boardingStatus>PICKER", with: "\(attributes)<boardingStatus>PICKER") }
        }
        app.setRequestor()
        await app.openPicker()
        app.enabler.setSelectedProvider(nil)
        _ = await app.loginStatus()
        let shown = app.recorder.providers
        #expect(shown.map(\.id) == ["demo-cable", "demo-fiber", "TempPass"])
        #expect(shown.map(\.displayName) == ["Demo Cable", "Demo Fiber", "Temporary Pass"])
        #expect(shown.map(\.tempPass) == [false, false, true])
        #expect(shown.map(\.platformMappingId) == ["apple-cable", nil, nil])
        #expect(shown.map(\.enablePlatformServices) == [true, false, false])
        #expect(shown.map(\.boardingStatus).first == "PICKER")
        #expect(shown.map(\.logoURL) == shown.map { "http://localhost/\($0.id ?? "").png" as String? })
        #expect(shown.map(\.spUrl) == shown.map { _ in app.sandbox.baseURL.absoluteString as String? })
        #expect(shown.map(\.displayInPlatformPicker) == [true, false, false])
        // REST API v2 does not define such fields.
        #expect(shown.first?.requiredMetadataFields == (service == .classic ? ["zip", "plan"] : []))
        let isClassic = service == .classic
        #expect(shown.map(\.hasAuthNPerRequestor) == (isClassic ? [true, false, false] : [true, true, true]))
        #expect(shown.map(\.passiveAuthnEnabled).prefix(2) == (isClassic ? [false, true] : [false, false]))
        app.enabler.setSelectedProvider("demo-cable")
        app.enabler.getSelectedProvider()
        _ = await app.callbacks(until: \.isSelectedProvider)
        let chosen = try #require(app.recorder.providers.last)
        #expect(chosen.id == "demo-cable" && chosen.displayName == "Demo Cable")
    }

    // MARK: - Metadata

    /// A request for metadata and its result.
    ///
    /// The app's arguments are returned unmodified, including unknown ones.
    private static let questions: [(arguments: [String: String], value: String?, isEncrypted: Bool)] = [
        (["opCode": "0", "tag": "a"], "2026/12/21 00:00:00 GMT +0000", false),
        (["opCode": "1", "resource_id": "DEMO-1", "tag": "b"], "2026/11/22 00:00:00 GMT +0000", false),
        (["opCode": "2", "tag": "c"], DeviceIdentity(seed: "device-1", app: nil).deviceID, false),
        (["opCode": "3", "user_metadata_name": "plan", "resource_id": "DEMO-1"], "gold", false),
        (["opCode": "3", "user_metadata_name": "languages"], #"["en", "fr"]"#, false),
        (
            ["opCode": "3", "user_metadata_name": "profile", "tag": "d"],
            #"["age": 7, "names": ["A", "B"], "onlyKids": true]"#, false
        ),
        (["opCode": "3", "user_metadata_name": "secret"], "Q2lwaGVydGV4dA==", true),
        (["opCode": "3", "user_metadata_name": "nothing", "tag": "e"], nil, false),
        (["opCode": "7", "user_metadata_name": "plan"], nil, false),
    ]

    @Test(.row("MD4", "MD5", "MD6", "K12"), arguments: ServiceDialect.allCases)
    func setMetadataStatus_hasTheValueInItsShape_theFlag_andTheWholeQuestion(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        let values =
            #""plan":"gold","languages":["en","fr"],"profile":{"age":7,"names":["A","B"],"onlyKids":true},"#
            + #""secret":"Q2lwaGVydGV4dA==""#
        let attributes =
            #""plan":{"value":"gold","state":"plain"},"languages":{"value":["en","fr"],"state":"plain"},"#
            + #""profile":{"value":{"age":7,"names":["A","B"],"onlyKids":true},"state":"plain"},"#
            + #""secret":{"value":"Q2lwaGVydGV4dA==","state":"enc"},"#
        app.transport.setScript { [clock = app.clock] _, _ in
            let updated = Int(clock.now.timeIntervalSince1970)
            let told = #"{"updated":\#(updated),"data":{\#(values)},"encrypted":["secret"]}"#
            return .rewritten {
                $0.replacing(/<userMeta>.*<\/userMeta>/, with: "<userMeta>\(told)</userMeta>")
                    .replacing(/"attributes"\s*:\s*\{/, with: "\"attributes\":{\(attributes)")
            }
        }
        try await app.logIn()
        app.enabler.checkAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        for question in Self.questions {
            let key = try #require(Int32(question.arguments["opCode"] ?? ""))
            var arguments: [AnyHashable: Any] = question.arguments
            arguments[METADATA_OPCODE_KEY] = key
            app.enabler.getMetadata(arguments)
            #expect(
                await app.recorder.next(within: .hanging)
                    == .metadata(
                        question.value, encrypted: question.isEncrypted, key: key, arguments: question.arguments))
        }
    }

    // MARK: - The way in

    /// An automatic login with a provider that has just failed would fail again, and the viewer could not choose
    /// another one.
    @Test(.row("GA7"), arguments: ServiceDialect.allCases)
    func getAuthentication_showsThePicker_afterALoginThatFailed(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.getAuthentication(true, withData: nil)
        let first = await app.callbacks(until: { $0.isNavigation || $0.isProviderDialog }).last
        try await app.finish(#require(first?.page), as: .cancels)
        #expect(await app.loginStatus() == .authenticationStatus(0, code: GENERIC_AUTHENTICATION_ERROR))
        app.enabler.getAuthentication(true, withData: nil)
        #expect(
            await app.callbacks(until: { $0.isNavigation || $0.isProviderDialog }) == [
                .providerDialog(["demo-cable", "demo-fiber"])
            ])
        app.enabler.setSelectedProvider(nil)
        _ = await app.loginStatus()
    }

    private static let ownRedirect = "com.example.app://login"

    /// Safari opens only a scheme that the app has registered, so the redirect of web views would never return.
    ///
    /// Without an automatic browser, the page of such a provider ends there in the app's own web view too.
    @Test(.row("SV2", "SV3", "K5", "M19"), arguments: ServiceDialect.allCases, [true, false])
    func navigate_leadsToTheAppsOwnRedirect_whichFinishesTheLogin(
        service: ServiceDialect, inSafari: Bool
    ) async throws {
        var world = SandboxWorld.demo
        world.providers[0].usesSafari = true
        let own = try #require(URL(string: Self.ownRedirect))
        let app = try await ClassicApp(service, world: world) { $0.safariRedirectURL = own }
        app.enabler.setOptions([OPTION_HANDLE_SVC: inSafari])
        app.beginLogin()
        let navigation = await app.callbacks(until: \.isNavigation).last
        let page = try #require(navigation?.page)
        #expect(navigation == (inSafari ? .navigateInSafari(page, useSVC: true) : .navigate(page)))
        var browser = HeadlessBrowser(transport: BrowserTransport())
        let end = await browser.open(
            try #require(URL(string: page)), endingAt: own, as: .logsIn(name: "viewer", password: "secret"))
        guard case .redirect(let redirect) = end else {
            Issue.record("The page does not lead to the app's redirect: \(end)")
            return
        }
        #expect(app.enabler.canHandle(redirect.absoluteString))
        app.enabler.handleExternalURL(redirect.absoluteString)
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
    }

    /// The system's browser receives the same redirect, in either dialect.
    @Test(.row("SV3"), arguments: ServiceDialect.allCases)
    func theSystemsBrowser_endsAtTheAppsOwnRedirect(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.providers[0].usesSafari = true
        let browser = BrowserOfOneLogin()
        let app = try await ClassicApp(service, world: world, automaticBrowser: browser) {
            $0.safariRedirectURL = URL(string: Self.ownRedirect)
        }
        app.beginLogin()
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
        #expect(browser.redirects.withLock(\.self) == [Self.ownRedirect])
    }
}

/// A system browser in which the viewer logs in.
private struct BrowserOfOneLogin: AutomaticBrowser {
    /// The redirects of the pages, in order.
    let redirects = Guarded<[String]>([])

    func open(_ page: BrowserPage) async -> URL? {
        redirects.withLock { $0.append(page.redirectURL.absoluteString) }
        var browser = HeadlessBrowser(transport: BrowserTransport())
        let end = await browser.open(
            page.url, endingAt: page.redirectURL, as: .logsIn(name: "viewer", password: "secret"))
        return if case .redirect(let url) = end { url } else { nil }
    }
}

extension ClassicApp {
    /// Sets the service's responses to one kind of request from now on.
    fileprivate func answers(at path: String) -> Guarded<[String]> {
        let answers = Guarded<[String]>([])
        transport.setScript { request, _ in
            guard request.path?.contains(path) == true else { return nil }
            return .rewritten { body in
                answers.withLock { $0.append(body) }
                return body
            }
        }
        return answers
    }
}
