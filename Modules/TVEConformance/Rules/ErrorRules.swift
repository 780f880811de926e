/// The rule for CL25: a client reacts to an error by its action.
struct ObeysErrors: ClientRule {
    private static let seconds = 60.0

    let row = Row(
        "CL25", .mandatory,
        sentence: "The client handles enhanced errors by their action, and tells failures of HTTP from answers "
            + "that contain an error.",
        evidence:
            "an error that is not a refused decision, and what followed: the same request three times in a row "
            + "within a minute, or a decision that is asked for again without a login, breaks the row",
        advice:
            "Read action: repeat only for retry, log in for authentication, register for "
            + "application-registration, and give up for all others.",
        source: "Checklist, Error Handling: Enhanced Error Code and HTTP Error Handling Support")

    let answers: Set<DocumentedEndpoint> = [.preauthorize, .authorize]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        failures(calls, &verdict)
        missingLogins(calls, &verdict)
    }

    /// Judges a request that fails repeatedly.
    private func failures(_ calls: [Call], _ verdict: inout Verdict) {
        var runs: [DocumentedEndpoint: [Call]] = [:]
        for call in calls {
            // CL3 judges the status 401, CL27 the status 429, CL9 a refused code, and CL14 a decision.
            guard let endpoint = call.endpoint, call.status != 401, call.status != 429, call.decisions.isEmpty,
                call.error?.code != "invalid_authentication_session"
            else { continue }
            guard call.status >= 400 else {
                runs[endpoint] = nil
                continue
            }
            verdict.keep([call])
            let known = runs[endpoint] ?? []
            let goesOn = known.last.map { $0.asksTheSame(as: call) && $0.seconds(until: call) <= Self.seconds } ?? false
            let run = (goesOn ? known : []) + [call]
            runs[endpoint] = run
            let mayRepeat = call.error?.action == "retry" || call.error == nil && call.status >= 500
            if run.count == (mayRepeat ? 5 : 3) {
                let action = call.error.map { "the action \($0.action)" } ?? "HTTP \(call.status)"
                verdict.fail("\(call.title) failed \(run.count) times in a row with \(action).", run)
            }
        }
    }

    /// Judges decisions that need a login and are not followed by one.
    private func missingLogins(_ calls: [Call], _ verdict: inout Verdict) {
        var open: [Call] = []
        for call in calls {
            switch call.endpoint {
            case .preauthorize, .authorize:
                guard call.decisions.contains(where: { $0.error?.action == "authentication" }) else {
                    open = []
                    continue
                }
                verdict.keep([call])
                // A request that was sent before the first refusal arrived could not know of it.
                if let first = open.first, call.began < first.ended { continue }
                open.append(call)
                // The second request may have been sent already, or come from the viewer.
                if open.count == 3 {
                    verdict.fail("Decisions were asked for again, although the service had asked for a login.", open)
                }
            case .configuration, .createSession, .partnerSession, .profiles, .profile, .register: open = []
            default: break
            }
        }
    }
}
