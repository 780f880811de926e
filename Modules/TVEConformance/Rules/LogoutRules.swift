import Foundation
import TVEModels

/// The rule for CL19: a client completes the logout at the service.
struct FollowsTheLogout: Rule {
    let row = Row(
        "CL19", .mandatory,
        sentence: "The client logs out at the service, and opens the url of each removed profile in a browser, "
            + "or leads the viewer to the system's settings.",
        evidence:
            "an answer to a logout and, if it has a url, the browser's request for it. A device without a browser, "
            + "and an app whose viewer logs in on a second screen, may leave that request out. No recording shows "
            + "what an app says about the system's settings",
        advice:
            "For the action logout, open its url in a browser; for partner_logout, name the system's settings.",
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
        // The client to whose logout each page is attributed, because the logout of another device can have the same
        // URL.
        var owners: [Int: Int] = [:]
        // A client that shows a code has no browser for a login, and none for a logout.
        let withoutBrowser = Set(recording.sessions.filter(\.isOnSecondScreen).compactMap { $0.created?.client })
        for call in recording.known where call.endpoint == .logout && call.isSuccess {
            for action in (call.answer?["logouts"]?.objectValue ?? [:]).values {
                // A client cannot read a step without a name, so it need not take it.
                guard let name = Self.text(action["actionName"]) else { continue }
                guard Self.leadsToAPage(name, action), let url = Self.text(action["url"]) else {
                    verdict.keep([call])
                    continue
                }
                // A recording that hides the address does not show whether its page was opened.
                guard !Exchange.Message.isMask(url) else { continue }
                let known = Self.addresses(url, in: call).compactMap { address in
                    pages[address.target]?.first {
                        $0.isAfter(call) && (owners[$0.place] ?? call.client) == call.client
                    }
                }
                let type = call.deviceInfo?["primaryHardwareType"]?.stringValue ?? ""
                let mustOpen =
                    showsPages && !Self.withoutBrowser.contains(type) && Self.goesOn(after: call, recording)
                    && call.client.map(withoutBrowser.contains) != true
                if let page = known.first {
                    // A page that its client need not open may be that of another client.
                    if mustOpen { owners[page.place] = call.client }
                    verdict.keep([call, page])
                    continue
                }
                guard mustOpen else { continue }
                verdict.fail("The url of the logout was never opened.", [call])
            }
        }
    }

    /// Returns a Boolean value that indicates whether an action asks for its `url` to be opened.
    ///
    /// The list of actions may grow. The type of an unknown one says whether the viewer must act.
    private static func leadsToAPage(_ name: String, _ action: MetadataValue) -> Bool {
        switch name {
        case "logout": true
        case "partner_logout", "complete", "invalid": false
        default: text(action["actionType"]) == "interactive"
        }
    }

    /// Returns a text without white space around it, or nil if nothing is left.
    private static func text(_ value: MetadataValue?) -> String? {
        let text = value?.stringValue.map(JSONCursor.trimmed)
        return text?.isEmpty == false ? text : nil
    }

    /// Returns a Boolean value that indicates whether the recording continues after a logout.
    ///
    /// With several clients, the pages do not show whose browser opened them, so only the client's own requests are
    /// considered.
    private static func goesOn(after logout: Call, _ recording: Recording) -> Bool {
        let isAlone = recording.clients.count == 1
        let last = isAlone ? recording.calls.last : logout.client.flatMap { recording.clients[$0].last }
        return last.map { $0.isAfter(logout) && $0.began >= logout.ended } == true
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
            "a denial or an answer without a profile, and later requests of the same client. A logout within two "
            + "seconds does not come from the viewer",
        advice: "Show the denial, and log out only when the viewer asks for it.",
        source: "Checklist, Logout Phase: User Experience")

    let answers: Set<DocumentedEndpoint> = [.preauthorize, .authorize, .profiles, .profile]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        // The logouts are grouped by login, and by service provider for responses that deny all profiles.
        let logouts = calls.filter { $0.endpoint == .logout }
        let ofProviders = Dictionary(grouping: logouts, by: Self.login)
        let ofBrands = Dictionary(grouping: logouts, by: Self.brand)
        // A client that plays something else in between does not log out because of the denial.
        let permits = calls.filter { $0.endpoint == .authorize && $0.decisions.contains(where: \.isPermit) }
        func hastyLogout(after answer: Call) -> Call? {
            let known = answer.mvpd == nil ? ofBrands[Self.brand(answer)] : ofProviders[Self.login(answer)]
            guard let logout = known?.first(after: answer),
                logout.began.timeIntervalSince(answer.ended) < Self.seconds
            else { return nil }
            return permits.first(after: answer).map { logout.isAfter($0) } == true ? nil : logout
        }
        // A profile that was requested after the answer is that of a new login, which is the one that ends.
        var logins: [ExactText: [Call]] = [:]
        for call in calls {
            for provider in (call.profileEnds ?? [:]).keys {
                logins[Self.login(call.serviceProvider, provider), default: []].append(call)
            }
        }
        func isOfNewLogin(_ logout: Call, after answer: Call) -> Bool {
            let login = logins[Self.login(logout)]?.first(after: answer)
            return login.map { logout.isAfter($0) && !logout.cannotKnow(of: $0) } == true
        }
        for answer in calls where answer.saysThatNobodyIsLoggedIn {
            guard let logout = hastyLogout(after: answer), !isOfNewLogin(logout, after: answer) else { continue }
            verdict.fail("The client logged out right after an answer without a profile.", [answer, logout])
        }
        for denial in calls where denial.decisions.contains(where: { !$0.isPermit }) {
            // Any other denial is about a login that goes on, and shows in a profile afterwards.
            if let logout = hastyLogout(after: denial),
                !denial.deniesLogin || !isOfNewLogin(logout, after: denial)
            {
                verdict.fail("The client logged out right after a denial.", [denial, logout])
            } else if let next = calls.first(after: denial) {
                verdict.keep([denial, next])
            }
        }
    }

    private static func brand(_ call: Call) -> ExactText { ExactText(call.serviceProvider ?? "") }

    private static func login(_ call: Call) -> ExactText { login(call.serviceProvider, call.mvpd) }

    private static func login(_ brand: String?, _ provider: String?) -> ExactText {
        ExactText("\(brand ?? "")\n\(provider ?? "")")
    }
}

extension [Call] {
    /// Returns the first of these calls that was sent when a response had arrived.
    ///
    /// A request that was sent before shows nothing. The calls are in their order, so half of them are left out at a
    /// time.
    fileprivate func first(after answered: Call) -> Call? {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].isAfter(answered), self[middle].began >= answered.ended {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low < endIndex ? self[low] : nil
    }
}

extension Call {
    /// A Boolean value that indicates whether the call requests profiles and the response states that there are none.
    fileprivate var saysThatNobodyIsLoggedIn: Bool {
        (endpoint == .profiles || endpoint == .profile) && deniesLogin
    }
}
