import Foundation
import TVEModels

/// The rule for CL10: a client caches the profile.
struct KeepsProfiles: ClientRule {
    /// The number of requests for the same profile that breaks the row.
    ///
    /// One of them may be a start of the app.
    private static let count = 3
    /// The time within which that number of requests breaks the row.
    private static let seconds = 50.0

    let row = Row(
        "CL10", .mandatory,
        sentence: "The client keeps provider and attributes of the profile, and asks again after an "
            + "authorization only where the provider changes metadata then.",
        evidence:
            "an answer with a profile, and later requests. Three requests for the same profile within 50 seconds, "
            + "with nothing between them that could change it, break the row",
        advice:
            "Store the profile until its notAfter. Request it at a start, after a login, and, if the provider changes "
            + "metadata then, after an authorization.",
        source: "Checklist, Authentication Phase: Profiles Caching")

    let answers: Set<DocumentedEndpoint> = [.profiles, .profile, .profileOfCode, .partnerProfile]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        // The requests for each profile since something could have changed it.
        var runs: [ExactText: [Call]] = [:]
        var known: Call?
        for call in calls {
            guard let endpoint = call.endpoint else { continue }
            if let known { verdict.keep([known, call]) }
            known = nil
            switch endpoint {
            case .profiles, .profile:
                // No document gives these requests a query, so the service ignores one.
                let key = ExactText(call.exchange.path)
                guard call.hasProfile else {
                    runs[key] = nil
                    continue
                }
                known = call
                if let last = runs[key]?.last, call.cannotKnow(of: last) { continue }
                let run: [Call] = (runs[key] ?? []).suffix(Self.count - 1) + [call]
                runs[key] = run
                if run.count == Self.count, let first = run.first, first.seconds(until: call) <= Self.seconds {
                    verdict.fail(
                        "The same profile was requested \(Self.count) times within \(first.text(until: call)).", run
                    )
                    runs[key] = nil
                }
            case .preauthorize, .configuration: break
            default:
                runs = [:]
                if call.hasProfile { known = call }
            }
        }
    }
}

/// The rule for CL12: a client supports several profiles.
struct CopesWithSeveralProfiles: ClientRule {
    /// The time within which no viewer can ask for another login.
    private static let seconds = 5.0

    let row = Row(
        "CL12", .recommended,
        sentence: "The client copes with several profiles: it asks the viewer, or takes the one that is valid longest.",
        evidence:
            "an answer with two profiles or more, and the next request that names a provider. A login that the "
            + "client begins more than five seconds later, or with another provider, may come from the viewer",
        advice: "Choose one of the profiles in the answer instead of beginning a new login.",
        source: "Checklist, Authentication Phase: Multiple Profiles Support")

    let answers: Set<DocumentedEndpoint> = [.profiles, .profile, .profileOfCode, .partnerProfile]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        // Each brand of an app has profiles of its own.
        var open: [String: Call] = [:]
        for call in calls {
            let brand = call.serviceProvider ?? ""
            if let several = open[brand], let known = several.profileEnds {
                switch call.endpoint {
                case .profile, .preauthorize, .authorize, .logout:
                    if let mvpd = call.mvpd, known[mvpd] != nil { verdict.keep([several, call]) }
                    open[brand] = nil
                case .createSession, .configuration, .partnerSession:
                    guard !call.cannotKnow(of: several) else { break }
                    open[brand] = nil
                    // Without the body of the request, the session may be for another provider.
                    let isAnother =
                        call.mvpd.map { known[$0] == nil } ?? (call.endpoint == .createSession && call.fields == nil)
                    guard call.began.timeIntervalSince(several.ended) <= Self.seconds, !isAnother else { break }
                    verdict.fail(
                        "The client began a login, although there were \(known.count) profiles.", [several, call])
                default: break
                }
            }
            if call.profileEnds?.count ?? 0 > 1 { open[brand] = call }
        }
    }
}
