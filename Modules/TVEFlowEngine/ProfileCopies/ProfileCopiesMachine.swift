/// When a service is asked for the logins it keeps, which calls wait for its answer, and whether the answer still
/// counts.
///
/// At most one question runs. A decision on this device about who is logged in makes the answer to an earlier question
/// void, and a new login ends the question first.
struct ProfileCopiesMachine: StateMachine {
    enum State: Sendable {
        case idle
        case asking(ProfileCopiesQuestion)
        /// The question was cancelled and has not ended yet; logins wait for its end.
        case ending(ProfileCopiesQuestion, logins: [CallID])
        case closed
    }

    enum StateName: String, MachineStateName {
        case idle, asking, ending, closed

        var successors: Set<StateName> {
            switch self {
            case .idle: [.asking]
            case .asking: [.idle, .ending]
            case .ending: [.idle]
            case .closed: []
            }
        }
    }

    var stateName: StateName {
        switch state {
        case .idle: .idle
        case .asking: .asking
        case .ending: .ending
        case .closed: .closed
        }
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
    private var numbers = 0

    /// Whether the answer to a question still counts.
    func counts(_ number: Int) -> Bool {
        if case .asking(let question) = state { question.number == number && question.counts } else { false }
    }

    /// Whether a change is reported: a viewer who is now logged in, or logged out.
    func isAnnounced(_ number: Int) -> Bool {
        if case .asking(let question) = state { question.number == number && question.isAnnounced } else { false }
    }

    /// Whether a permission may have changed the provider's metadata.
    var hasOldMetadata: Bool { changes != knownChanges }

    mutating func handle(_ event: ProfileCopiesEvent) -> [ProfileCopiesEffect] {
        switch event {
        case .wanted(let call, let isAnnounced, let uptime): wanted(call, isAnnounced, uptime)
        case .wantedInBackground(let isForced, let uptime): wantedInBackground(isForced, uptime)
        case .metadataWanted(let call, let uptime): metadataWanted(call, uptime)
        case .permissionGiven: permissionGiven()
        case .decided: decided()
        case .loginWaits(let call): loginWaits(call)
        case .ended(let number, let isTaken, let uptime): ended(number, isTaken, uptime)
        case .left(let call): left(call)
        case .closed: closed()
        }
    }

    private mutating func wanted(_ call: CallID, _ isAnnounced: Bool, _ uptime: Duration) -> [ProfileCopiesEffect] {
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
    private mutating func wantedInBackground(_ isForced: Bool, _ uptime: Duration) -> [ProfileCopiesEffect] {
        guard case .idle = state else { return [] }
        if !isForced, let lastAsked, uptime - lastAsked < Self.freshness { return [] }
        return ask([], true, uptime)
    }

    private mutating func metadataWanted(_ call: CallID, _ uptime: Duration) -> [ProfileCopiesEffect] {
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

    private mutating func permissionGiven() -> [ProfileCopiesEffect] {
        changes += 1
        return []
    }

    private mutating func decided() -> [ProfileCopiesEffect] {
        if case .asking(var question) = state {
            question.counts = false
            state = .asking(question)
        }
        return []
    }

    private mutating func loginWaits(_ call: CallID) -> [ProfileCopiesEffect] {
        switch state {
        case .idle, .closed: return [.proceed([call])]
        case .asking(let question):
            state = .ending(question, logins: [call])
            // A cancelled question does not count as asked.
            lastAsked = nil
            return [.stop(question: question.number)]
        case .ending(let question, let logins):
            state = .ending(question, logins: logins + [call])
            return []
        }
    }

    /// - Parameter isTaken: whether the answer is stored now.
    private mutating func ended(_ number: Int, _ isTaken: Bool, _ uptime: Duration) -> [ProfileCopiesEffect] {
        switch state {
        case .asking(let question) where question.number == number:
            state = .idle
            if isTaken { knownChanges = question.changes }
            let proceed: [ProfileCopiesEffect] = [.proceed(question.calls)]
            guard !metadataCalls.isEmpty else { return proceed }
            // A question that was already running may have begun before the change.
            if hasOldMetadata, question.changes != changes { return proceed + ask([], true, uptime) }
            return proceed + endMetadata(uptime)
        case .ending(let question, let logins) where question.number == number:
            state = .idle
            return [.proceed(question.calls)] + endMetadata(uptime) + [.proceed(logins)]
        case .idle, .asking, .ending, .closed:
            // The end of another question.
            return []
        }
    }

    private mutating func endMetadata(_ uptime: Duration) -> [ProfileCopiesEffect] {
        guard !metadataCalls.isEmpty else { return [] }
        lastFailedAnswer = hasOldMetadata ? uptime : nil
        defer { metadataCalls = [] }
        return [.proceed(metadataCalls)]
    }

    private mutating func left(_ call: CallID) -> [ProfileCopiesEffect] {
        metadataCalls.removeAll { $0 == call }
        switch state {
        case .idle, .closed: break
        case .asking(var question):
            question.calls.removeAll { $0 == call }
            state = .asking(question)
        case .ending(var question, let logins):
            question.calls.removeAll { $0 == call }
            state = .ending(question, logins: logins.filter { $0 != call })
        }
        return [.proceed([call])]
    }

    private mutating func closed() -> [ProfileCopiesEffect] {
        let metadata = metadataCalls
        metadataCalls = []
        defer { state = .closed }
        switch state {
        case .idle, .closed: return [.proceed(metadata)]
        case .asking(let question): return [.stop(question: question.number), .proceed(question.calls + metadata)]
        case .ending(let question, let logins): return [.proceed(question.calls + logins + metadata)]
        }
    }

    private mutating func ask(_ calls: [CallID], _ isAnnounced: Bool, _ uptime: Duration) -> [ProfileCopiesEffect] {
        numbers += 1
        lastAsked = uptime
        let question = ProfileCopiesQuestion(number: numbers, changes: changes, calls: calls, isAnnounced: isAnnounced)
        state = .asking(question)
        return [.ask(question: numbers)]
    }

    /// Two questions within this time are one.
    private static let freshness = Duration.seconds(30)
}

/// Events about the question which logins the service keeps.
enum ProfileCopiesEvent: Sendable {
    /// A call needs the service's answer.
    case wanted(CallID, isAnnounced: Bool, uptime: Duration)
    /// The service is to be asked while the caller continues, unless it was asked recently.
    case wantedInBackground(isForced: Bool, uptime: Duration)
    /// A call needs the provider's current metadata about the viewer.
    case metadataWanted(CallID, uptime: Duration)
    /// A permission was given, which may change the provider's metadata.
    case permissionGiven
    /// This device has decided who is logged in.
    case decided
    /// A login wants to begin.
    case loginWaits(CallID)
    /// A question has ended, completely or not.
    case ended(question: Int, isTaken: Bool, uptime: Duration)
    /// A call was cancelled, or has waited long enough.
    case left(CallID)
    case closed
}

/// What the machine of the copies requests.
enum ProfileCopiesEffect: Sendable {
    /// Ask the service, and store its answer if it still counts.
    case ask(question: Int)
    /// Cancel a question; its end still is an event.
    case stop(question: Int)
    /// Let a call continue after a time limit, whether there is an answer or not.
    case limit(CallID)
    /// Let calls continue.
    case proceed([CallID])
}

/// A question to a service for the logins that it keeps.
struct ProfileCopiesQuestion: Sendable {
    let number: Int
    /// How many permissions had been given when it began.
    let changes: Int
    /// The calls that wait for it.
    var calls: [CallID]
    /// Whether a change is reported: a viewer who is now logged in, or logged out.
    var isAnnounced: Bool
    /// Whether no later decision was made about who is logged in.
    var counts = true
}

/// The session's state of its questions for the logins that the service keeps.
struct ProfileCopiesFlow {
    /// When the service is asked, and who waits for the answer.
    var machine = ProfileCopiesMachine()
    /// The running question.
    var task: Task<Void, Never>?
    /// Whether the service did not answer the last one.
    var hasFailed = false
}
