import AccessEnabler
import Foundation
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The callbacks of each call, checked against the list of Documentation/Behaviour.md, row by row.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ClassicAnswerTests {
    /// One row of the list.
    struct Row: Sendable, CustomStringConvertible {
        let call: String
        let situation: String
        let answers: String
        /// A Boolean value that indicates whether the viewer is logged in beforehand.
        var isLoggedIn = false
        let story: @Sendable (ClassicApp) async throws -> Void

        var description: String { "`\(call)`: \(situation): \(answers)" }
    }

    private static let pickerAndPage = "`displayProviderDialog`, `navigateToUrl`"
    private static let yes = "`setAuthenticationStatus(1)`"
    private static func no(_ code: String) -> String { "`setAuthenticationStatus(0, \(code))`" }
    private static let complete = "`setRequestorComplete(1)`"
    private static let nothing = "–"
    /// A kind of metadata that does not exist and that no row requests.
    private static let lastQuestion: Int32 = 99

    static let rows: [Row] = [
        Row(call: "setRequestor", situation: "the services know the requestor", answers: complete) {
            $0.setRequestor("DEMO2")
        },
        Row(
            call: "setRequestor", situation: "no service answers, or none knows the requestor",
            answers: "`setRequestorComplete(0)`"
        ) {
            $0.setRequestor("NOBODY")
        },
        Row(call: "checkAuthentication", situation: "the viewer is logged in", answers: yes, isLoggedIn: true) {
            $0.enabler.checkAuthentication()
        },
        Row(
            call: "checkAuthentication", situation: "the viewer is not logged in",
            answers: no("USER_NOT_AUTHENTICATED_ERROR")
        ) {
            $0.enabler.checkAuthentication()
        },
        Row(call: "getAuthentication", situation: "the viewer is logged in", answers: yes, isLoggedIn: true) {
            $0.enabler.getAuthentication()
        },
        Row(call: "getAuthentication", situation: "the viewer logs in", answers: "\(pickerAndPage), \(yes)") {
            $0.enabler.getAuthentication()
            try await $0.chooseAndLogIn()
        },
        Row(
            call: "getAuthentication", situation: "the login has expired, and the viewer logs in again",
            answers: "`navigateToUrl`, \(yes)", isLoggedIn: true
        ) {
            $0.clock.advance(by: 2_592_001)
            $0.enabler.getAuthentication()
            try await $0.browse()
        },
        Row(
            call: "getAuthentication", situation: "a second one comes while the viewer is at the picker",
            answers: "`displayProviderDialog`, \(pickerAndPage), \(yes)"
        ) {
            await $0.openPicker()
            $0.enabler.getAuthentication()
            try await $0.chooseAndLogIn()
        },
        Row(
            call: "getAuthentication", situation: "the choice of a provider is taken back",
            answers: "`displayProviderDialog`, \(no("PROVIDER_NOT_SELECTED_ERROR"))"
        ) {
            await $0.openPicker()
            $0.enabler.setSelectedProvider(nil)
        },
        Row(
            call: "getAuthentication", situation: "forced, the viewer is logged in and logs in again",
            answers: "`navigateToUrl`, \(yes)", isLoggedIn: true
        ) {
            $0.enabler.getAuthentication(true, withData: nil)
            try await $0.browse()
        },
        Row(
            call: "getAuthentication",
            situation: "a provider is chosen that the requestor does not have, and then another one",
            answers: "\(pickerAndPage), \(yes)"
        ) {
            await $0.openPicker()
            $0.enabler.setSelectedProvider("nobody")
            $0.enabler.setSelectedProvider("demo-cable")
            try await $0.browse()
        },
        Row(
            call: "getAuthentication", situation: "the viewer cancels on the provider's page",
            answers: "\(pickerAndPage), \(no("GENERIC_AUTHENTICATION_ERROR"))"
        ) {
            await $0.openPicker()
            $0.enabler.setSelectedProvider("demo-cable")
            try await $0.browse(as: .cancels)
        },
        Row(
            call: "getAuthentication", situation: "`logout` while the page is open",
            answers: "\(pickerAndPage), \(no("PROVIDER_NOT_SELECTED_ERROR")), \(no("USER_NOT_AUTHENTICATED_ERROR"))"
        ) {
            await $0.openPage()
            $0.enabler.logout()
        },
        Row(
            call: "getAuthentication", situation: "another requestor is set while the viewer is at the picker",
            answers: "`displayProviderDialog`, \(complete)"
        ) {
            await $0.openPicker()
            $0.setRequestor("DEMO2")
        },
        Row(
            call: "getAuthentication", situation: "`setRequestor` failed before",
            answers: "`setRequestorComplete(0)`, \(no("GENERIC_AUTHENTICATION_ERROR"))"
        ) {
            $0.enabler.setRequestor("DEMO2", serviceProviders: ["not a URL"])
            $0.enabler.getAuthentication()
        },
        Row(
            call: "getAuthentication",
            situation: "another app opens a URL with the redirect's scheme while the page is open",
            answers: "\(pickerAndPage), `navigateToUrl`, \(yes)"
        ) {
            await $0.openPage()
            $0.enabler.handleExternalURL("adobepass://x")
            try await $0.browse()
        },
        Row(
            call: "getAuthentication",
            situation: "the app closes its page without a call, the code expires, and another call comes",
            answers: "\(pickerAndPage), `displayProviderDialog`"
        ) {
            await $0.openPage()
            while $0.clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
            $0.clock.advance(by: 36_001)
            _ = await $0.callbacks(until: { if case .status = $0 { true } else { false } })
            $0.enabler.getAuthentication()
        },
        Row(call: "setSelectedProvider(id)", situation: "no login is in progress", answers: nothing) {
            $0.enabler.setSelectedProvider("demo-cable")
        },
        Row(
            call: "setSelectedProvider(id)", situation: "no login is in progress, and the choice cannot be stored",
            answers: no("GENERIC_AUTHENTICATION_ERROR")
        ) {
            $0.storage.fail(.writing)
            $0.enabler.setSelectedProvider("demo-cable")
        },
        Row(
            call: "setSelectedProvider(nil)", situation: "no login is in progress",
            answers: no("PROVIDER_NOT_SELECTED_ERROR")
        ) {
            $0.enabler.setSelectedProvider(nil)
        },
        Row(call: "logout", situation: "the viewer is not logged in", answers: no("USER_NOT_AUTHENTICATED_ERROR")) {
            $0.enabler.logout()
        },
        Row(
            call: "logout", situation: "no page opens, and `checkAuthentication` comes right after it",
            answers: "\(no("USER_NOT_AUTHENTICATED_ERROR")), \(no("USER_NOT_AUTHENTICATED_ERROR"))"
        ) {
            $0.enabler.logout()
            $0.enabler.checkAuthentication()
        },
        Row(
            call: "logout", situation: "the app finishes the page",
            answers: "`navigateToUrl`, \(no("USER_NOT_AUTHENTICATED_ERROR"))", isLoggedIn: true
        ) {
            $0.enabler.logout()
            try await $0.browse(as: .cancels)
        },
        Row(
            call: "logout", situation: "the app never finishes the page", answers: "`navigateToUrl`", isLoggedIn: true
        ) {
            $0.enabler.logout()
        },
        Row(
            call: "logout", situation: "the viewer closes the page, and the app calls `setSelectedProvider(nil)`",
            answers: "`navigateToUrl`, \(no("PROVIDER_NOT_SELECTED_ERROR"))", isLoggedIn: true
        ) {
            $0.enabler.logout()
            _ = await $0.callbacks(until: \.isNavigation)
            $0.enabler.setSelectedProvider(nil)
        },
        Row(
            call: "logout", situation: "a second one comes while the page of the first is open",
            answers: "`navigateToUrl`, \(no("USER_NOT_AUTHENTICATED_ERROR"))", isLoggedIn: true
        ) {
            $0.enabler.logout()
            _ = await $0.callbacks(until: \.isNavigation)
            $0.enabler.logout()
        },
        Row(call: "getAuthorization", situation: "the viewer is logged in", answers: "`setToken`", isLoggedIn: true) {
            $0.enabler.getAuthorization("DEMO-1")
        },
        Row(
            call: "getAuthorization", situation: "the viewer logs in for it",
            answers: "\(pickerAndPage), \(yes), `setToken`"
        ) {
            $0.enabler.getAuthorization("DEMO-1")
            try await $0.chooseAndLogIn()
        },
        Row(
            call: "getAuthorization", situation: "the viewer leaves the picker",
            answers:
                """
                `displayProviderDialog`, \(no("PROVIDER_NOT_SELECTED_ERROR")), \
                `tokenRequestFailed(USER_NOT_AUTHENTICATED_ERROR)`
                """
        ) {
            $0.enabler.getAuthorization("DEMO-1")
            _ = await $0.callbacks(until: \.isProviderDialog)
            $0.enabler.setSelectedProvider(nil)
        },
        Row(
            call: "getAuthorization", situation: "another requestor is set while the viewer is at the picker",
            answers: "`displayProviderDialog`, `tokenRequestFailed(GENERIC_AUTHORIZATION_ERROR)`, \(complete)"
        ) {
            $0.enabler.getAuthorization("DEMO-1")
            _ = await $0.callbacks(until: \.isProviderDialog)
            $0.setRequestor("DEMO2")
        },
        Row(
            call: "getAuthorization", situation: "the provider denies the resource",
            answers: "`tokenRequestFailed(USER_NOT_AUTHORIZED_ERROR)`", isLoggedIn: true
        ) {
            $0.enabler.getAuthorization("DEMO-PLUS")
        },
        Row(call: "checkAuthorization", situation: "the viewer is logged in", answers: "`setToken`", isLoggedIn: true) {
            $0.enabler.checkAuthorization("DEMO-1")
        },
        Row(
            call: "checkAuthorization", situation: "the viewer is not logged in",
            answers: "`tokenRequestFailed(USER_NOT_AUTHENTICATED_ERROR)`"
        ) {
            $0.enabler.checkAuthorization("DEMO-1")
        },
        Row(
            call: "checkPreauthorizedResources", situation: "the viewer is logged in",
            answers: "`preauthorizedResources([DEMO-1])`", isLoggedIn: true
        ) {
            $0.enabler.checkPreauthorizedResources(["DEMO-1", "DEMO-PLUS"])
        },
        Row(
            call: "checkPreauthorizedResources", situation: "the viewer is not logged in",
            answers: "`preauthorizedResources([])`"
        ) {
            $0.enabler.checkPreauthorizedResources(["DEMO-1", "DEMO-PLUS"])
        },
        Row(
            call: "getMetadata", situation: "the value is known", answers: "`setMetadataStatus(value)`",
            isLoggedIn: true
        ) {
            $0.enabler.getMetadata([METADATA_OPCODE_KEY: METADATA_AUTHENTICATION])
        },
        Row(
            call: "getMetadata", situation: "there is no value, or the arguments name no kind of metadata",
            answers: "`setMetadataStatus(nil)`"
        ) {
            $0.enabler.getMetadata(nil)
        },
        Row(
            call: "getSelectedProvider", situation: "a provider is chosen", answers: "`selectedProvider(demo-cable)`",
            isLoggedIn: true
        ) {
            $0.enabler.getSelectedProvider()
        },
        Row(call: "getSelectedProvider", situation: "none is chosen", answers: "`selectedProvider(nil)`") {
            $0.enabler.getSelectedProvider()
        },
        Row(call: "handleExternalURL", situation: "no page is open, and the store cannot be read", answers: nothing) {
            $0.storage.fail(.reading)
            $0.enabler.handleExternalURL("https://www.example.com/show/1")
            $0.enabler.handleExternalURL(AccessEnabler.redirectURL.absoluteString)
        },
        Row(call: "handleExternalURL", situation: "no page is open", answers: nothing) {
            $0.enabler.handleExternalURL(AccessEnabler.redirectURL.absoluteString)
        },
    ]

    private static let cases = ServiceDialect.allCases.flatMap { service in rows.indices.map { (service, $0) } }

    @Test(.row("CL16", "D-16", "D-17", "D-52", "K2", "M12", "M13", "M29"), arguments: cases)
    func eachCallHasTheAnswersOfItsRow(service: ServiceDialect, number: Int) async throws {
        let row = Self.rows[number]
        let app = try await ClassicApp(service)
        if row.isLoggedIn {
            try await app.logIn()
        } else {
            app.setRequestor()
            _ = await app.callbacks(until: \.isRequestorComplete)
        }
        let before = app.recorder.callbacks.count
        try await row.story(app)
        let expected = row.answers.count { $0 == "`" } / 2
        while app.recorder.callbacks.dropFirst(before).compactMap(\.answer).count < expected,
            await app.recorder.next(within: .hanging) != nil
        {}
        // No other callback comes before the one of this call.
        func isLast(_ callback: ClassicCallback) -> Bool {
            if case .metadata(_, _, Self.lastQuestion, _) = callback { true } else { false }
        }
        app.enabler.getMetadata([METADATA_OPCODE_KEY: Self.lastQuestion])
        _ = await app.callbacks(until: isLast)
        let answers = app.recorder.callbacks.dropFirst(before).prefix { !isLast($0) }.compactMap(\.answer)
        #expect((answers.isEmpty ? Self.nothing : answers.joined(separator: ", ")) == row.answers, "\(row)")
    }

    @Test func theDocumentationHasTheseRows() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let page = try String(contentsOf: root.appending(path: "Documentation/Behaviour.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let list = Array(lines.drop { $0 != "* `setRequestor`" }.prefix { !$0.isEmpty })
        // The list has an item for each call, with the rows of the call below it.
        var expected: [String] = []
        for (index, row) in Self.rows.enumerated() {
            if index == 0 || Self.rows[index - 1].call != row.call { expected.append("* `\(row.call)`") }
            expected.append("  * \(row.situation): \(row.answers)")
        }
        #expect(list == expected)
    }
}

extension ClassicApp {
    /// Begins a login, chooses a provider, and takes callbacks until the page.
    fileprivate func openPage() async {
        await openPicker()
        enabler.setSelectedProvider("demo-cable")
        _ = await callbacks(until: \.isNavigation)
    }
}

extension ClassicCallback {
    /// Returns the callback as the list writes it, or nil for a callback that belongs to no call.
    fileprivate var answer: String? {
        switch self {
        case .requestorComplete(let status): "`setRequestorComplete(\(status))`"
        case .providerDialog: "`displayProviderDialog`"
        case .navigate, .navigateInSafari: "`navigateToUrl`"
        case .authenticationStatus(1, _): "`setAuthenticationStatus(1)`"
        case .authenticationStatus(_, let code): "`setAuthenticationStatus(0, \(Self.name(of: code)))`"
        case .token: "`setToken`"
        case .tokenRequestFailed(_, let code, _): "`tokenRequestFailed(\(Self.name(of: code)))`"
        case .preauthorizedResources: "`\(self)`"
        case .metadata(let value, _, _, _): "`setMetadataStatus(\(value == nil ? "nil" : "value"))`"
        case .selectedProvider(let id): "`selectedProvider(\(id ?? "nil"))`"
        case .presentPlatformDialog, .dismissPlatformDialog, .tracking, .status: nil
        }
    }

    private static func name(of code: String) -> String {
        switch code {
        case USER_NOT_AUTHENTICATED_ERROR: "USER_NOT_AUTHENTICATED_ERROR"
        case USER_NOT_AUTHORIZED_ERROR: "USER_NOT_AUTHORIZED_ERROR"
        case PROVIDER_NOT_SELECTED_ERROR: "PROVIDER_NOT_SELECTED_ERROR"
        case GENERIC_AUTHENTICATION_ERROR: "GENERIC_AUTHENTICATION_ERROR"
        case GENERIC_AUTHORIZATION_ERROR: "GENERIC_AUTHORIZATION_ERROR"
        default: code
        }
    }
}
