/// The rule for CL13: a preauthorization does not permit playback.
struct PreauthorizesForDisplayOnly: ClientRule {
    let row = Row(
        "CL13", .mandatory, sentence: "The client uses preauthorization for display only, never for playback.",
        evidence:
            "reports of playback with POST /conformance/plays/{resource}, and the requests for decisions before them",
        advice: "Authorize the resource when the viewer presses play, whatever the preauthorization said.",
        source: "Checklist, Preauthorization Phase: Preauthorization Decisions Retrieval")

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        Playback.judge(calls, &verdict) { $0 == .preauthorizedOnly }
    }
}

/// The rule for CL16: each playback needs an authorization.
struct AuthorizesEveryPlayback: ClientRule {
    let row = Row(
        "CL16", .mandatory,
        sentence: "The client authorizes before every playback; a stream goes on when its media token ends.",
        evidence:
            "reports of playback with POST /conformance/plays/{resource}, and the requests for decisions before them",
        advice: "Request a decision each time the viewer presses play, and store no media token.",
        source: "Checklist, Authorization Phase: Authorization Decisions Retrieval")

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        Playback.judge(calls, &verdict) { $0 == .permissionUsedAgain || $0 == .notPermitted }
    }
}

/// The permission that preceded a reported playback.
private enum Playback {
    case permitted, permissionUsedAgain, preauthorizedOnly, notPermitted

    static func judge(_ calls: [Call], _ verdict: inout Verdict, isBroken: (Playback) -> Bool) {
        // Without the requests and the responses, it is unknown what was permitted.
        guard !calls.contains(where: \.hidesItsDecision) else { return }
        var permissions = Permissions()
        for call in calls {
            if let name = Play.resource(call) {
                let known = permissions[name]
                let kind: Playback =
                    known.isFresh
                    ? .permitted
                    : known.authorized != nil
                        ? .permissionUsedAgain : known.preauthorized != nil ? .preauthorizedOnly : .notPermitted
                let before = [known.authorized ?? known.preauthorized].compactMap(\.self)
                if isBroken(kind) {
                    verdict.fail("\(name) was played \(kind.text).", before + [call])
                } else if kind == .permitted {
                    verdict.keep(before + [call])
                }
            }
            permissions.take(call)
        }
    }

    private var text: String {
        switch self {
        case .permitted: "with a permission"
        case .permissionUsedAgain: "with the permission of an earlier playback"
        case .preauthorizedOnly: "after a preauthorization alone"
        case .notPermitted: "without a permission"
        }
    }
}

/// The rule for CL14: a client does not repeat refused decisions in a loop.
struct RepeatsDecisionsSparingly: ClientRule {
    /// Requests within this time are repetitions; later ones may come from the viewer.
    static let seconds = 10.0

    let row = Row(
        "CL14", .mandatory,
        sentence: "The client repeats a refused decision only where the error's action says so, and at most "
            + "three times.",
        evidence:
            "a refused decision, and how often the same request followed, each time within ten seconds. Without the "
            + "action retry, a single repetition may come from the viewer",
        advice: "Repeat if the action is retry, at most three times and with growing pauses; show every other refusal.",
        source: "Checklist, Preauthorization and Authorization Phase: Decisions Retrieval Retry")

    let answers: Set<DocumentedEndpoint> = [.preauthorize, .authorize]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        var runs: [String: Repetitions] = [:]
        for call in calls {
            for decision in call.decisions {
                let brand = call.serviceProvider ?? ""
                let key = "\(call.endpoint?.rawValue ?? "") \(brand) \(call.mvpd ?? "") \(decision.resource)"
                let action = decision.error?.action ?? "none"
                // CL25 judges errors that end a login.
                guard !decision.isPermit, !decision.needsLogin, action != "application-registration" else {
                    runs[key] = nil
                    continue
                }
                verdict.keep([call])
                let run = runs[key, default: Repetitions()].add(call, mayRepeat: action == "retry") {
                    $0.seconds(until: call) <= Self.seconds
                }
                guard let run else { continue }
                verdict.fail(
                    "\(decision.resource) was refused \(run.count) times in a row, with the action \(action).", run)
            }
        }
    }
}

/// The rule for CL15: a client caches the permits of preauthorizations.
///
/// A permit of a degraded provider or of a TempPass may end at any time, so a client may ask about it again.
struct KeepsPermits: ClientRule {
    private static let seconds = 300.0

    let row = Row(
        "CL15", .mandatory,
        sentence: "The client keeps permits of preauthorization in memory; it asks again about denials and errors.",
        evidence:
            "a permit and later requests. Two more requests for a resource within five minutes of its permit break "
            + "the row; a single one may come from a start of the app",
        advice: "Request only resources without a permit in memory, and discard the permits at a logout.",
        source: "Checklist, Preauthorization Phase: Preauthorization Decisions Caching")

    let answers: Set<DocumentedEndpoint> = [.preauthorize]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        var permits: [String: [Call]] = [:]
        var last: Call?
        for call in calls {
            if let last, call.endpoint != nil { verdict.keep([last, call]) }
            last = nil
            switch call.endpoint {
            case .preauthorize:
                for decision in call.decisions {
                    let key = "\(call.serviceProvider ?? "") \(call.mvpd ?? "") \(decision.resource)"
                    guard decision.isPermit, !decision.isTemporary else {
                        permits[key] = nil
                        continue
                    }
                    last = call
                    var asked = permits[key] ?? []
                    if let first = asked.first {
                        if call.cannotKnow(of: first) { continue }
                        if first.seconds(until: call) > Self.seconds { asked = [] }
                    }
                    asked.append(call)
                    permits[key] = asked
                    if asked.count == 3 {
                        verdict.fail("\(decision.resource) was permitted, and asked for again twice.", asked)
                    }
                }
            case .authorize:
                // A denial takes the permit back, so that the client has to ask again.
                for decision in call.decisions where !decision.isPermit && decision.error?.action != "retry" {
                    permits["\(call.serviceProvider ?? "") \(call.mvpd ?? "") \(decision.resource)"] = nil
                }
            case .createSession, .partnerSession, .logout, .register, .token, .profiles, .profile: permits = [:]
            default: break
            }
        }
    }
}
