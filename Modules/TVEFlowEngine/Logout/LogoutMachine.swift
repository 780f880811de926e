import TVEModels

/// A logout whose tokens are already removed: the service is told, and the provider's page ends the login there.
///
/// Each call of `logout` is a separate logout with a separate answer. A new login does not wait for a page that the
/// viewer never finishes.
struct LogoutMachine: StateMachine {
    enum State: Sendable {
        case idle
        case running(Logout, Stage)
        case closed
    }

    enum Stage: Sendable {
        /// The service is being told.
        case telling
        /// The provider's page is open.
        case showing(BrowserPage)
    }

    enum StateName: String, MachineStateName {
        case idle, telling, showing, closed

        var successors: Set<StateName> {
            switch self {
            case .idle: [.telling]
            case .telling: [.idle, .showing]
            case .showing: [.idle, .telling]
            case .closed: []
            }
        }
    }

    var stateName: StateName {
        switch state {
        case .idle: .idle
        case .running(_, .telling): .telling
        case .running(_, .showing): .showing
        case .closed: .closed
        }
    }

    private(set) var state = State.idle
    /// Whether the page of a logout was left open when a login began, so that its redirect may come while the login
    /// waits for its own.
    private(set) var hasLeftPage = false
    /// Logins that wait for the page to be opened or the logout to end.
    private var waiting: [CallID] = []
    private var numbers = 0

    var logout: Logout? {
        if case .running(let logout, _) = state { logout } else { nil }
    }

    mutating func handle(_ event: LogoutEvent) -> [LogoutEffect] {
        switch (event, state) {
        case (.called(let call, _, _), .closed):
            return [.answer([call])]
        case (.called(let call, let login, let isSeen), .idle):
            return begin(call, login, isSeen)
        case (.called(let call, let login, let isSeen), .running(let first, let stage)):
            // A second logout ends a newer login as well, or finds none.
            guard login != nil else { return [.announce(call), .answer([call])] }
            return end(first, stage, isAnnounced: false) + begin(call, login, isSeen)

        case (.loginWaits(let login), .running(let logout, let stage)):
            waiting.append(login)
            guard logout.isSeen else { return end(logout, stage, isAnnounced: false) }
            return switch stage {
            case .telling: [.wait(.untilThePageIsOpen, logout)]
            case .showing: [.wait(.withThePageOpen, logout)]
            }
        case (.loginWaits(let login), _):
            hasLeftPage = false
            return [.proceed([login])]
        case (.loginLeft(let login), _):
            guard waiting.contains(login) else { return [] }
            waiting.removeAll { $0 == login }
            return [.proceed([login])]
        case (.redirectWasTaken, _):
            hasLeftPage = false
            return []

        case (.told(let page), .running(let logout, .telling)):
            guard let page, logout.isSeen else { return end(logout, .telling, isAnnounced: logout.isSeen) }
            state = .running(logout, .showing(page))
            let wait: [LogoutEffect] = waiting.isEmpty ? [] : [.wait(.withThePageOpen, logout)]
            return [.run(.show(page), logout)] + wait
        case (.pageEnded, .running(let logout, let stage)):
            return end(logout, stage, isAnnounced: true)
        case (.waited(let patience), .running(let logout, let stage)):
            // The login for which the page was to be closed may have ended.
            if patience != .whole, waiting.isEmpty { return [] }
            return end(logout, stage, isAnnounced: false)
        case (.left(let call), .running(let logout, let stage)):
            return logout.call == call ? end(logout, stage, isAnnounced: logout.isSeen) : []
        case (.closed, .running(let logout, let stage)):
            let effects = end(logout, stage, isAnnounced: false)
            state = .closed
            return effects
        case (.closed, _):
            state = .closed
            return []
        case (.told, _), (.pageEnded, _), (.waited, _), (.left, _):
            return []
        }
    }

    private mutating func begin(_ call: CallID, _ login: AuthenticationToken?, _ isSeen: Bool) -> [LogoutEffect] {
        numbers += 1
        let logout = Logout(number: numbers, call: call, login: login, isSeen: isSeen && login != nil)
        state = .running(logout, .telling)
        // Without a page to open, the logout is reported at once.
        let announcement: [LogoutEffect] = logout.isSeen ? [] : [.announce(call)]
        return announcement + [.run(.tell, logout), .wait(.whole, logout)]
    }

    /// - Parameter isAnnounced: whether the viewer's logout is reported now. It is not for a page that the viewer never
    ///   finished: by then the viewer may be at the next login.
    private mutating func end(_ logout: Logout, _ stage: Stage, isAnnounced: Bool) -> [LogoutEffect] {
        state = .idle
        let logins = waiting
        waiting = []
        if case .showing = stage, !isAnnounced { hasLeftPage = !logins.isEmpty }
        let announcement: [LogoutEffect] = isAnnounced ? [.announce(logout.call)] : []
        let begin: [LogoutEffect] = logins.isEmpty ? [] : [.proceed(logins)]
        return [.stop(logout: logout.number)] + announcement + [.answer([logout.call])] + begin
    }
}

enum LogoutEvent: Sendable {
    /// A call has removed what is stored; with `isSeen` the provider's page is opened.
    case called(CallID, login: AuthenticationToken?, isSeen: Bool)
    /// A login wants to begin.
    case loginWaits(CallID)
    /// The waiting login has ended before it began.
    case loginLeft(CallID)
    /// The redirect of a page that was left open has come.
    case redirectWasTaken
    /// The service was told, or could not be; with the page that ends the login at the provider, if there is one.
    case told(BrowserPage?)
    /// The browser is at the end of the page, or the viewer has left.
    case pageEnded
    /// A time limit has passed.
    case waited(LogoutTimeout)
    case left(CallID)
    /// The session ends.
    case closed
}

/// What a logout machine requests.
enum LogoutEffect: Sendable {
    /// Take the next step; its end is an event.
    case run(LogoutStep, Logout)
    /// Wait, and report it unless the logout has ended before.
    case wait(LogoutTimeout, Logout)
    /// Cancel everything that belongs to a logout.
    case stop(logout: Int)
    /// Report that the viewer is logged out, as the answer to a call.
    case announce(CallID)
    case answer([CallID])
    /// Let waiting logins begin.
    case proceed([CallID])
}

enum LogoutStep: Sendable {
    /// End the login at the service, and remove everything else that it keeps for this device.
    case tell
    case show(BrowserPage)
}

/// A logout of one call.
struct Logout: Sendable {
    /// A unique number; outcomes of another logout are dropped.
    let number: Int
    let call: CallID
    let login: AuthenticationToken?
    /// Whether the provider's page is opened.
    let isSeen: Bool
}

/// The time limits of a logout.
enum LogoutTimeout: Sendable, CaseIterable {
    /// For the service and the viewer together.
    case whole
    /// For opening the provider's page while a login waits: without the page, the provider's cookie would log the same
    /// viewer in again.
    case untilThePageIsOpen
    /// With the page open, while a login waits.
    case withThePageOpen

    var duration: Duration {
        switch self {
        case .whole: .seconds(60)
        case .untilThePageIsOpen: .seconds(5)
        case .withThePageOpen: .milliseconds(50)
        }
    }
}

/// A call that logs out, from its beginning to its answer.
struct LogoutCall {
    let presenter: (any AuthenticationPresenter)?
    /// Called when the logout has ended.
    let finished: @Sendable (TVEError) -> Void
    let waiting: CheckedContinuation<Void, Never>
}

/// The session's state of a logout whose tokens are already removed.
struct LogoutFlow {
    var machine = LogoutMachine()
    /// The calls that wait for it.
    var calls: [CallID: LogoutCall] = [:]
    /// Running tasks, by the number of their logout.
    var tasks: [Int: [Task<Void, Never>]] = [:]
}
