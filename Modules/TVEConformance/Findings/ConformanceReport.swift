/// The findings about all rows of the vendor's acceptance list, judged by a recording.
///
/// It does not replace the vendor's own certification.
public struct ConformanceReport: Sendable, Codable {
    /// One finding for each row, in the order of the list.
    public let findings: [Finding]
    /// The number of judged exchanges, which are those of REST API v2 and its registration.
    public let exchangeCount: Int
    /// The number of applications on devices that sent them.
    public let clientCount: Int
    /// The calls of the classic services and of REST API v1, with their replacements.
    public let oldCalls: [OldCall]

    /// A Boolean value that indicates whether the client breaks no mandatory row.
    public var isAcceptable: Bool {
        !findings.contains { $0.outcome == .fail && $0.row.obligation == .mandatory }
    }

    /// Returns the findings with an outcome.
    ///
    /// - Parameter outcome: the outcome.
    /// - Returns: the findings, in the order of the list.
    public func findings(_ outcome: Finding.Outcome) -> [Finding] { findings.filter { $0.outcome == outcome } }

    /// The sentence that every report contains.
    public static let disclaimer =
        "This report shows what was recorded. It does not replace Adobe's own certification."

    /// Judges a recording.
    ///
    /// The time grows in proportion to the number of exchanges. The initializer runs on the caller's thread.
    ///
    /// - Parameter exchanges: the observed exchanges, in any order. Include the exchanges of other services and of the
    ///   viewer's browser, because they show when a login page ended.
    public init(judging exchanges: [Exchange]) {
        let recording = Recording(exchanges)
        let seen = Self.rules.map { rule in
            var verdict = Verdict()
            rule.judge(recording, &verdict)
            verdict.note =
                verdict.note ?? recording.note(missingAnswersOf: rule.answers, requestBodiesOf: rule.requestBodies)
            return Finding(rule.row, verdict)
        }
        let unseen = Row.invisible.map { row in
            var verdict = Verdict()
            verdict.note = "\(row.evidence)."
            return Finding(row, verdict)
        }
        findings = (seen + unseen).sorted { Self.place($0) < Self.place($1) }
        exchangeCount = recording.calls.count(where: \.isTheirs)
        clientCount = recording.clients.count
        oldCalls = OldCall.all(in: recording)
    }

    /// Returns the sort key of a row.
    ///
    /// The rows of the acceptance list come first, by their numbers.
    private static func place(_ finding: Finding) -> (String, Int) {
        (String(finding.row.id.prefix(2)), Int(finding.row.id.dropFirst(2)) ?? 0)
    }

    /// Every rule, in the order of the list.
    static let rules: [any Rule] = [
        KeepsCredentials(), KeepsAccessTokens(), RenewsBeforeItRepeats(), ConfiguresForAPickerOnly(),
        KeepsConfiguration(), PollsAfterTheRedirect(), PollsAtIntervals(), StopsPolling(), KeepsProfiles(),
        ChecksTypedCodes(), CopesWithSeveralProfiles(), PreauthorizesForDisplayOnly(), RepeatsDecisionsSparingly(),
        KeepsPermits(), AuthorizesEveryPlayback(), FollowsTheLogout(), LeavesLogoutToTheViewer(), SendsTheHeaders(),
        TellsTheTruthAboutTheDevice(), KeepsTheDeviceID(), SendsOnlyWhatIsDocumented(), ObeysErrors(), KeepsThePace(),
        UsesARegisteredRedirect(), ResumesWithWhatIsMissing(), GoesOnWithTheOrdinarySession(),
        KeepsServiceTokens(), UsesLinkCodesOnce(),
    ]
}

/// A judge of a row that exchanges can show.
protocol Rule: Sendable {
    var row: Row { get }
    /// The endpoints whose responses and request bodies the rule reads, and without which no row passes.
    var answers: Set<DocumentedEndpoint> { get }
    var requestBodies: Set<DocumentedEndpoint> { get }
    func judge(_ recording: Recording, _ verdict: inout Verdict)
}

/// A rule that judges each client separately.
protocol ClientRule: Rule {
    /// Judges the calls of one application to REST API v2 and its registration, in their order.
    func judge(_ calls: [Call], _ verdict: inout Verdict)
}

extension ClientRule {
    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        for calls in recording.clients { judge(calls, &verdict) }
    }
}

extension Rule {
    var answers: Set<DocumentedEndpoint> { [] }
    var requestBodies: Set<DocumentedEndpoint> { [] }
}

extension Row {
    /// The rows that no observer of exchanges can see, with the reason as their evidence.
    static let invisible = [
        Row(
            "CL6", .mandatory, sentence: "The client stores id, display name and logo of the chosen TV provider.",
            evidence: "A recording does not show what a client stores; CL4 shows the effect",
            advice: "Store the three fields of the configuration when the viewer chooses.",
            source: "Checklist, Configuration Phase: TV Provider Selection Caching"),
        Row(
            "CL17", .recommended, sentence: "The programmer's back end verifies media tokens.",
            evidence: "The back end verifies tokens by itself, without a request that could be recorded",
            advice: "Verify each media token before the back end lets the stream begin.",
            source: "Checklist, Authorization Phase: Media Tokens Validation"),
        Row(
            "CL18", .recommended,
            sentence: "The client shows the viewer the provider's or the service's message of a denial.",
            evidence: "The message appears on the screen, and in no exchange",
            advice: "Show `details` of the decision's error or, if it is missing, its `message`.",
            source: "Checklist, Preauthorization and Authorization Phase: User Experience"),
        Row(
            "CL26", .mandatory, sentence: "The client passes prequalification and staging before production.",
            evidence: "The row is about dates and hosts, which a single recording does not show",
            advice: "Make the host configurable, and record the client in each of the two environments.",
            source: "Checklist, Testing: Lifecycle Testing"),
    ]
}
