import AccessEnabler
import Foundation
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Every wrong argument that an app can pass leads to the documented callback, without a crash, and the login remains.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct WrongArgumentTests {
    /// A call and its last callback, or nil if there must be none.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: String?
        let call: @Sendable (AccessEnabler) -> Void

        init(_ name: String, endsWith end: String?, _ call: @escaping @Sendable (AccessEnabler) -> Void) {
            testDescription = name
            self.end = end
            self.call = call
        }
    }

    private static let generic = "\"\(GENERIC_AUTHORIZATION_ERROR)\", \"\")"
    private static let failed = "setAuthenticationStatus(0, \"\(GENERIC_AUTHENTICATION_ERROR)\")"

    static let mistakes = [
        Mistake("checkAuthorization(nil)", endsWith: "tokenRequestFailed(, \(generic)") { $0.checkAuthorization(nil) },
        Mistake("getAuthorization(\"\")", endsWith: "tokenRequestFailed(, \(generic)") { $0.getAuthorization("") },
        Mistake(
            "checkAuthorization of broken MRSS",
            endsWith: "tokenRequestFailed(<rss, \"\(GENERIC_AUTHORIZATION_ERROR)\", \"The resource is malformed.\")"
        ) {
            $0.checkAuthorization("<rss")
        },
        Mistake("checkAuthorization with odd data", endsWith: "token DEMO-1") {
            $0.checkAuthorization("DEMO-1", withData: [7: Data(), "a": Data(), "b": Double.nan, "c": NSNull()])
        },
        Mistake("setSelectedProvider(\"\")", endsWith: failed) { $0.setSelectedProvider("") },
        Mistake("setSelectedProvider of an unknown id", endsWith: failed) {
            $0.setSelectedProvider("no such provider")
        },
        Mistake("handleExternalURL(nil)", endsWith: nil) { $0.handleExternalURL(nil) },
        Mistake("handleExternalURL of no URL", endsWith: nil) { $0.handleExternalURL("::: \u{0} :::") },
        Mistake("handleExternalURL of a foreign URL", endsWith: nil) {
            $0.handleExternalURL("https://example.com/ios.app")
        },
        Mistake("handleExternalURL with nothing pending", endsWith: nil) {
            $0.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        },
        Mistake("setOptions of wrong types", endsWith: nil) {
            $0.setOptions([OPTION_HANDLE_SVC: "yes", OPTION_VISITOR_ID: 7, OPTION_PROFILE: [1], 5: 6])
        },
        Mistake("checkPreauthorizedResources(nil)", endsWith: "preauthorizedResources([])") {
            $0.checkPreauthorizedResources(nil)
        },
        Mistake("checkPreauthorizedResources of no texts", endsWith: "preauthorizedResources([])") {
            $0.checkPreauthorizedResources([1, NSNull(), ["DEMO-1"]], cache: false)
        },
        Mistake("getMetadata(nil)", endsWith: "setMetadataStatus(nil, encrypted: false, -1, )") { $0.getMetadata(nil) },
        Mistake("getMetadata of a wrong type", endsWith: "setMetadataStatus(nil, encrypted: false, -1, )") {
            $0.getMetadata([METADATA_OPCODE_KEY: ["3"]])
        },
        Mistake("getAuthentication with a filter of wrong types", endsWith: "setAuthenticationStatus(1, \"\")") {
            $0.getAuthentication([TV_PROVIDERS: 7, FEATURED_TV_PROVIDERS: [1, 2]])
        },
    ]

    @Test(arguments: mistakes)
    func endsAsDocumented(mistake: Mistake) async throws {
        let app = try await ClassicApp().loggedIn()
        let before = app.recorder.callbacks.count
        mistake.call(app.enabler)
        if let end = mistake.end {
            let callbacks = await app.callbacks(until: { $0.word == end })
            #expect(callbacks.last?.word == end, "\(callbacks)")
        }
        // After all of this, the viewer is still logged in, and there was no other callback.
        app.enabler.checkAuthorization("DEMO-2")
        #expect(await app.callbacks(until: { $0.word == "token DEMO-2" }).last?.word == "token DEMO-2")
        if mistake.end == nil { #expect(app.recorder.callbacks.count == before + 2, "tracking and token alone") }
    }

    @Test(
        arguments: [("", [""]), ("DEMO", [""]), ("DEMO", ["ftp://127.0.0.1"]), ("", nil), ("DEMO", [" "])]
            as [(String, [String]?)])
    func setRequestor_fails_andTheNextOneWorks(requestor: String, services: [String]?) async throws {
        let app = try await ClassicApp()
        if let services {
            app.enabler.setRequestor(requestor, serviceProviders: services)
        } else {
            app.setRequestor(requestor)
        }
        #expect(await app.callbacks(until: \.isRequestorComplete).last == .requestorComplete(0))
        try await app.logIn()
    }

    @Test func setRequestor_saysWhatIsWrongWithTheService() async throws {
        let app = try await ClassicApp()
        app.enabler.setRequestor("DEMO", serviceProviders: ["ftp://127.0.0.1"])
        let callbacks = await app.callbacks(until: \.isRequestorComplete)
        #expect(callbacks.contains { $0.word.contains("CFG404") && $0.word.contains("ftp") }, "\(callbacks)")
    }
}
