import Testing

/// A client that breaks one row alone: the good flow with a change.
struct Break: Sendable, CustomTestStringConvertible {
    let row: String
    let what: String
    let change: @Sendable (inout Flow) -> Void

    var testDescription: String { "\(row), \(what)" }

    static let all: [Break] = [
        Break(row: "CL1", what: "registers at the next start") {
            $0.steps += Flow.steps(.phone, ("", .register), ("", .token), ("", .profiles))
        },
        Break(row: "CL1", what: "registers twice and uses one") { $0.insert(.register, after: "register") },
        Break(row: "CL2", what: "asks for a token at the next start") { $0.insert(.token, after: "reading") },
        Break(row: "CL3", what: "sends a token that has ended") {
            $0.replace("a day", by: .wait(86_400), .profile("demo-cable"))
        },
        Break(row: "CL3", what: "sends a refused token again") {
            $0.replace("a day", by: .wait(86_395), .profile("demo-cable"), .profile("demo-fiber"))
        },
        Break(row: "CL4", what: "asks for the configuration at the next start") {
            $0.insert(.configuration, after: "list again")
        },
        Break(row: "CL5", what: "asks for the configuration twice") {
            $0.insert(.configuration, after: "first picker")
        },
        Break(row: "CL7", what: "looks while the page is open") { $0.insert(.poll, after: "session") },
        Break(row: "CL7", what: "looks every second") { $0.replace("pause 1", by: .wait(0)) },
        Break(row: "CL8", what: "looks every second") { $0.replace("tv pause", by: .wait(0)) },
        Break(row: "CL8", what: "begins late") { $0.insert(.wait(60), after: "tv session") },
        Break(row: "CL9", what: "goes on after success") { $0.insert(.wait(3), .poll, after: "success") },
        Break(row: "CL9", what: "goes on with a replaced code") {
            $0.insert(.useOldCode, .wait(4), .poll, .useNewCode, after: "session")
        },
        Break(row: "CL9", what: "goes on after the code's end") {
            $0.end(after: "tv poll 2")
            $0.steps += Flow.steps(.television, ("", .wait(1_900)), ("", .poll))
        },
        Break(row: "CL10", what: "asks for the profile again and again") {
            $0.insert(.profile("demo-cable"), .profile("demo-cable"), .profile("demo-cable"), after: "restart")
        },
        Break(row: "CL11", what: "opens the page of an unchecked code") { $0.replace("typed again") },
        Break(row: "CL12", what: "begins a login") {
            $0.insert(.session(mvpd: "demo-cable", redirect: "adobepass://ios.app"), after: "several")
        },
        Break(row: "CL13", what: "plays after a preauthorization") { $0.insert(.play("DEMO-2"), after: "list") },
        Break(row: "CL14", what: "repeats a denial") {
            $0.insert(.authorize("DEMO-PLUS"), .authorize("DEMO-PLUS"), after: "denied")
        },
        Break(row: "CL15", what: "asks about permits") {
            $0.insert(.preauthorize(["DEMO-1"]), .wait(5), .preauthorize(["DEMO-1"]), after: "list")
        },
        Break(row: "CL16", what: "plays again with the same permission") {
            $0.insert(.play("DEMO-1"), after: "play 1")
        },
        Break(row: "CL19", what: "leaves the logout's page out") { $0.replace("logout page") },
        Break(row: "CL20", what: "logs out after a denial") {
            $0.steps += Flow.steps(.phone, ("", .authorize("DEMO-PLUS")), ("", .logout), ("", .openLogout))
        },
        Break(row: "CL21", what: "leaves out X-Device-Info") {
            $0.change("first picker") { $0.headers["X-Device-Info"] = .some(nil) }
        },
        Break(row: "CL21", what: "leaves out AP-Device-Identifier") {
            $0.change("success") { $0.headers["AP-Device-Identifier"] = .some(nil) }
        },
        Break(row: "CL22", what: "invents a system") {
            for index in $0.steps.indices where $0.steps[index].actor == .phone {
                // {"primaryHardwareType":"MobilePhone","osName":"MyOS"}
                $0.steps[index].headers["X-Device-Info"] =
                    "eyJwcmltYXJ5SGFyZHdhcmVUeXBlIjoiTW9iaWxlUGhvbmUiLCJvc05hbWUiOiJNeU9TIn0="
            }
        },
        Break(row: "CL23", what: "has another device id") {
            $0.change("second picker") { $0.headers["AP-Device-Identifier"] = "fingerprint b3RoZXI=" }
        },
        Break(row: "CL24", what: "sends a parameter of REST API v1") {
            $0.change("first picker") { $0.query = "?requestor=DEMO" }
        },
        Break(row: "CL24", what: "sends a header of its own") {
            $0.change("success") { $0.headers["X-Brand"] = "demo" }
        },
        Break(row: "CL25", what: "repeats an error") {
            $0.insert(.profile("nobody"), .profile("nobody"), after: "unknown")
        },
        Break(row: "CL27", what: "asks for everything at once") { flow in
            flow.steps += (1...14).map {
                var step = Flow.Step(actor: .phone, act: .preauthorize(["X-\($0)"]))
                step.query = "fast"
                return step
            }
        },
        Break(row: "CL28", what: "has a redirect of its own") {
            $0.replace("given up", by: .session(mvpd: "demo-cable", redirect: "other://app"))
        },
        Break(row: "CL28", what: "opens the page in a web view") {
            $0.change("login") {
                $0.headers["User-Agent"] =
                    """
                    Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) \
                    Chrome/124.0 Mobile Safari/537.36
                    """
            }
        },
        Break(row: "CL29", what: "gives up without a provider") {
            $0.replace("page choice", by: .resume(mvpd: nil))
            $0.end(after: "page picker")
            $0.steps += Flow.steps(.page, ("", .resume(mvpd: nil)))
        },
        Break(row: "CL30", what: "begins a second session") {
            $0.replace("partner's session", by: .session(mvpd: "demo-fiber", redirect: "adobepass://ios.app"))
        },
        Break(row: "HH1", what: "obtains a service token for each question") {
            $0.insert(.joinAccount("account"), .listDevices, after: "devices")
        },
        Break(row: "HH2", what: "sends a link code again") { $0.insert(.joinWithCode, after: "tv household") },
    ]
}
