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

/// Preauthorization and metadata through the classic calls.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ClassicQuestionTests {
    @Test(.row("M25", "M26", "K11"), arguments: ServiceDialect.allCases)
    func answersWithTheAllowedResources(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.checkPreauthorizedResources(["DEMO-2", "DEMO-PLUS", "DEMO-1", 7])
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources(["DEMO-2", "DEMO-1"]))
        let asked = app.transport.requests.count
        app.enabler.checkPreauthorizedResources(["DEMO-1", "DEMO-2", "DEMO-PLUS"])
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources(["DEMO-1", "DEMO-2"]))
        // Over REST API v2, a denied resource is requested again.
        let askedAgain = asked + (service == .restV2 ? 1 : 0)
        #expect(app.transport.requests.count == askedAgain)
        app.enabler.checkPreauthorizedResources(["DEMO-1", "DEMO-2", "DEMO-PLUS"], cache: false)
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources(["DEMO-1", "DEMO-2"]))
        #expect(app.transport.requests.count == askedAgain + 1)
        app.enabler.checkPreauthorizedResources(nil)
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources([]))
    }

    /// White space around a value is no part of it in the XML of the classic services.
    @Test(arguments: ServiceDialect.allCases)
    func allowsAResource_thatEndsWithALineFeed(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let resource = Resource.mrss(channel: "DEMO-1").text + "\n"
        app.enabler.checkPreauthorizedResources([resource])
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources([resource]))
        let asked = app.transport.requests.count
        app.enabler.checkPreauthorizedResources([resource])
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources([resource]))
        #expect(app.transport.requests.count == asked)
    }

    /// Otherwise six tiles of one channel would be more resources than the provider answers.
    @Test(arguments: ServiceDialect.allCases)
    func asksOnce_aboutAResourceThatIsRepeated(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let asked = app.transport.requests.count
        let tiles = ["DEMO-2"] + [String](repeating: "DEMO-1", count: 5)
        app.enabler.checkPreauthorizedResources(tiles)
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources(tiles))
        #expect(app.transport.requests.count == asked + 1)
    }

    @Test(arguments: ServiceDialect.allCases)
    func allowsTheOthers_ifOneResourceIsEmpty(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.checkPreauthorizedResources(["", "DEMO-1"])
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources(["DEMO-1"]))
        let asked = app.transport.requests.count
        app.enabler.checkPreauthorizedResources(["DEMO-1", ""])
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources(["DEMO-1"]))
        #expect(app.transport.requests.count == asked)
    }

    @Test(.row("PR7", "PR9", "D-35"), arguments: ServiceDialect.allCases)
    func answersWithNothing_whenItCannotBeFoundOut(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.behavior.preauthorizationLimit = 3
        let app = try await ClassicApp(service, world: world).started()
        app.enabler.checkPreauthorizedResources(["DEMO-1"])
        #expect(
            await app.callbacks(until: { $0 == .preauthorizedResources([]) }).map(\.word).dropFirst() == [
                "status(N000, info, \"Nobody is logged in.\")", "preauthorizedResources([])",
            ])
        await app.openPicker()
        app.enabler.setSelectedProvider("demo-cable")
        try await app.browse()
        _ = await app.callbacks(until: \.isAuthenticationStatus)
        app.enabler.checkPreauthorizedResources((0..<4).map { "DEMO-\($0)" })
        guard case .status("P100", "error", _, _)? = await app.recorder.next(within: .hanging) else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(await app.recorder.next(within: .hanging) == .preauthorizedResources([]))
    }

    // MD9, and the types in which apps pass the number.
    @Test(
        .row("M28", "MD6", "MD9", "K12"),
        arguments: [
            Sample(arguments: [METADATA_OPCODE_KEY: 3, METADATA_USER_META_KEY: "zip"], key: 3, hasValue: true),
            Sample(arguments: [METADATA_OPCODE_KEY: Int32(3), METADATA_USER_META_KEY: "zip"], key: 3, hasValue: true),
            Sample(
                arguments: [METADATA_OPCODE_KEY: NSNumber(value: 3), METADATA_USER_META_KEY: "zip"], key: 3,
                hasValue: true),
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
    func answersEveryQuestion(_ sample: Sample) async throws {
        let app = try await ClassicApp().loggedIn()
        app.enabler.getMetadata(sample.arguments)
        guard case .metadata(let value, false, let key, let arguments)? = await app.recorder.next(within: .hanging)
        else {
            Issue.record("\(app.recorder.callbacks)")
            return
        }
        #expect(key == sample.key && (value != nil) == sample.hasValue)
        // The arguments are returned unmodified.
        let sent = sample.arguments.map { ("\($0.key)", "\($0.value)") }
        #expect(arguments == Dictionary(uniqueKeysWithValues: sent))
    }

    @Test(.row("M28"), arguments: ServiceDialect.allCases)
    func takesNil_andGivesListsAsLists(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.getMetadata(nil)
        #expect(await app.recorder.next(within: .hanging) == .metadata(nil, encrypted: false, key: -1, arguments: [:]))
        app.enabler.getMetadata([METADATA_OPCODE_KEY: METADATA_USER_META, METADATA_USER_META_KEY: "zip"])
        #expect(
            await app.recorder.next(within: .hanging)
                == .metadata(
                    "[\"12345\"]", encrypted: false, key: 3,
                    arguments: [METADATA_OPCODE_KEY: "3", METADATA_USER_META_KEY: "zip"]))
    }

    // MARK: - preauthorize

    @Test(.row("M27", "PR8", "Q4", "D-34", "Q2"), arguments: ServiceDialect.allCases)
    func answersInTheDocumentedWords(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.behavior.preauthorizationLimit = 3
        let app = try await ClassicApp(service, world: world)
        let builder = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1", "DEMO-PLUS"])
        #expect(await app.preauthorize(builder.build()) == "failure requestor_not_configured retry 0")
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        #expect(await app.preauthorize(builder.build()) == "failure authentication_session_missing authentication 0")
        try await app.logIn()
        #expect(await app.preauthorize(builder.build()) == "response DEMO-1:true DEMO-PLUS:false")
        let many = PreauthorizeRequest.Builder().setResources(resources: (0..<4).map { "R\($0)" }).build()
        // REST API v2 explains the error, and the library forwards its explanation.
        let refusal = service == .classic ? "none 400" : "configuration 403"
        #expect(await app.preauthorize(many) == "response too_many_resources \(refusal)")
    }

    /// Only the feature of `preauthorize` keeps the service from answering out of its own cache.
    @Test func theCacheOfTheService_isForbiddenByItsFeatureAlone() async throws {
        let app = try await ClassicApp().loggedIn()
        let isForbidden = Guarded<[Bool]>([])
        app.transport.setScript { request, body in
            guard request.path?.contains("/preauthorize") == true else { return nil }
            let form = String(decoding: body ?? Data(), as: UTF8.self)
            isForbidden.withLock { $0.append(form.contains("cache=false")) }
            return nil
        }
        app.enabler.checkPreauthorizedResources(["DEMO-1"], cache: false)
        _ = await app.callbacks(until: { $0 == .preauthorizedResources(["DEMO-1"]) })
        let builder = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"])
        _ = await app.preauthorize(builder.disableFeatures(features: [.LOCAL_CACHE]).build())
        _ = await app.preauthorize(builder.disableFeatures(features: [.LOCAL_CACHE, .REMOTE_CACHE]).build())
        #expect(isForbidden.withLock(\.self) == [false, false, true])
        // The answer on this device is enough.
        let words = await app.preauthorize(builder.disableFeatures(features: [.REMOTE_CACHE]).build())
        #expect(words == "response DEMO-1:true")
        #expect(isForbidden.withLock(\.count) == 3)
    }

    /// The answer does not depend on the network's speed.
    @Test(.row("Q2", "Q4"), arguments: ServiceDialect.allCases)
    func preauthorize_failsAtOnce_whileTheFirstStartIsUnderWay(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service)
        let answer = Gate()
        app.transport.setInterception { _, _ in
            await answer.pass()
            return nil
        }
        app.setRequestor()
        await answer.arrival()
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"]).build()
        #expect(await app.preauthorize(request) == "failure requestor_not_configured retry 0")
        #expect(app.enabler.household == nil)
        answer.open()
        _ = await app.callbacks(until: \.isRequestorComplete)
        #expect((app.enabler.household != nil) == (service == .restV2))
    }

    @Test(
        .row("PR14"),
        arguments: [
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
    func tellsServiceAndLibraryApart(answer: ScriptedTransport.Answer, words: String) async throws {
        let app = try await ClassicApp().loggedIn()
        app.transport.setScript { request, _ in request.path?.contains("/preauthorize") == true ? answer : nil }
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"])
            .disableFeatures(features: [.LOCAL_CACHE, .REMOTE_CACHE]).build()
        #expect(await app.preauthorize(request) == words)
    }

    @Test(
        .row("PR14"),
        arguments: [
            ("internal_server_error", 500, "retry"), ("network_connection_timeout", 403, "retry"),
            ("too_many_resources", 400, "none"), ("something_new", 403, "configuration"),
            ("invalid_header_identity_for_temporary_access", 400, "none"),
        ])
    func handsOnWhatTheServiceExplains(code: String, status: Int, action: String) async throws {
        let app = try await ClassicApp(.restV2).loggedIn()
        let body =
            """
            {"status":\(status),"code":"\(code)","message":"m","details":"d","helpUrl":"https://help",\
            "trace":"t-1","action":"\(action)"}
            """
        app.transport.setScript { request, _ in
            request.path?.contains("/preauthorize") == true ? .response(status: status, body: body) : nil
        }
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"]).build()
        let answer = await app.preauthorize(request) { response in
            let status = response.getStatus()
            return [status?.getDetails(), status?.getHelpUrl(), status?.getTrace()].map { $0 ?? "" }.joined(
                separator: " ")
        }
        #expect(answer == "d https://help t-1")
        #expect(await app.preauthorize(request) == "response \(code) \(action) \(status)")
    }

    /// The login has expired, or the service no longer gives the application a token.
    @Test(arguments: [
        (31 * 86_400.0, "failure authentication_session_expired authentication 0"),
        (86_401.0, "failure access_token_unavailable none 0"),
    ])
    func tellsWhatIsMissing_forARequest(seconds: TimeInterval, words: String) async throws {
        let app = try await ClassicApp().loggedIn()
        app.clock.advance(by: seconds)
        app.transport.setScript { request, _ in
            request.path?.contains("/o/client/token") == true
                ? .response(status: 400, body: "{\"error\":\"unauthorized_client\"}") : nil
        }
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"]).build()
        #expect(await app.preauthorize(request) == words)
    }

    /// The app can make the same call again once the other requestor is set.
    @Test(.row("PR14", "Q15"), arguments: ServiceDialect.allCases)
    func advisesToRetry_whenTheCallEndsWithItsRequestor(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let answer = Gate()
        app.transport.setInterception { request, _ in
            if request.path?.contains("/preauthorize") == true { await answer.pass() }
            return nil
        }
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1"]).build()
        let words = Task { await app.preauthorize(request) }
        await answer.arrival()
        app.setRequestor("DEMO2")
        #expect(await words.value == "failure server_response_format_unknown retry 0")
    }

    /// The text for the viewer on a tile that cannot be played is never the sentence for developers.
    @Test(.row("PR14"), arguments: ServiceDialect.allCases)
    func hasATextForEachTile_thatCannotBePlayed(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1", "DEMO-PLUS"]).build()
        let texts = await app.preauthorize(request) { response in
            response.getDecisions().map { $0.getViewerMessage() ?? "-" }.joined(separator: "|")
        }
        let denial =
            service == .restV2
            ? "Demo Plus is not part of your plan. Add it for 5 a month."
            : "Your TV provider does not allow you to watch this."
        #expect(texts == "-|\(denial)")
    }

    @Test(arguments: ["authorization_denied_by_mvpd", "of a later version", nil])
    func aDecisionAndItsError_haveTheSameText(code: String?) {
        let decision = Decision(id: "DEMO-1", isAuthorized: false, error: Status(status: 403, code: code))
        #expect(decision.getViewerMessage() != nil)
        #expect(decision.getError()?.getViewerMessage() == decision.getViewerMessage())
    }

    @Test(arguments: [
        (Status(status: 0, code: "requestor_not_configured"), "Your login with a TV provider could not be checked."),
        (Status(status: 0, code: "authentication_session_missing"), "You are not logged in with a TV provider."),
        (Status(status: 0, code: "authentication_session_expired"), "You are not logged in with a TV provider."),
        (Status(status: 0, code: "access_token_unavailable"), "The TV provider service does not accept this app."),
        (Status(status: 429, code: "too_many_requests"), "There were too many requests from this device."),
        (Status(status: 0, code: "network_error"), "The TV provider service cannot be reached."),
        (
            Status(status: 0, code: "server_response_format_unknown", message: "for developers"),
            "It was not possible to check what you can watch."
        ),
        (
            Status(status: 500, code: "internal_server_error", message: "for developers", action: "retry"),
            "The TV provider service is not working at the moment."
        ),
        (Status(status: 403, code: "too_many_resources"), "It was not possible to check what you can watch."),
        (
            Status(status: 403, code: "new", message: "for developers"),
            "It was not possible to check what you can watch."
        ),
        (Status(status: 403, code: "new", details: "Call us."), "Call us."),
        (Status(status: 403, code: nil), "It was not possible to check what you can watch."),
    ])
    func aStatusHasATextForTheViewer(status: Status, text: String) {
        #expect(status.getViewerMessage() == text)
    }

    /// A resource that the response omits is not denied.
    @Test(.row("PR11"), arguments: ServiceDialect.allCases)
    func saysThatAResourceWasLeftOut(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        let body =
            service == .classic
            ? "<resources><resource><id>DEMO-1</id><authorized>false</authorized></resource></resources>"
            : "{\"decisions\":[{\"resource\":\"DEMO-1\",\"authorized\":false}]}"
        app.transport.setScript { request, _ in
            request.path?.contains("/preauthorize") == true ? .response(status: 200, body: body) : nil
        }
        let request = PreauthorizeRequest.Builder().setResources(resources: ["DEMO-1", "DEMO-2"]).build()
        let answer = await app.preauthorize(request) { response in
            response.getDecisions().map { "\($0.isAuthorized()) \($0.getError()?.getAction() ?? "-")" }.joined(
                separator: ", ")
        }
        #expect(answer == "false -, false retry")
        let text = await app.preauthorize(request) { $0.getDecisions().last?.getViewerMessage() ?? "-" }
        #expect(text == "It was not possible to check whether you can watch this.")
    }

    /// The services write MRSS in CDATA, from which an XML parser returns a line feed for each line end.
    @Test func plays_whateverTheLineEndsOfTheResource() async throws {
        let app = try await ClassicApp().loggedIn()
        app.transport.setScript { request, _ in
            guard request.path?.contains("/deviceShortAuthorize") == true else { return nil }
            return .rewritten { $0.replacingOccurrences(of: "&#13;&#10;", with: "\r\n") }
        }
        let mrss = Resource.mrss(channel: "DEMO-1").text
        let resource = mrss.replacingOccurrences(of: "<channel>", with: "\r\n<channel>")
        for _ in 0..<2 {
            app.enabler.getAuthorization(resource)
            #expect(await app.callbacks(until: \.isAuthorizationEnd).last?.isToken == true)
        }
    }

    @Test(.row("AZ4"), arguments: ServiceDialect.allCases)
    func tracksTheCodeThatTheAppIsTold(service: ServiceDialect) async throws {
        let app = try await ClassicApp(service).loggedIn()
        app.enabler.getAuthorization("DEMO-PLUS")
        let callbacks = await app.callbacks(until: \.isAuthorizationEnd)
        let tracked = callbacks.compactMap { callback -> String? in
            if case .tracking(let data, 1) = callback { data[4] } else { nil }
        }
        #expect(tracked == [USER_NOT_AUTHORIZED_ERROR])
        guard case .tokenRequestFailed(_, USER_NOT_AUTHORIZED_ERROR, _)? = callbacks.last else {
            Issue.record("\(callbacks)")
            return
        }
    }
}

/// The arguments of `getMetadata`, the expected number in the callback, and whether a value is expected.
///
/// The conformance is unchecked because `[AnyHashable: Any]` is not `Sendable`. The dictionary never changes.
struct Sample: @unchecked Sendable {
    let arguments: [AnyHashable: Any]
    let key: Int32
    let hasValue: Bool
}

extension ClassicApp {
    /// Calls `preauthorize` and describes the result in words.
    fileprivate func preauthorize(
        _ request: PreauthorizeRequest, in words: @escaping @Sendable (PreauthorizeResponse) -> String
    ) async -> String {
        await preauthorize(request, onResponse: words, onFailure: words)
    }

    fileprivate func preauthorize(_ request: PreauthorizeRequest) async -> String {
        await preauthorize(
            request, onResponse: { "response \(Self.words($0))" }, onFailure: { "failure \(Self.words($0))" })
    }

    private func preauthorize(
        _ request: PreauthorizeRequest, onResponse: @escaping @Sendable (PreauthorizeResponse) -> String,
        onFailure: @escaping @Sendable (PreauthorizeResponse) -> String
    ) async -> String {
        let answers = AsyncStream<String>.makeStream()
        enabler.preauthorize(
            request,
            didCompleteWith: AccessEnablerCallback(
                onResponse: { answers.continuation.yield(onResponse($0)) },
                onFailure: { answers.continuation.yield(onFailure($0)) }))
        return await answers.stream.first { _ in true } ?? "no answer"
    }

    private static func words(_ response: PreauthorizeResponse) -> String {
        if let status = response.getStatus() {
            return "\(status.getCode() ?? "") \(status.getAction() ?? "") \(status.getStatus())"
        }
        return response.getDecisions().map { "\($0.getId()):\($0.isAuthorized())" }.joined(separator: " ")
    }
}
