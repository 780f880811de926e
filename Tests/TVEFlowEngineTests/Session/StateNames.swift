@testable import TVEFlowEngine

extension LoginMachine {
    /// The states of the machine by name, each with the states that may follow it.
    ///
    /// Tests try every event in every state and compare.
    enum StateName: String, CaseIterable {
        case idle, clearing, atPlatform, askingPlatform, choosing, opening, atPage, fetching, showingCode

        /// The states to which one event may lead.
        var successors: Set<StateName> {
            switch self {
            // A redirect for an earlier run of the app begins with its outcome, a silent login without the viewer.
            case .idle: [.clearing, .fetching, .askingPlatform, .opening]
            // From any stage: to the end, to another provider, and to the outcome of an earlier login.
            case .clearing: [.idle, .opening, .fetching, .atPlatform, .choosing]
            case .atPlatform: [.idle, .opening, .fetching, .choosing, .atPage, .showingCode]
            case .askingPlatform: [.idle, .clearing, .fetching]
            case .choosing: [.idle, .opening, .fetching]
            case .opening: [.idle, .fetching, .atPage, .showingCode, .clearing]
            case .atPage: [.idle, .opening, .fetching, .clearing]
            case .fetching: [.idle, .opening, .atPage, .clearing]
            case .showingCode: [.idle, .opening, .fetching]
            }
        }
    }

    var stateName: StateName {
        switch state {
        case .idle: .idle
        case .running(_, let stage):
            switch stage {
            case .clearing: .clearing
            case .atPlatform: .atPlatform
            case .askingPlatform: .askingPlatform
            case .choosing: .choosing
            case .opening: .opening
            case .atPage: .atPage
            case .polling(let poll): poll.isHere ? .fetching : .showingCode
            }
        }
    }
}
