import AccessEnabler
import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Options, start and constants of the classic calls.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ClassicCallTests {
    // MARK: - Options

    @Test(.row("M5", "D-39", "Q2")) func sendsTheOptions_withEveryLaterRequest() async throws {
        let app = try await ClassicApp()
        let seen = Guarded<[String]>([])
        // The first bytes of the Base64 of the JSON object, whose names are sorted.
        let ownInfo = "device_info=" + Data("{\"applicationId\":\"OVERRIDE12\",".utf8).base64EncodedString()
        app.transport.setScript { request, body in
            let visitor = request.headerFields.first { $0.name.canonicalName == "ap-visitor-identifier" }?.value ?? "-"
            let form = String(decoding: body ?? Data(), as: UTF8.self)
            let parts = [
                visitor, form.contains(ownInfo) ? "info" : "-",
                form.contains("applicationProfile=p1") || request.path?.contains("applicationProfile=p1") == true
                    ? "profile" : "-",
            ]
            seen.withLock {
                $0.append("\(request.path?.split(separator: "/").last?.prefix { $0 != "?" } ?? "") \(parts)")
            }
            return nil
        }
        app.enabler.setOptions([
            OPTION_VISITOR_ID: "visitor-1", OPTION_PROFILE: "p1",
            OPTION_DEVICE_INFO: Data("{\"applicationId\":\"OVERRIDE12\"}".utf8).base64EncodedString(), "unknown": 7,
        ])
        try await app.logIn()
        #expect(
            seen.withLock { $0.filter { $0.contains("DEMO ") || $0.contains("sessionDevice") } } == [
                "DEMO [\"visitor-1\", \"-\", \"profile\"]", "sessionDevice [\"visitor-1\", \"info\", \"profile\"]",
            ])
        // Options are merged by key; an invalid value removes one.
        app.enabler.setOptions([OPTION_VISITOR_ID: NSNull()])
        app.enabler.checkAuthorization("DEMO-1")
        _ = await app.callbacks(until: \.isAuthorizationEnd)
        #expect(seen.withLock { $0.last } == "deviceShortAuthorize [\"-\", \"info\", \"profile\"]")
    }

    // MARK: - Start

    @Test(
        .row("T-64", "T-67", "T-71", "M3"),
        arguments: [
            (IntegrityCheckType.INTEGRITY_CHECK_NONE, Int32(1)), (.INTEGRITY_CHECK_ALL, 1), (.INTEGRITY_CHECK_CLEAR, 0),
        ])
    func looksAtAHealthyStore(check: IntegrityCheckType, isLoggedIn: Int32) async throws {
        let storage = MemoryStorage()
        let app = try await ClassicApp(storage: storage).loggedIn()
        let next = try await ClassicApp(storage: storage, earlier: app, check: check).started()
        next.enabler.checkAuthentication()
        guard case .authenticationStatus(let status, _)? = await next.loginStatus()
        else {
            Issue.record("no answer")
            return
        }
        #expect(status == isLoggedIn)
        // A further setRequestor does not check again, so a login of this run remains.
        if check == .INTEGRITY_CHECK_CLEAR {
            next.enabler.setSelectedProvider("demo-cable")
            next.enabler.getAuthentication()
            try await next.browse()
            _ = await next.callbacks(until: \.isAuthenticationStatus)
            next.setRequestor("DEMO2")
            next.setRequestor("DEMO")
            next.enabler.checkAuthentication()
            #expect(await next.loginStatus() == .authenticationStatus(1, code: ""))
        }
    }

    @Test(.row("T-65", "T-69", "M3")) func looksAtADamagedStore() async throws {
        for (check, remains) in [(IntegrityCheckType.INTEGRITY_CHECK_NONE, true), (.INTEGRITY_CHECK_ALL, false)] {
            let storage = MemoryStorage()
            let app = try await ClassicApp(storage: storage).loggedIn()
            let key = try #require(
                storage.keys(under: StorageKey("requestor")).first { $0.rawValue.hasSuffix("/metadata") })
            storage.apply([.put(key, Data("garbage".utf8))])
            let next = try await ClassicApp(storage: storage, earlier: app, check: check).started()
            _ = await next.callbacks(until: \.isRequestorComplete)
            #expect(storage.keys(under: StorageKey("requestor")).isEmpty == !remains)
        }
    }

    /// With the programmer's token for the viewer, the service has a login for every installation of the app, and a
    /// check that clears the store ends it for the requestor.
    @Test func aCheckThatClearsTheStore_countsForTheNextRequestor_whenTheFirstIsSuperseded() async throws {
        let claims = Data("{\"sub\":\"viewer-7\"}".utf8).base64EncodedString().replacing("=", with: "")
        let options = ClientOptions(serviceToken: "e30.\(claims).c2ln")
        let app = try await ClassicApp(.restV2) { $0.options = { options } }.loggedIn()
        let next = try await ClassicApp(.restV2, isInline: true, earlier: app, check: .INTEGRITY_CHECK_CLEAR) {
            $0.options = { options }
        }
        let endpoint = next.sandbox.baseURL.absoluteString
        next.recorder.react { [recorder = next.recorder, enabler = next.enabler] _ in
            recorder.react(nil)
            // The first call has not ended, so both requestors are waiting when the next call begins.
            for requestor in ["DEMO2", "DEMO"] { enabler.setRequestor(requestor, serviceProviders: [endpoint]) }
        }
        next.enabler.setRequestor("DEMO", serviceProviders: ["not a URL"])
        let callbacks = await next.callbacks(until: { $0 == .requestorComplete(1) })
        #expect(callbacks.count { $0 == .requestorComplete(0) } == 2)
        next.enabler.checkAuthentication()
        #expect(await next.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test(
        .row("M6", "M7"),
        arguments: ServiceDialect.allCases,
        [
            (nil, "sp.auth.adobe.com"), (DEFAULT_SP_URL, "sp.auth.adobe.com"),
            (SP_AUTH_PRODUCTION, "sp.auth.adobe.com"), (SP_AUTH_STAGING, "sp.auth-staging.adobe.com"),
        ] as [(String?, String)])
    func asksTheVendorsService_orTheOneForTests(
        service: ServiceDialect, row: (endpoint: String?, host: String)
    ) async throws {
        let app = try await ClassicApp(service)
        let asked = Guarded<Set<String>>([])
        app.transport.setScript { request, _ in
            asked.withLock { _ = $0.insert("\(request.scheme ?? "")://\(request.authority ?? "")") }
            return .failure(.unreachable)
        }
        if let endpoint = row.endpoint {
            app.enabler.setRequestor("DEMO", serviceProviders: [endpoint])
        } else {
            app.enabler.setRequestor("DEMO")
        }
        _ = await app.callbacks(until: \.isRequestorComplete)
        #expect(asked.withLock(\.self) == ["https://\(row.host)"])
    }

    /// The forms with a signature, each with the requestor's id and, if the form has them, the app's endpoints.
    @available(*, deprecated)
    private static let signedForms:
        [(name: String, hasEndpoints: Bool, call: @Sendable (AccessEnabler, [Any]) -> Void)] = [
            ("setSignedRequestorId", false, { enabler, _ in enabler.setRequestor("DEMO", setSignedRequestorId: "s") }),
            (
                "setSignedRequestorId, serviceProviders", true,
                { $0.setRequestor("DEMO", setSignedRequestorId: "s", serviceProviders: $1) }
            ),
            (
                "setSignedRequestorId, secret", false,
                { enabler, _ in enabler.setRequestor("DEMO", setSignedRequestorId: "s", secret: "k", publicKey: "p") }
            ),
            (
                "setSignedRequestorId, serviceProviders, secret", true,
                {
                    $0.setRequestor(
                        "DEMO", setSignedRequestorId: "s", serviceProviders: $1, secret: "k", publicKey: "p")
                }
            ),
            ("signedRequestorID", false, { enabler, _ in enabler.setRequestor("DEMO", signedRequestorID: "s") }),
            (
                "signedRequestorID, serviceProviders", true,
                { $0.setRequestor("DEMO", signedRequestorID: "s", serviceProviders: $1) }
            ),
            (
                "signedRequestorID, secret", false,
                { enabler, _ in enabler.setRequestor("DEMO", signedRequestorID: "s", secret: "k", publicKey: "p") }
            ),
            (
                "signedRequestorID, serviceProviders, secret", true,
                { $0.setRequestor("DEMO", signedRequestorID: "s", serviceProviders: $1, secret: "k", publicKey: "p") }
            ),
        ]

    @available(*, deprecated)
    @Test(.row("M8", "M9", "M10", "M11"))
    func asksTheEndpointsOfTheApp_alsoWhereItSendsASignature() async throws {
        for form in Self.signedForms {
            let app = try await ClassicApp()
            let asked = Guarded<Set<String>>([])
            app.transport.setScript { request, _ in
                asked.withLock { _ = $0.insert(request.authority ?? "") }
                return .failure(.unreachable)
            }
            form.call(app.enabler, ["https://tv.example.com/adobe-services"])
            #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(0), "\(form.name)")
            #expect(
                asked.withLock(\.self) == [form.hasEndpoints ? "tv.example.com" : "sp.auth.adobe.com"], "\(form.name)")
        }
    }

    /// Apps call it on the main thread, where nothing may wait for it.
    ///
    /// The test uses another thread, which is equivalent.
    @Test(.row("Q19"), arguments: ServiceDialect.allCases)
    func takesTheRequestor_onAnyThread(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        let enabler = app.enabler
        let endpoint = app.sandbox.baseURL.absoluteString
        await MainActor.run { enabler.setRequestor("DEMO", serviceProviders: [endpoint]) }
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(1))
        Thread.detachNewThread { enabler.setRequestor("DEMO2", serviceProviders: [endpoint]) }
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(1))
    }

    @Test(.row("Q20"), arguments: ServiceDialect.allCases)
    func twoOfOneApp_haveOneLogin(service: ServiceDialect) async throws {
        let storage = MemoryStorage()
        let first = try await ClassicApp(service, storage: storage).loggedIn()
        let second = try await ClassicApp(service, storage: storage, earlier: first).started()
        second.enabler.checkAuthentication()
        #expect(await second.loginStatus() == .authenticationStatus(1, code: ""))
        first.enabler.logout()
        _ = await first.callbacks(until: \.isNavigation)
        second.enabler.checkAuthentication()
        #expect(await second.loginStatus() == .authenticationStatus(0, code: USER_NOT_AUTHENTICATED_ERROR))
    }

    @Test(.row("M1")) func isAPlaceholder_thatNoServiceRegisters() async throws {
        let app = try await ClassicApp(statement: "").started()
        guard case .status("R400", "error", _, _)? = await app.recorder.next(within: .hanging) else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(await app.recorder.next(within: .hanging) == .requestorComplete(0))
    }

    // MARK: - Constants

    @Test(.row("A7", "D-9")) func namesAndValues() {
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
        #expect(GENERIC_AUTHENTICATION_ERROR == "Generic Authentication Error")
        #expect(GENERIC_AUTHORIZATION_ERROR == "Generic Authorization Error")
        #expect([TV_PROVIDERS, FEATURED_TV_PROVIDERS] == ["TV_PROVIDERS", "FEATURED_TV_PROVIDERS"])
        #expect(
            [OPTION_PROFILE, OPTION_VISITOR_ID, OPTION_HANDLE_SVC, OPTION_DEVICE_INFO] == [
                "applicationProfile", "visitorID", "handleSVC", "device_info",
            ])
        #expect(DEFAULT_SP_URL == SP_AUTH_PRODUCTION && ADOBEPASS_REDIRECT_URL == "adobepass://ios.app")
        #expect(SP_AUTH_PRODUCTION == "sp.auth.adobe.com/adobe-services")
        #expect(SP_AUTH_STAGING == "sp.auth-staging.adobe.com/adobe-services")
        #expect(SP_SAML_STAGING == "https://saml.sp.auth-staging.adobe.com")
        #expect(CUSTOM_SCHEME_PREFIX == "adbe." && SP_SAML_PRODUCTION == "https://saml.sp.auth.adobe.com")
        #expect(
            [IntegrityCheckType.INTEGRITY_CHECK_NONE, .INTEGRITY_CHECK_ALL, .INTEGRITY_CHECK_CLEAR].map(\.rawValue)
                == [0, 1, 2])
    }
}
