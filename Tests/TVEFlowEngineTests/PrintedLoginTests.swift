import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import Testing

/// Values of a login that pass between service, flow and app, none of which may end up in a log.
struct PrintedLoginTests {
    private static let secret = "GC99XM8"

    private static func url(_ path: String) throws -> URL { try #require(URL(string: "https://sp.example\(path)")) }

    private static func values() throws -> [any Redacting] {
        let redirect = try url("/done")
        // REST API v2 has the code at the end of the path, the classic service in the query.
        let (path, query) = (
            try url("/api/v2/authenticate/DEMO/\(secret)"), try url("/authenticate?reg_code=\(secret)")
        )
        return [
            RegistrationCode(code: secret, mvpdID: "m", expires: .distantFuture),
            BrowserPage(url: path, redirectURL: redirect), BrowserPage(url: query, redirectURL: redirect),
            LogoutPage(url: try url("/logout?session_index=\(secret)"), redirectURL: redirect),
            LoginPage(
                step: .open(path, redirect: redirect), requestorID: "DEMO", mvpdID: "m", registrationCode: secret,
                expires: .distantFuture), LoginPage.Step.open(query, redirect: redirect),
            LoginRequest(requestorID: "DEMO", mvpdID: "m", data: ["email": .string(secret)]),
        ]
    }

    @Test func showsNoCodeAndNoSession_howeverPrinted() throws {
        for value in try Self.values() {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value), String(describing: [value])] {
                #expect(!text.contains(Self.secret), "\(type(of: value))")
            }
        }
    }
}
