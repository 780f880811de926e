/// The state machine that decides when to request the logins that a service keeps, and which calls wait for the answer.
///
/// At most one request runs, and a login that begins ends it first.
struct RefreshMachine: Sendable {
    /// The request that is running, or `nil` if none is.
    private(set) var question: RefreshQuestion?
    /// The uptime at which the last request was sent to the service.
    private(set) var lastAsked: Duration?
    /// A Boolean value that indicates whether a permission may have changed the provider's metadata about the viewer.
    private(set) var hasOldMetadata = false
    /// The uptime at which a request for metadata last failed.
    private var lastFailedAnswer: Duration?
    /// The calls that wait for the current metadata.
    private var metadataCalls: [CallID] = []

    /// A Boolean value that indicates whether to report a change to or from a logged-in viewer.
    var isAnnounced: Bool { question.map { $0.isAnnounced && !$0.isEnding } ?? false }

    mutating func handle(_ event: RefreshEvent) -> [RefreshEffect] {
        switch event {
        case .wanted(let call, let uptime): wanted(call, uptime)
        case .wantedInBackground(let isBehindStart, let uptime):
            wantedInBackground(isBehindStart: isBehindStart, uptime: uptime)
        case .questionBegins: questionBegins()
        case .metadataWanted(let call, let uptime): metadataWanted(call, uptime)
        case .permissionGiven: permissionGiven()
        case .loginBegins: loginBegins()
        case .ended(let isTaken, let uptime): ended(isTaken, uptime)
        case .left(let call): left(call)
        // The request ends as for a login, but no call waits for its end.
        case .closed: loginBegins() + ended(false, .zero)
        }
    }

    private mutating func wanted(_ call: CallID, _ uptime: Duration) -> [RefreshEffect] {
        guard let question else { return ask([call], isAnnounced: false, uptime: uptime) }
        guard !question.isEnding else { return [.proceed([call])] }
        self.question?.calls.append(call)
        return []
    }

    /// Begins a request that no call waits for.
    ///
    /// The request is not repeated soon, because every request counts against the throttle. The request that follows a
    /// start is sent in any case, and itself waits for the first play.
    private mutating func wantedInBackground(isBehindStart: Bool, uptime: Duration) -> [RefreshEffect] {
        let isTooSoon = lastAsked.map { uptime - $0 < Self.freshness } ?? false
        guard question == nil, isBehindStart || !isTooSoon else { return [] }
        return ask([], isAnnounced: true, uptime: uptime, isBehindStart: isBehindStart)
    }

    /// Records that the answer reflects the permissions that were granted while the request waited.
    private mutating func questionBegins() -> [RefreshEffect] {
        question?.isOutdated = false
        return []
    }

    private mutating func metadataWanted(_ call: CallID, _ uptime: Duration) -> [RefreshEffect] {
        // A request that failed is not repeated soon.
        let isTooSoon = lastFailedAnswer.map { uptime - $0 < Self.freshness } ?? false
        guard question?.isEnding != true, !metadataCalls.isEmpty || hasOldMetadata && !isTooSoon else {
            return [.proceed([call])]
        }
        metadataCalls.append(call)
        return (question == nil ? ask([], isAnnounced: true, uptime: uptime) : []) + [.limit(call)]
    }

    private mutating func permissionGiven() -> [RefreshEffect] {
        hasOldMetadata = true
        question?.isOutdated = true
        return []
    }

    private mutating func loginBegins() -> [RefreshEffect] {
        guard question?.isEnding == false else { return [] }
        question?.isEnding = true
        // A cancelled request must not delay the next one.
        lastAsked = nil
        return [.stop]
    }

    /// Ends the running request.
    ///
    /// - Parameter isTaken: a Boolean value that indicates whether the answer is now stored.
    private mutating func ended(_ isTaken: Bool, _ uptime: Duration) -> [RefreshEffect] {
        guard let ended = question else { return [] }
        question = nil
        let proceed: [RefreshEffect] = [.proceed(ended.calls)]
        guard !ended.isEnding else { return proceed + endMetadata(uptime) }
        if isTaken, !ended.isOutdated { hasOldMetadata = false }
        // A request that was already running may have begun before the change.
        if !metadataCalls.isEmpty, ended.isOutdated {
            return proceed + ask([], isAnnounced: true, uptime: uptime)
        }
        return proceed + endMetadata(uptime)
    }

    private mutating func endMetadata(_ uptime: Duration) -> [RefreshEffect] {
        guard !metadataCalls.isEmpty else { return [] }
        lastFailedAnswer = hasOldMetadata ? uptime : nil
        defer { metadataCalls = [] }
        return [.proceed(metadataCalls)]
    }

    private mutating func left(_ call: CallID) -> [RefreshEffect] {
        metadataCalls.removeAll { $0 == call }
        question?.calls.removeAll { $0 == call }
        return [.proceed([call])]
    }

    private mutating func ask(
        _ calls: [CallID], isAnnounced: Bool, uptime: Duration, isBehindStart: Bool = false
    ) -> [RefreshEffect] {
        lastAsked = uptime
        question = RefreshQuestion(calls: calls, isAnnounced: isAnnounced)
        return [.ask(isBehindStart: isBehindStart)]
    }

    /// The time within which a second request is not sent.
    private static let freshness = Duration.seconds(30)
}

/// An event that concerns the request for the logins that the service keeps.
enum RefreshEvent: Sendable {
    /// A call needs the service's answer.
    case wanted(CallID, uptime: Duration)
    /// A request is to be sent while the caller continues: unless one was sent recently, or after a start and the first
    /// play that follows it.
    case wantedInBackground(isBehindStart: Bool = false, uptime: Duration)
    /// The request that follows a start is sent now.
    case questionBegins
    /// A call needs the provider's current metadata about the viewer.
    case metadataWanted(CallID, uptime: Duration)
    /// A permission was granted, which may change the provider's metadata.
    case permissionGiven
    /// A login wants to begin.
    case loginBegins
    /// The request has ended, completely or not.
    case ended(isTaken: Bool, uptime: Duration)
    /// A call was cancelled, or has waited long enough.
    case left(CallID)
    case closed
}

/// An action that the state machine requests from its flow.
enum RefreshEffect: Sendable {
    /// Send the request, after a start only when the first play has ended, and store the answer if it is still valid.
    case ask(isBehindStart: Bool)
    /// Cancel the request.
    ///
    /// Its end is still reported as an event.
    case stop
    /// Let a call continue after a time limit, with or without an answer.
    case limit(CallID)
    /// Let calls continue.
    case proceed([CallID])
}

/// A request to a service for the logins that it keeps.
struct RefreshQuestion: Sendable {
    /// A Boolean value that indicates whether a permission was granted after the request was sent.
    var isOutdated = false
    /// The calls that wait for the request.
    var calls: [CallID]
    /// A Boolean value that indicates whether to report a change to or from a logged-in viewer.
    ///
    /// A request that a call begins is not reported, because the call acts on the answer itself.
    let isAnnounced: Bool
    /// A Boolean value that indicates whether the request was cancelled because of a login and has not ended yet.
    var isEnding = false
}
