/// When a service is asked for the logins it keeps, and which calls wait for its answer.
///
/// At most one question runs, and a new login ends it first.
struct RefreshMachine: StateMachine {
    enum State: Sendable {
        case idle
        case asking(RefreshQuestion)
        /// The question was cancelled for a login and has not ended yet.
        case ending(RefreshQuestion)
        case closed
    }

    private(set) var state = State.idle
    /// When the service was last asked, by uptime.
    private(set) var lastAsked: Duration?
    /// How many permissions may have changed the provider's metadata about the viewer.
    private var changes = 0
    /// How many of these changes are in the known metadata.
    private var knownChanges = 0
    /// When a question for metadata last failed.
    private var lastFailedAnswer: Duration?
    /// Calls that wait for the current metadata.
    private var metadataCalls: [CallID] = []

    /// Whether a change is reported: a viewer who is now logged in, or logged out.
    var isAnnounced: Bool { if case .asking(let question) = state { question.isAnnounced } else { false } }

    /// Whether a question runs.
    var isAsking: Bool { if case .idle = state { false } else { true } }

    /// Whether a permission may have changed the provider's metadata.
    var hasOldMetadata: Bool { changes != knownChanges }

    mutating func handle(_ event: RefreshEvent) -> [RefreshEffect] {
        switch event {
        case .wanted(let call, let isAnnounced, let uptime): wanted(call, isAnnounced, uptime)
        case .wantedInBackground(let uptime): wantedInBackground(uptime)
        case .wantedBehindStart(let uptime): wantedBehindStart(uptime)
        case .questionBegins: questionBegins()
        case .metadataWanted(let call, let uptime): metadataWanted(call, uptime)
        case .permissionGiven: permissionGiven()
        case .loginBegins: loginBegins()
        case .ended(let isTaken, let uptime): ended(isTaken, uptime)
        case .left(let call): left(call)
        case .closed: closed()
        }
    }

    private mutating func wanted(_ call: CallID, _ isAnnounced: Bool, _ uptime: Duration) -> [RefreshEffect] {
        switch state {
        case .idle: return ask([call], isAnnounced, uptime)
        case .asking(var question):
            question.calls.append(call)
            question.isAnnounced = question.isAnnounced || isAnnounced
            state = .asking(question)
            return []
        case .ending, .closed: return [.proceed([call])]
        }
    }

    /// No call waits for it.
    ///
    /// It is not repeated soon, because every question counts against the throttle.
    private mutating func wantedInBackground(_ uptime: Duration) -> [RefreshEffect] {
        guard case .idle = state else { return [] }
        if let lastAsked, uptime - lastAsked < Self.freshness { return [] }
        return ask([], true, uptime)
    }

    /// No call waits for it, and it waits for the first play itself.
    private mutating func wantedBehindStart(_ uptime: Duration) -> [RefreshEffect] {
        guard case .idle = state else { return [] }
        return ask([], true, uptime, isBehindStart: true)
    }

    /// What was permitted while the question waited is in its answer.
    private mutating func questionBegins() -> [RefreshEffect] {
        guard case .asking(var question) = state else { return [] }
        question.changes = changes
        state = .asking(question)
        return []
    }

    private mutating func metadataWanted(_ call: CallID, _ uptime: Duration) -> [RefreshEffect] {
        // A question that failed is not repeated soon.
        let isTooSoon = lastFailedAnswer.map { uptime - $0 < Self.freshness } ?? false
        guard !metadataCalls.isEmpty || hasOldMetadata && !isTooSoon else { return [.proceed([call])] }
        switch state {
        case .idle:
            metadataCalls.append(call)
            return ask([], true, uptime) + [.limit(call)]
        case .asking:
            metadataCalls.append(call)
            return [.limit(call)]
        case .ending, .closed: return [.proceed([call])]
        }
    }

    private mutating func permissionGiven() -> [RefreshEffect] {
        changes += 1
        return []
    }

    private mutating func loginBegins() -> [RefreshEffect] {
        guard case .asking(let question) = state else { return [] }
        state = .ending(question)
        // A cancelled question does not count as asked.
        lastAsked = nil
        return [.stop]
    }

    /// - Parameter isTaken: whether the answer is stored now.
    private mutating func ended(_ isTaken: Bool, _ uptime: Duration) -> [RefreshEffect] {
        switch state {
        case .asking(let question):
            state = .idle
            if isTaken { knownChanges = question.changes }
            let proceed: [RefreshEffect] = [.proceed(question.calls)]
            guard !metadataCalls.isEmpty else { return proceed }
            // A question that was already running may have begun before the change.
            if hasOldMetadata, question.changes != changes { return proceed + ask([], true, uptime) }
            return proceed + endMetadata(uptime)
        case .ending(let question):
            state = .idle
            return [.proceed(question.calls)] + endMetadata(uptime)
        case .idle, .closed: return []
        }
    }

    private mutating func endMetadata(_ uptime: Duration) -> [RefreshEffect] {
        guard !metadataCalls.isEmpty else { return [] }
        lastFailedAnswer = hasOldMetadata ? uptime : nil
        defer { metadataCalls = [] }
        return [.proceed(metadataCalls)]
    }

    private mutating func left(_ call: CallID) -> [RefreshEffect] {
        metadataCalls.removeAll { $0 == call }
        switch state {
        case .idle, .closed: break
        case .asking(var question):
            question.calls.removeAll { $0 == call }
            state = .asking(question)
        case .ending(var question):
            question.calls.removeAll { $0 == call }
            state = .ending(question)
        }
        return [.proceed([call])]
    }

    private mutating func closed() -> [RefreshEffect] {
        let metadata = metadataCalls
        metadataCalls = []
        defer { state = .closed }
        switch state {
        case .idle, .closed: return [.proceed(metadata)]
        case .asking(let question): return [.stop, .proceed(question.calls + metadata)]
        case .ending(let question): return [.proceed(question.calls + metadata)]
        }
    }

    private mutating func ask(
        _ calls: [CallID], _ isAnnounced: Bool, _ uptime: Duration, isBehindStart: Bool = false
    ) -> [RefreshEffect] {
        lastAsked = uptime
        state = .asking(RefreshQuestion(changes: changes, calls: calls, isAnnounced: isAnnounced))
        return [.ask(isBehindStart: isBehindStart)]
    }

    /// Two questions within this time are one.
    private static let freshness = Duration.seconds(30)
}

/// Events about the question which logins the service keeps.
enum RefreshEvent: Sendable {
    /// A call needs the service's answer.
    case wanted(CallID, isAnnounced: Bool, uptime: Duration)
    /// The service is to be asked while the caller continues, unless it was asked recently.
    case wantedInBackground(uptime: Duration)
    /// The service is to be asked behind a start, and behind the first play that follows it.
    case wantedBehindStart(uptime: Duration)
    /// The question behind a start is sent now.
    case questionBegins
    /// A call needs the provider's current metadata about the viewer.
    case metadataWanted(CallID, uptime: Duration)
    /// A permission was given, which may change the provider's metadata.
    case permissionGiven
    /// A login wants to begin.
    case loginBegins
    /// The question has ended, completely or not.
    case ended(isTaken: Bool, uptime: Duration)
    /// A call was cancelled, or has waited long enough.
    case left(CallID)
    case closed
}

/// What the machine of the copies requests.
enum RefreshEffect: Sendable {
    /// Ask the service, behind a start only after the first play, and store its answer if it still counts.
    case ask(isBehindStart: Bool)
    /// Cancel the question; its end still is an event, unless the session is closed.
    case stop
    /// Let a call continue after a time limit, whether there is an answer or not.
    case limit(CallID)
    /// Let calls continue.
    case proceed([CallID])
}

/// A question to a service for the logins that it keeps.
struct RefreshQuestion: Sendable {
    /// How many permissions had been given when it began.
    var changes: Int
    /// The calls that wait for it.
    var calls: [CallID]
    /// Whether a change is reported: a viewer who is now logged in, or logged out.
    var isAnnounced: Bool
}
