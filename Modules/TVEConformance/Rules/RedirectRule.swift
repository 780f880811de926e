import Foundation
import TVEModels

/// The rule for CL28: a client uses the system's browser and a registered redirect.
struct UsesARegisteredRedirect: Rule {
    let row = Row(
        "CL28", .recommended,
        sentence: "The client opens logins in the system's browser, and its redirect is registered for the "
            + "application.",
        evidence:
            "the redirect of a session among the redirect_uris of the registration, and the User-Agent of the "
            + "browser that opened the page",
        advice:
            "Register scheme or host of the redirect, and use the system's authentication session, since "
            + "several providers refuse web views.",
        source: "Create authentication session: redirectUrl; Safari View Controller support")

    /// The endpoints whose requests name the redirect of a login.
    private static let sessions: Set<DocumentedEndpoint> = [.createSession, .resumeSession, .partnerSession]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for calls in recording.clients {
            var registration: Call?
            for call in calls {
                if call.endpoint == .register, call.isSuccess { registration = call }
                guard let endpoint = call.endpoint, Self.sessions.contains(endpoint),
                    let redirect = call.field("redirectUrl"), let registration
                else { continue }
                let known = registration.answer?["redirect_uris"]?.arrayValue?.compactMap(\.stringValue) ?? []
                guard !known.isEmpty else { continue }
                if known.contains(where: { Self.covers($0, redirect) }) {
                    verdict.keep([registration, call])
                } else {
                    verdict.fail(
                        "The redirect of the session is not among those of the registration.", [registration, call])
                }
            }
        }
        for session in recording.sessions {
            guard let opened = session.opened, let agent = opened.header("user-agent"), Self.isWebView(agent) else {
                continue
            }
            verdict.fail("A web view inside the app opened the login page.", [opened])
        }
    }

    private static func covers(_ registered: String, _ redirect: String) -> Bool {
        func parts(_ url: String) -> (scheme: String, host: String) {
            let (scheme, rest) = url.divided(at: ":")
            let plain = String(rest ?? "").divided(at: "#").before.divided(at: "?").before
            let place = plain.parts(separatedBy: "/", keepsEmpty: false).first ?? ""
            return (String(scheme).lowercased(), String(place.divided(at: ":").before).lowercased())
        }
        let known = parts(registered)
        let used = parts(redirect)
        return known.scheme == used.scheme && (known.host.isEmpty || known.host == used.host)
    }

    /// Returns a Boolean value that indicates whether a user agent belongs to a web view.
    ///
    /// Android's web views state it. Those of Apple's systems do not mention Safari.
    private static func isWebView(_ agent: String) -> Bool {
        if agent.containsBytes(of: "; wv)") { return true }
        let isApples = agent.containsBytes(of: "(iPhone") || agent.containsBytes(of: "(iPad")
        return isApples && agent.containsBytes(of: "AppleWebKit") && !agent.containsBytes(of: "Safari/")
    }
}
