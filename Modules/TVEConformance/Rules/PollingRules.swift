import Foundation

/// The minimum time between two polling requests: three seconds, with some allowance for the network.
private let shortestDistance = 2.5

extension Session {
    /// Pairs of successive polling requests after an ordinary response.
    ///
    /// A request that has failed or has no answer of the service may be repeated earlier.
    private var steps: [(Call, Call)] { Array(zip(ownPolls, ownPolls.dropFirst())).filter { $0.0.isAnswered } }

    fileprivate func failIfTooFast(_ verdict: inout Verdict) {
        for (first, second) in steps where first.seconds(until: second) < shortestDistance {
            let seconds = (first.seconds(until: second) * 10).rounded() / 10
            verdict.fail("The client looked for the profile again after \(seconds) s.", [first, second])
        }
    }
}

/// The rule for CL7: on the first screen, polling begins with the redirect.
struct PollsAfterTheRedirect: Rule {
    let row = Row(
        "CL7", .mandatory,
        sentence: "First screen: the client begins to look for the profile when the browser has reached the "
            + "redirect, and then every three to five seconds or slower.",
        evidence: "a browser that reaches the redirect, and requests for the profile with the code after that",
        advice: "Begin in the callback of the browser, and wait at least three seconds between two requests.",
        source: "Checklist, Authentication Phase: Polling Mechanism Starting, Configuring")

    let answers: Set<DocumentedEndpoint> = [.createSession, .profileOfCode]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for session in recording.sessions {
            guard let created = session.created, session.hasKnownScreens, !session.isOnSecondScreen else { continue }
            let polls = session.ownPolls
            session.failIfTooFast(&verdict)
            if session.isArrivalUnclear {
                continue
            } else if let arrival = session.arrival {
                let early = polls.filter { arrival.isAfter($0) }
                if !early.isEmpty {
                    verdict.fail(
                        "The client looked for the profile before the browser had reached the redirect.",
                        early + [arrival])
                } else if let first = polls.first {
                    verdict.keep([created, arrival, first])
                }
            } else if let opened = session.opened, session.redirect != nil, polls.count > 1,
                !Self.mayHaveEndedUnseen(session, recording)
            {
                // A client makes a single request when the viewer closes the browser.
                verdict.fail(
                    "The client looked for the profile, and no browser had reached the redirect.", [opened] + polls)
            }
        }
    }

    /// Returns a Boolean value that indicates whether a login that succeeded may have reached the redirect before the
    /// first polling request.
    ///
    /// The last page of a login can open the app by a script, which no recording shows. Such a client begins after all
    /// pages of the login, which are those of the hosts to which the login page leads.
    private static func mayHaveEndedUnseen(_ session: Session, _ recording: Recording) -> Bool {
        guard let opened = session.opened, let first = session.ownPolls.first, first.isAfter(opened),
            let success = session.ownPolls.last, session.succeeds(success)
        else { return false }
        var hosts = Set([WebAddress(opened.exchange, scheme: "https").host])
        for page in recording.calls[opened.place..<success.place] where page.client == nil {
            let address = WebAddress(page.exchange, scheme: "https")
            guard hosts.contains(address.host) else { continue }
            if page.isAfter(first) { return false }
            if let next = page.exchange.answer.headers["location"] {
                hosts.insert(WebAddress(next, relativeTo: address).host)
            }
        }
        return true
    }
}

/// The rule for CL8: on the second screen, polling begins at once.
///
/// A client may poll as slowly as it likes, because the vendor's pages ask for three to five seconds "or more".
struct PollsAtIntervals: Rule {
    /// The time within which the client begins, in seconds: twice the longest interval of the checklist.
    private static let latestStart = 10.0

    let row = Row(
        "CL8", .mandatory,
        sentence: "Second screen: the client begins to look for the profile at once, and goes on every three "
            + "to five seconds or slower.",
        evidence: "two requests for the profile with a code that is typed on another device",
        advice: "Begin when the code is on the screen, and wait at least three seconds between two requests.",
        source: "Checklist, Authentication Phase: Polling Mechanism Starting, Configuring")

    let answers: Set<DocumentedEndpoint> = [.createSession, .profileOfCode]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for session in recording.sessions {
            guard let created = session.created, session.hasKnownScreens, session.isOnSecondScreen,
                let first = session.ownPolls.first
            else { continue }
            session.failIfTooFast(&verdict)
            if first.began.timeIntervalSince(created.ended) > Self.latestStart {
                verdict.fail(
                    "The client began to look for the profile \(created.text(until: first)) after it got the code.",
                    [created, first])
            }
            if session.ownPolls.count > 1 { verdict.keep([created] + session.ownPolls) }
        }
    }
}

/// The rule for CL9: a client stops polling with a code that is no longer in use.
struct StopsPolling: Rule {
    let row = Row(
        "CL9", .mandatory,
        sentence: "The client stops polling at success, at the code's end, and when there is a new code.",
        evidence:
            "a code that was used, refused or replaced, or that has expired; no later request with it; and other "
            + "requests that show that the client still runs",
        advice: "Cancel the timer when a profile comes, when the code's notAfter passes, and before a new session.",
        source: "Checklist, Authentication Phase: Polling Mechanism Stopping")

    let answers: Set<DocumentedEndpoint> = [.createSession, .profileOfCode]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        var last: [Int: Call] = [:]
        for (client, calls) in recording.clients.enumerated() { last[client] = calls.last }
        for session in recording.sessions {
            let clients = Dictionary(grouping: session.polls) { $0.client ?? -1 }
            for client in clients.keys.sorted() {
                guard let polls = clients[client], let end = Self.end(session, polls) else { continue }
                let late = polls.filter { end.isBefore($0) }
                if !late.isEmpty {
                    verdict.fail("The client looked for the profile of a code \(end.reason).", end.calls + late)
                } else if let last = last[client], end.isBefore(last) {
                    verdict.keep(end.calls + [last])
                }
            }
        }
    }

    /// The reason why a code is no longer in use, and the time since then.
    private struct End {
        let reason: String
        let calls: [Call]
        let isBefore: (Call) -> Bool
    }

    private static func end(_ session: Session, _ polls: [Call]) -> End? {
        var ends: [End] = []
        // A request that was sent before a response arrived does not follow it.
        func follows(_ call: Call, _ answered: Call) -> Bool {
            call.isAfter(answered) && call.began >= answered.ended
        }
        if let success = polls.first(where: session.succeeds) {
            ends.append(End(reason: "whose login had succeeded", calls: [success]) { follows($0, success) })
        }
        if let refused = polls.first(where: { $0.error?.code == "invalid_authentication_session" }) {
            ends.append(End(reason: "that the service had refused", calls: [refused]) { follows($0, refused) })
        }
        if let next = session.replacement, polls.contains(where: { $0.client == session.created?.client }) {
            // A request may be in transit when the next code is created.
            ends.append(
                End(reason: "that a new one had replaced", calls: [next]) {
                    $0.began > next.ended.addingTimeInterval(1)
                })
        }
        if let created = session.created, let date = session.end {
            ends.append(End(reason: "that had ended", calls: [created]) { $0.began > date.addingTimeInterval(5) })
        }
        // An end that was followed by a request takes precedence over the others.
        return ends.first { end in polls.contains(where: end.isBefore) } ?? ends.first
    }
}
