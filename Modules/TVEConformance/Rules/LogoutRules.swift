import Foundation
import TVEModels

/// The rule for CL19: a client completes the logout at the service.
struct FollowsTheLogout: Rule {
    let row = Row(
        "CL19", .mandatory,
        sentence: "The client logs out at the service, and opens the url of each removed profile in a browser, "
            + "or leads the viewer to the system's settings.",
        evidence:
            "an answer to a logout and, where it has a url, the browser's request of it; a device without a "
            + "browser, and an app whose viewer logs in on a second screen, may stop before that, and what an "
            + "app says about the system's settings is in no recording",
        advice: "Open the url of the action logout in a browser; for partner_logout say where the settings are.",
        source: "Checklist, Logout Phase: Logout Support")

    /// The kinds of devices that have no browser.
    private static let withoutBrowser: Set<String> = ["SetTopBox", "TV", "MediaPlayer", "GamesConsole"]

    let answers: Set<DocumentedEndpoint> = [.logout]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        var pages: [ExactText: [Call]] = [:]
        // Without any page of a browser, it is unknown whether a page was opened.
        var showsPages = false
        for call in recording.calls where call.client == nil {
            showsPages = showsPages || call.endpoint == .authenticate
            pages[WebAddress(call.exchange, scheme: "https").target, default: []].append(call)
        }
        let last = recording.calls.last
        // A client that shows a code has no browser for a login, and none for a logout.
        let withoutBrowser = Set(recording.sessions.filter(\.isOnSecondScreen).compactMap { $0.created?.client })
        for call in recording.known where call.endpoint == .logout && call.isSuccess {
            for action in (call.answer?["logouts"]?.objectValue ?? [:]).values {
                guard let url = action["url"]?.stringValue, !url.isEmpty else {
                    verdict.keep([call])
                    continue
                }
                let known = Self.addresses(url, in: call).compactMap { address in
                    pages[address.target]?.first { $0.place > call.place }
                }
                if let page = known.first {
                    verdict.keep([call, page])
                    continue
                }
                let type = call.deviceInfo?["primaryHardwareType"]?.stringValue ?? ""
                guard showsPages, !Self.withoutBrowser.contains(type), let last, last.place > call.place,
                    call.client.map(withoutBrowser.contains) != true
                else { continue }
                verdict.fail("The url of the logout was never opened.", [call])
            }
        }
    }

    /// Returns the addresses that a URL of a response can mean.
    ///
    /// A client that knows only the host of the service reads a path without a slash from there.
    private static func addresses(_ url: String, in call: Call) -> [WebAddress] {
        let own = WebAddress(call.exchange, scheme: "https")
        return [own, WebAddress("/", relativeTo: own)].map { WebAddress(url, relativeTo: $0) }
    }
}

/// The rule for CL20: only the viewer logs out.
struct LeavesLogoutToTheViewer: ClientRule {
    /// The time within which no viewer can read a denial and log out.
    private static let seconds = 2.0

    let row = Row(
        "CL20", .recommended,
        sentence: "The client never logs out by itself because of a denial, or because a login is missing.",
        evidence:
            "a denial or an answer without a profile, and the next request of the same client: a logout within "
            + "two seconds is not the viewer's",
        advice: "Show the denial, and call the logout from the viewer's own command alone.",
        source: "Checklist, Logout Phase: User Experience")

    let answers: Set<DocumentedEndpoint> = [.preauthorize, .authorize, .profiles, .profile]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        for (answer, next) in zip(calls, calls.dropFirst())
        where answer.saysThatNobodyIsLoggedIn && next.isLogout(rightAfter: answer, within: Self.seconds) {
            verdict.fail("The client logged out right after an answer without a profile.", [answer, next])
        }
        for (denial, next) in zip(calls, calls.dropFirst())
        // A request that was sent before the denial arrived shows nothing.
        where denial.decisions.contains(where: { !$0.isPermit }) && next.began >= denial.ended {
            if next.isLogout(rightAfter: denial, within: Self.seconds) {
                verdict.fail("The client logged out right after a denial.", [denial, next])
            } else {
                verdict.keep([denial, next])
            }
        }
    }
}

extension Call {
    /// A Boolean value that indicates whether the call requests profiles and the response states that there are none.
    fileprivate var saysThatNobodyIsLoggedIn: Bool {
        (endpoint == .profiles || endpoint == .profile) && deniesLogin
    }

    fileprivate func isLogout(rightAfter answer: Call, within seconds: Double) -> Bool {
        endpoint == .logout && began >= answer.ended && began.timeIntervalSince(answer.ended) < seconds
    }
}
