/// When a service is asked for the logins it keeps, which calls wait for its answer, and whether the answer still
/// counts.
///
/// At most one question runs. A decision on this device about who is logged in makes the answer to an earlier question
/// void, and a new login ends the question first.
struct KeptLoginsMachine: StateMachine {
    enum State: Sendable {
        case idle
        case asking(KeptLoginsQuestion)
        /// The question was cancelled and has not ended yet; logins wait for its end.
        case ending(KeptLoginsQuestion, logins: [CallID])
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

    mutating func handle(_ event: KeptLoginsEvent) -> [KeptLoginsEffect] {
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

    private mutating func wanted(_ call: CallID, _ isAnnounced: Bool, _ uptime: Duration) -> [KeptLoginsEffect] {
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
    private mutating func wantedInBackground(_ isForced: Bool, _ uptime: Duration) -> [KeptLoginsEffect] {
        guard case .idle = state else { return [] }
        if !isForced, let lastAsked, uptime - lastAsked < Self.freshness { return [] }
        return ask([], true, uptime)
    }

    private mutating func metadataWanted(_ call: CallID, _ uptime: Duration) -> [KeptLoginsEffect] {
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

    private mutating func permissionGiven() -> [KeptLoginsEffect] {
        changes += 1
        return []
    }

    private mutating func decided() -> [KeptLoginsEffect] {
        if case .asking(var question) = state {
            question.counts = false
            state = .asking(question)
        }
        return []
    }

    private mutating func loginWaits(_ call: CallID) -> [KeptLoginsEffect] {
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
    private mutating func ended(_ number: Int, _ isTaken: Bool, _ uptime: Duration) -> [KeptLoginsEffect] {
        switch state {
        case .asking(let question) where question.number == number:
            state = .idle
            if isTaken { knownChanges = question.changes }
            let proceed: [KeptLoginsEffect] = [.proceed(question.calls)]
            guard !metadataCalls.isEmpty else { return proceed }
            // A question that was already running may have begun before the change.
            if hasOldMetadata, question.changes != changes { return proceed + ask([], true, uptime) }
            return proceed + endMetadata(uptime)
        case .ending(let question, let logins) where question.number == number:
            state = .idle
            return [.proceed(question.calls)] + endMetadata(uptime) + [.proceed(logins)]
        default: return []
        }
    }

    private mutating func endMetadata(_ uptime: Duration) -> [KeptLoginsEffect] {
        guard !metadataCalls.isEmpty else { return [] }
        lastFailedAnswer = hasOldMetadata ? uptime : nil
        defer { metadataCalls = [] }
        return [.proceed(metadataCalls)]
    }

    private mutating func left(_ call: CallID) -> [KeptLoginsEffect] {
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

    private mutating func closed() -> [KeptLoginsEffect] {
        let metadata = metadataCalls
        metadataCalls = []
        defer { state = .closed }
        switch state {
        case .idle, .closed: return [.proceed(metadata)]
        case .asking(let question): return [.stop(question: question.number), .proceed(question.calls + metadata)]
        case .ending(let question, let logins): return [.proceed(question.calls + logins + metadata)]
        }
    }

    private mutating func ask(_ calls: [CallID], _ isAnnounced: Bool, _ uptime: Duration) -> [KeptLoginsEffect] {
        numbers += 1
        lastAsked = uptime
        let question = KeptLoginsQuestion(number: numbers, changes: changes, calls: calls, isAnnounced: isAnnounced)
        state = .asking(question)
        return [.ask(question: numbers)]
    }

    /// Two questions within this time are one.
    private static let freshness = Duration.seconds(30)
}
