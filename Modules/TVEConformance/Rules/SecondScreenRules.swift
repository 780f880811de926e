import TVEModels

/// The rule for CL11: a client validates a code that the viewer enters.
struct ChecksTypedCodes: Rule {
    let row = Row(
        "CL11", .recommended,
        sentence: "Second screen: the client checks a typed code before it opens the login page.",
        evidence:
            "a GET or POST of the session with a typed code, and then the login page in the browser. A code that was "
            + "typed at the sandbox's own page is ignored. "
            + "The server of a programmer's page may have checked a code without a recorded request",
        advice:
            "Before the login page, send POST sessions/{code} if the provider is chosen already, and "
            + "GET sessions/{code} if it is not.",
        source: "Checklist, Authentication Phase: Authentication Code Validation")

    let answers: Set<DocumentedEndpoint> = [.createSession]
    let requestBodies: Set<DocumentedEndpoint> = [.createSession]

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for session in recording.sessions where session.isOnSecondScreen && !session.wasTypedAtTheSandbox {
            guard let opened = session.opened else { continue }
            let checks = session.checks.filter { opened.isAfter($0) }
            if checks.contains(where: \.isAnswered) {
                verdict.keep(checks + [opened])
            } else if checks.isEmpty, Self.mayHaveBeenChecked(before: opened, recording) {
                verdict.note =
                    "A page led to the login page of a typed code, and its server may have checked the code unseen."
            } else if checks.isEmpty {
                verdict.fail("The login page of a typed code was opened, and nobody had checked the code.", [opened])
            } else if checks.contains(where: \.refusesItsCode) {
                verdict.fail(
                    "The login page of a code was opened, although the service had refused the code.", checks + [opened]
                )
            }
        }
    }
}

extension ChecksTypedCodes {
    /// Returns a Boolean value that indicates whether the server of a page may have checked a code.
    ///
    /// It asks the service itself, which only a recording of the server shows. A page that asks the service by a script
    /// leaves such checks to the script.
    private static func mayHaveBeenChecked(before opened: Call, _ recording: Recording) -> Bool {
        guard let referer = opened.header("referer") else { return false }
        let page = WebAddress(referer).host
        guard page != nil, page != WebAddress(opened.exchange, scheme: "https").host else { return false }
        return !recording.known.contains { call in
            call.client != nil && call.header("origin").map { WebAddress($0).host == page } == true
        }
    }
}

extension Call {
    /// A Boolean value that indicates whether the service refuses the code of a session.
    ///
    /// An outage, a throttle, a refused access token and the page of a network say nothing about the code.
    fileprivate var refusesItsCode: Bool {
        (400...499).contains(status) && status != 401 && status != 429 && !isWebPage
    }
}

/// The rule for CL29: the second screen supplies the missing parameters.
struct ResumesWithWhatIsMissing: Rule {
    let row = Row(
        "CL29", .recommended,
        sentence: "Second screen without a provider chosen: the first screen makes the session without one, "
            + "and the second screen supplies what the answer says is missing.",
        evidence: "a session without a provider, and the requests that continue it",
        advice:
            "Send each name in missingParameters with POST sessions/{code}, until the answer is authenticate "
            + "or authorize.",
        source: "Flows, Authentication within secondary application without preselected MVPD")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for session in recording.sessions {
            guard let created = session.created, session.missing.contains("mvpd") else { continue }
            // After a response that is lost, the session may have all of its parameters.
            let resumed = session.checks.filter { $0.endpoint == .resumeSession && $0.mayHaveSucceeded }
            guard let last = resumed.last, let action = last.answer?["actionName"]?.stringValue else { continue }
            if action == "retry" {
                verdict.fail("The session still lacked parameters when the second screen gave up.", [created, last])
            } else {
                verdict.keep([created, last])
            }
        }
    }
}

/// The rule for CL30: a client continues with an ordinary session in place of the partner's.
struct GoesOnWithTheOrdinarySession: Rule {
    let row = Row(
        "CL30", .recommended,
        sentence: "Platform sign-on: where the service answers with an ordinary session, the client goes on "
            + "with that session.",
        evidence: "a partner's session that was answered with a code, and the next request",
        advice: "Use the code and the url of the answer as those of any session, and create no second session.",
        source: "Flows, Single sign-on using partner: actionName authenticate and resume")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for session in recording.sessions {
            guard let created = session.created, created.endpoint == .partnerSession else { continue }
            let used = ([session.opened] + session.polls + session.checks).compactMap(\.self).min {
                $1.isAfter($0)
            }
            if let used {
                verdict.keep([created, used])
            } else if let next = session.replacement, next.endpoint == .createSession,
                created.seconds(until: next) < 60, !Self.isForAnotherProvider(next, than: created)
            {
                verdict.fail(
                    "A second session was made in place of the one that the service had begun.", [created, next])
            }
        }
    }

    /// Returns a Boolean value that indicates whether the viewer has chosen another TV provider than the platform's, or
    /// may have done so because the recording lacks the request.
    private static func isForAnotherProvider(_ next: Call, than created: Call) -> Bool {
        guard let known = created.answer?["mvpd"]?.stringValue else { return false }
        return next.fields == nil || next.mvpd.map { !$0.isSameBytes(as: known) } == true
    }
}
