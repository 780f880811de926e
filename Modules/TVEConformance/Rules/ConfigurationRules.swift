import Foundation

/// The rule for CL4: a client requests the configuration only for the picker.
struct ConfiguresForAPickerOnly: ClientRule {
    let row = Row(
        "CL4", .mandatory,
        sentence: "The client asks for the configuration only before a viewer chooses a TV provider, never for "
            + "a viewer who is logged in.",
        evidence: "requests for the configuration with nobody logged in, or the calls of a viewer who is logged in",
        advice: "Ask for the configuration when the picker opens, and never at the start of the app.",
        source: "Checklist, Configuration Phase: Configuration Retrieval")

    let answers: Set<DocumentedEndpoint> = [.profiles, .profile, .profileOfCode, .partnerProfile]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        // The end of each login, by brand and provider.
        var logins: [String: [String: Date]] = [:]
        // The configurations that have not been judged yet, by brand.
        var open: [String: [Call]] = [:]
        for call in calls {
            guard let brand = call.serviceProvider else { continue }
            switch call.endpoint {
            case .configuration where call.isSuccess:
                open[brand, default: []].append(call)
            case .createSession, .partnerSession:
                // The viewer chose a provider from the list that has no login.
                let end = call.mvpd.flatMap { logins[brand]?[$0] } ?? .distantPast
                let asked = open.removeValue(forKey: brand) ?? []
                if end < call.began {
                    verdict.keep(asked)
                } else {
                    Self.fail(asked, shownBy: call, &verdict)
                }
            case .resumeSession:
                verdict.keep(open.removeValue(forKey: brand) ?? [])
            case .logout: logins[brand]?[call.mvpd ?? ""] = nil
            case .profiles, .profile, .profileOfCode, .partnerProfile:
                guard let found = call.profileEnds else { continue }
                if found.isEmpty {
                    if call.endpoint == .profiles { logins[brand] = [:] }
                    logins[brand]?[call.mvpd ?? ""] = nil
                } else {
                    logins[brand, default: [:]].merge(found) { $1 }
                    verdict.keep([call])
                    // On a second screen, the configuration belongs to the login that ends here.
                    let asked = open.removeValue(forKey: brand) ?? []
                    if call.endpoint != .profileOfCode { Self.fail(asked, shownBy: call, &verdict) }
                }
            case .preauthorize, .authorize:
                let mvpd = call.mvpd ?? ""
                if call.decisions.contains(where: { $0.error?.action == "authentication" }) {
                    logins[brand]?[mvpd] = nil
                } else if call.decisions.contains(where: \.isPermit), logins[brand]?[mvpd] != nil {
                    Self.fail(open.removeValue(forKey: brand) ?? [], shownBy: call, &verdict)
                }
            default: break
            }
        }
        verdict.keep(open.values.flatMap(\.self))
    }

    private static func fail(_ open: [Call], shownBy proof: Call, _ verdict: inout Verdict) {
        guard !open.isEmpty else { return }
        verdict.fail("The configuration was requested while a viewer was logged in.", open + [proof])
    }
}

/// The rule for CL5: a client caches the configuration for some minutes.
struct KeepsConfiguration: ClientRule {
    /// The shortest time in the documentation, which states two, two to three, and three to five minutes.
    private static let seconds = 120.0

    let row = Row(
        "CL5", .recommended, sentence: "The client keeps the configuration for three to five minutes.",
        evidence: "two requests for the configuration, or two logins within two minutes after one",
        advice: "Keep the answer for three minutes, and open the picker with it.",
        source: "Checklist, Configuration Phase: Configuration Caching")

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        var last: [String: Call] = [:]
        var login: Call?
        var mayHaveStarted = false
        for call in calls {
            guard let brand = call.serviceProvider else { continue }
            switch call.endpoint {
            case .configuration where call.isSuccess:
                if let first = last[brand] {
                    if first.seconds(until: call) >= Self.seconds {
                        verdict.keep([first, call])
                    } else if !mayHaveStarted {
                        verdict.fail(
                            "The configuration was requested again after \(first.text(until: call)).",
                            [first, call])
                    }
                }
                last[brand] = call
                login = nil
                mayHaveStarted = false
            case .createSession where call.mvpd != nil:
                if let first = last[brand], let login, first.seconds(until: call) < Self.seconds {
                    verdict.keep([first, login, call])
                }
                login = call
            // An app requests its profiles when it starts, and may then have lost the configuration.
            case .profiles, .profile: mayHaveStarted = true
            default: break
            }
        }
    }
}
