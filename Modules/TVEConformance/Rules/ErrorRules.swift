import TVEModels

/// The rule for CL25: a client reacts to an error by its action.
struct ObeysErrors: ClientRule {
    private static let seconds = 60.0

    let row = Row(
        "CL25", .mandatory,
        sentence: "The client handles enhanced errors by their action, and tells failures of HTTP from answers "
            + "that contain an error.",
        evidence:
            "an error other than a refused decision, and the requests after it. The same request three times in a row "
            + "within a minute breaks the row, and so do three requests within a minute for decisions that the "
            + "service refuses because a login is missing. Polls at the documented pace may go on, unless an error is "
            + "about a used-up TempPass or the application itself, and a viewer may try a used-up TempPass again",
        advice:
            "Read action: repeat only for retry, log in for authentication, register for "
            + "application-registration, and give up for all others.",
        source: "Checklist, Error Handling: Enhanced Error Code and HTTP Error Handling Support")

    let answers: Set<DocumentedEndpoint> = [.preauthorize, .authorize]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        failures(calls, &verdict)
        for meaning in Meaning.allCases { missingLogins(calls, ofUnread: meaning, &verdict) }
    }

    /// Judges a request that fails repeatedly.
    private func failures(_ calls: [Call], _ verdict: inout Verdict) {
        var runs: [DocumentedEndpoint: Repetitions] = [:]
        var poll: Call?
        // The requests that the recording lacks, or whose errors it lacks.
        var hidden: [DocumentedEndpoint: Repetitions] = [:]
        for call in calls {
            // CL3 judges a refused access token, CL27 the status 429, CL9 a refused code, and CL14 a decision.
            guard let endpoint = call.endpoint, call.status != 401 || call.isRefusedByAnotherServer,
                call.status != 429, call.decisions.isEmpty, call.error?.code != "invalid_authentication_session"
            else { continue }
            let isPassing = call.error?.action == "retry" || call.error == nil && call.status >= 500
            let isLost = call.status >= 400 && call.lacksRequest && !call.isRefusedByAnotherServer
            if call.hidesItsError || isLost {
                // The error may have been one after which the client must not repeat the request, or the request may
                // have been the same one.
                let mayRepeat = !call.hidesItsError && isPassing
                let run = hidden[endpoint, default: Repetitions()].add(call, mayRepeat: mayRepeat) {
                    $0.mayBeSameRequest(as: call) && $0.seconds(until: call) <= Self.seconds
                }
                if let run { verdict.note = Recording.note(aboutMissingBodiesOf: run) }
            }
            if endpoint == .profileOfCode {
                let pause = poll.map { $0.isSameRequest(as: call) ? $0.seconds(until: call) : Self.pollingPause }
                poll = call
                // An outage does not end a login. CL9 judges the end of the polls.
                if Self.mayPass(call), pause ?? Self.pollingPause >= Self.pollingPause { continue }
            }
            guard call.status >= 400 else {
                runs[endpoint] = nil
                hidden[endpoint] = nil
                continue
            }
            verdict.keep([call])
            let isOfTempPass = call.error?.isLimitOfTempPass == true
            let longest = isOfTempPass ? RepeatsDecisionsSparingly.seconds : Self.seconds
            let run = runs[endpoint, default: Repetitions()].add(call, mayRepeat: isPassing || call.hidesItsError) {
                $0.isSameRequest(as: call) && $0.seconds(until: call) <= longest
                    // CL3 judges the repetitions with a new access token.
                    && (!call.isRefusedByAnotherServer || $0.hasTheToken(of: call))
            }
            guard let run else { continue }
            let action = call.error.map { "the action \($0.action)" } ?? "HTTP \(call.status)"
            verdict.fail("\(call.title) failed \(run.count) times in a row with \(action).", run)
        }
    }

    /// The shortest pause between two polls, with half a second for recorders that round: 2.5 seconds.
    private static let pollingPause = 2.5

    /// Returns a Boolean value that indicates whether the next poll may succeed after a failed one.
    ///
    /// The service may have failed, a network may have answered in its place, or the viewer has not logged in yet. The
    /// status 410 without an error means that the service itself has ended.
    private static func mayPass(_ call: Call) -> Bool {
        guard call.status >= 400 else { return false }
        guard let error = call.error else { return call.status != 410 }
        if error.isLimitOfTempPass { return error.action == "retry" }
        if passingCodes.contains(error.code) || ["authentication", "retry"].contains(error.action) { return true }
        // Nobody corrects the configuration of an application while a viewer waits.
        let isFailureOfService = call.status >= 500 || error.status.map { $0 == 429 || $0 >= 500 } == true
        return isFailureOfService && !["configuration", "application-registration"].contains(error.action)
            && !error.code.hasBytePrefix("invalid_configuration_")
    }

    /// The codes of errors that say, whatever their action is, that the viewer has not logged in yet or that something
    /// has failed that may work a little later.
    private static let passingCodes: Set<String> = [
        "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
        "authorization_denied_by_session_invalidated", "authorization_denied_by_hba_policies",
        "identity_not_recognized_by_mvpd", "network_received_error", "network_connection_timeout",
        "maximum_execution_time_exceeded", "maximum_attempts_exceeded", "degraded_integration",
        "internal_server_error", "internal_error",
    ]

    /// The meaning that a response may have had if the recording lacks it.
    ///
    /// The first one counts for the client. If the row fails with one of the others alone, it is left open.
    private enum Meaning: CaseIterable { case denial, profile, nothing }

    /// The refusals of one TV provider within a minute that are not followed by a login.
    private struct Refusals {
        var calls: [Call] = []
        /// A Boolean value that indicates whether the verdict has these refusals.
        var isReported = false
        /// The first response with a profile after these refusals.
        private var login: Call?
        /// The requests whose responses the recording lacks, and which may have shown that the login is missing.
        private(set) var unread: [Call] = []

        /// Forgets what is more than a minute older than a request, because the viewer may have come back.
        mutating func forget(before call: Call) {
            calls.removeAll { $0.seconds(until: call) > ObeysErrors.seconds }
            if calls.isEmpty { isReported = false }
            if let login, login.seconds(until: call) > ObeysErrors.seconds { self.login = nil }
            // A profile counts for a minute, and a refusal before its end for another one.
            unread.removeAll { $0.seconds(until: call) > 2 * ObeysErrors.seconds }
        }

        /// Takes a response that the recording lacks, if it has not shown that the login is missing.
        mutating func takeUnread(_ call: Call, as meaning: Meaning) {
            if meaning == .profile { findLogin(in: call) }
            unread.append(call)
        }

        /// Takes a response with the profile.
        ///
        /// A client may ask once more after such an answer, but not in a loop.
        mutating func findLogin(in call: Call) {
            forget(before: call)
            guard !calls.isEmpty, login == nil else { return }
            calls = []
            login = call
        }
    }

    /// Judges decisions that need a login and are not followed by one.
    private func missingLogins(_ calls: [Call], ofUnread meaning: Meaning, _ verdict: inout Verdict) {
        // The refusals are grouped by service provider and by TV provider, because each pair has logins of its own.
        var brands: [ExactText: [ExactText: Refusals]] = [:]
        for call in calls {
            let brand = ExactText(call.serviceProvider ?? "")
            let mvpd = ExactText(call.mvpd ?? "")
            switch call.endpoint {
            case .preauthorize, .authorize:
                guard call.decisions.contains(where: \.needsLogin) else {
                    if call.decides || call.hidesItsStatement && meaning == .denial {
                        brands[brand]?[mvpd] = nil
                    } else if call.hidesItsStatement {
                        brands[brand]?[mvpd]?.takeUnread(call, as: .nothing)
                    }
                    continue
                }
                verdict.keep([call])
                var refusals = brands[brand]?[mvpd] ?? Refusals()
                refusals.forget(before: call)
                if let first = refusals.calls.first, call.cannotKnow(of: first) { continue }
                refusals.calls.append(call)
                // The second request may have been sent already, or come from the viewer.
                if refusals.calls.count > 2, !refusals.isReported {
                    refusals.isReported = true
                    if meaning == .denial {
                        verdict.fail(
                            "Decisions were asked for again, although the service had asked for a login.",
                            refusals.calls)
                    } else if !refusals.unread.isEmpty, verdict.note == nil {
                        verdict.note = Recording.note(aboutMissingBodiesOf: refusals.unread)
                    }
                }
                brands[brand, default: [:]][mvpd] = refusals
            case .profiles:
                // A response about all profiles also shows which logins are missing. The refusals of those providers
                // are dropped.
                guard let ends = call.profileEnds else {
                    if call.deniesLogin || call.hidesItsStatement && meaning == .denial {
                        brands[brand] = nil
                    } else if call.hidesItsStatement {
                        for mvpd in (brands[brand] ?? [:]).keys { brands[brand]?[mvpd]?.takeUnread(call, as: meaning) }
                    }
                    continue
                }
                var kept: [ExactText: Refusals] = [:]
                for name in (call.answer?["profiles"]?.objectValue ?? [:]).keys {
                    let found = ExactText(name)
                    kept[found] = brands[brand]?[found]
                    if ends[name] != nil { kept[found]?.findLogin(in: call) }
                }
                brands[brand] = kept
            case .profile where call.mvpd.flatMap({ call.hasProfile(of: $0) }) == true:
                brands[brand]?[mvpd]?.findLogin(in: call)
            // A failure, and a profile that cannot be read, do not say whether there is a login.
            case .profile where call.deniesLogin || call.hidesItsStatement && meaning == .denial:
                brands[brand]?[mvpd] = nil
            case .profile where call.hidesItsStatement: brands[brand]?[mvpd]?.takeUnread(call, as: meaning)
            // A login can be one for all brands.
            case .configuration, .createSession, .partnerSession, .register: brands = [:]
            default: break
            }
        }
    }
}

extension Call {
    /// A Boolean value that indicates whether the response decides about a resource.
    ///
    /// A failure, whose action is to try again, decides nothing. Without the body of the request, it is unknown about
    /// which resources an error of the whole response is.
    fileprivate var decides: Bool {
        decisions.contains { $0.error?.action != "retry" } || error.map { $0.action != "retry" } == true
    }

    /// A Boolean value that indicates whether the recording lacks the body of a response that may be about the login.
    ///
    /// The status 401 is about the access token, and 429 about the pace.
    fileprivate var hidesItsStatement: Bool {
        (200...499).contains(status) && status != 401 && status != 429
            && (lacksAnswer || exchange.answer.hasMaskedBody)
    }

    /// A Boolean value that indicates whether the recording lacks the body of a failed request, in which the service
    /// states its error.
    ///
    /// A server in front of the service states none, and few write a body for an outage.
    fileprivate var hidesItsError: Bool {
        guard status >= 400, !isRefusedByAnotherServer else { return false }
        return exchange.answer.hasMaskedBody || status < 500 && lacksAnswer
    }

    /// Returns a Boolean value that indicates whether two requests to an endpoint have the same access token, or need
    /// none.
    ///
    /// Two tokens that the recording lacks may be different ones.
    fileprivate func hasTheToken(of other: Call) -> Bool {
        guard endpoint?.isAPI == true else { return true }
        return bearer.map { other.bearer?.isSameBytes(as: $0) == true } ?? false
    }
}
