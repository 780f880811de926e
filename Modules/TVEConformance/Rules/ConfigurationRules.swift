import Foundation
import TVEModels

/// The rule for CL4: a client requests the configuration only for the picker.
struct ConfiguresForAPickerOnly: ClientRule {
    let row = Row(
        "CL4", .mandatory,
        sentence: "The client asks for the configuration only before a viewer chooses a TV provider, never for "
            + "a viewer who is logged in.",
        evidence:
            "a request for the configuration while nobody is logged in, or the calls of a viewer who is",
        advice: "Request the configuration when the picker opens, and never at the start of the app.",
        source: "Checklist, Configuration Phase: Configuration Retrieval")

    let answers: Set<DocumentedEndpoint> = [.profiles, .profile, .profileOfCode, .partnerProfile]

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        var brands: [String: Brand] = [:]
        for call in calls {
            guard let name = call.serviceProvider else { continue }
            brands[name, default: Brand()].take(call, &verdict)
        }
        guard let last = calls.last else { return }
        for brand in brands.values.sorted(by: { $0.place < $1.place }) { brand.end(at: last.began, &verdict) }
    }

    /// The known logins and configurations of one of the client's brands.
    private struct Brand {
        /// The end of each login, by provider.
        private var logins: [String: Date] = [:]
        /// The last permit of each provider since a login could have begun or ended.
        private var permits: [String: Call] = [:]
        /// A Boolean value for each provider that indicates whether it is a TempPass, which needs no login.
        private var isTempPass: [String: Bool] = [:]
        /// The configurations that have not been judged yet.
        private var open: [Call] = []
        /// The configurations that were requested before a logout, and the logout.
        ///
        /// A client can log out to change to the provider that the viewer has chosen from them.
        private var ended: (asked: [Call], logout: Call)?
        /// The place of the first configuration.
        private(set) var place = Int.max

        mutating func take(_ call: Call, _ verdict: inout Verdict) {
            switch call.endpoint {
            case .configuration where call.isSuccess || call.status == 304:
                failEnded(&verdict)
                ended = nil
                open.append(call)
                place = min(place, call.place)
                for provider in call.answer?["requestor"]?["mvpds"]?.arrayValue ?? [] {
                    guard let id = provider["id"]?.stringValue else { continue }
                    isTempPass[id] = provider["isTempPass"]?.statedBoolean == true
                }
            case .createSession, .partnerSession:
                // If no login with the chosen provider is valid, the viewer has chosen it from the configuration's
                // list.
                let end = call.mvpd.flatMap { logins[$0] } ?? .distantPast
                if end <= call.began { verdict.keep(open) } else { fail(open, shownBy: [call], &verdict) }
                beginLogin()
            case .resumeSession:
                verdict.keep(open)
                beginLogin()
            case .logout: logOut(call)
            case .profiles, .profile, .profileOfCode, .partnerProfile: takeProfiles(of: call, &verdict)
            case .preauthorize, .authorize: takeDecisions(of: call, &verdict)
            default: break
            }
        }

        private mutating func beginLogin() {
            open = []
            ended = nil
            permits = [:]
        }

        private mutating func logOut(_ call: Call) {
            let end = call.mvpd.flatMap { logins[$0] } ?? .distantPast
            if end > call.began, !open.isEmpty {
                ended = (open, call)
                open = []
            }
            logins[call.mvpd ?? ""] = nil
            permits = [:]
        }

        private mutating func takeProfiles(of call: Call, _ verdict: inout Verdict) {
            guard let found = call.profileEnds else { return }
            if found.isEmpty {
                if call.endpoint == .profiles { logins = [:] }
                logins[call.mvpd ?? ""] = nil
                permits = [:]
            } else {
                let difference = call.clockDifference
                logins.merge(found.mapValues { $0.addingTimeInterval(difference) }) { $1 }
                verdict.keep([call])
                // On a second screen, the configuration belongs to the login that ends here.
                if call.endpoint == .profileOfCode { permits = [:] } else { fail(open, shownBy: [call], &verdict) }
                open = []
            }
        }

        private mutating func takeDecisions(of call: Call, _ verdict: inout Verdict) {
            let mvpd = call.mvpd ?? ""
            if call.decisions.contains(where: { $0.error?.action == "authentication" }) {
                logins[mvpd] = nil
                permits[mvpd] = nil
            } else if call.decisions.contains(where: \.isPermit) {
                if logins[mvpd] != nil {
                    fail(open, shownBy: [call], &verdict)
                    open = []
                } else if let earlier = permits[mvpd], isTempPass[mvpd] == false {
                    // Between two permits of one login, nobody chose a provider.
                    fail(open.filter { $0.isAfter(earlier) }, shownBy: [earlier, call], &verdict)
                    open.removeAll { $0.isAfter(earlier) }
                }
                permits[mvpd] = call
            }
        }

        /// Judges the configurations after which nothing has shown whether a viewer was logged in.
        func end(at date: Date, _ verdict: inout Verdict) {
            failEnded(&verdict)
            let mayBeLoggedIn =
                logins.values.contains { $0 > date } || permits.keys.contains { isTempPass[$0] != true }
            if !mayBeLoggedIn {
                verdict.keep(open)
            } else if !open.isEmpty {
                verdict.note =
                    "The configuration was requested, and nothing after it shows whether a viewer was logged in."
            }
        }

        private func failEnded(_ verdict: inout Verdict) {
            if let ended { fail(ended.asked, shownBy: [ended.logout], &verdict) }
        }

        private func fail(_ asked: [Call], shownBy proofs: [Call], _ verdict: inout Verdict) {
            guard !asked.isEmpty else { return }
            verdict.fail(
                "The configuration was requested while a viewer was logged in.",
                (asked + proofs).sorted { $1.isAfter($0) })
        }
    }
}

extension Call {
    /// The seconds by which the recording's clock is ahead of the service's, as far as the response shows it.
    ///
    /// The service sends the header `Date`, which has whole seconds, between the request and the end of the response.
    fileprivate var clockDifference: TimeInterval {
        guard let text = exchange.answer.header("date"), let sent = Date(httpText: text) else {
            return 0
        }
        if sent > ended { return ended.timeIntervalSince(sent) }
        let latest = sent.addingTimeInterval(1)
        return latest < began ? began.timeIntervalSince(latest) : 0
    }
}

/// The rule for CL5: a client caches the configuration for some minutes.
struct KeepsConfiguration: ClientRule {
    /// The shortest time in the documentation, which states two, two to three, and three to five minutes.
    private static let seconds = 120.0

    let row = Row(
        "CL5", .recommended, sentence: "The client keeps the configuration for three to five minutes.",
        evidence: "two requests for the configuration, or two logins within two minutes of one",
        advice: "Cache the configuration for three minutes, and open the picker with the cached copy.",
        source: "Checklist, Configuration Phase: Configuration Caching")

    func judge(_ calls: [Call], _ verdict: inout Verdict) {
        var last: [String: Call] = [:]
        var logins: [String: Call] = [:]
        // The brands whose configuration the app may have lost, because it may have started again.
        var mayHaveLost: Set<String> = []
        for call in calls {
            guard let brand = call.serviceProvider else { continue }
            switch call.endpoint {
            case .configuration where call.isAnswered:
                if let first = last[brand], !call.cannotKnow(of: first) {
                    if first.seconds(until: call) >= Self.seconds {
                        verdict.keep([first, call])
                    } else if !mayHaveLost.contains(brand) {
                        verdict.fail(
                            "The configuration was requested again after \(first.text(until: call)).",
                            [first, call])
                    }
                }
                last[brand] = call
                logins[brand] = nil
                mayHaveLost.remove(brand)
            case .createSession where call.mvpd != nil:
                if let first = last[brand], let login = logins[brand], first.seconds(until: call) < Self.seconds {
                    verdict.keep([first, login, call])
                }
                logins[brand] = call
            // An app requests its profiles when it starts, and may then have lost all configurations.
            case .profiles, .profile: mayHaveLost.formUnion(last.keys)
            default: break
            }
        }
    }
}
