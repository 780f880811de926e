import TVEModels
import TVEStorage

/// Events of starts.
enum StartEvent: Sendable {
    case called(CallID, (any AuthenticationPresenter)?)
    /// At least one service has answered; these stored tokens had expired when it was asked.
    case loaded(LoadedConfiguration, [ExpiredToken])
    case failed(TVEError)
    /// A step that cannot fail has ended.
    case ended
    /// The viewer logged out, chose a provider or cancelled a choice: a silent login must not interfere.
    case viewerChangedLogin
    /// A call was cancelled.
    case left(CallID)
    case closed
}

/// What a start machine requests.
enum StartEffect: Sendable {
    /// Perform a stage; its end is an event.
    case run(StartMachine.Stage, Start)
    /// Cancel the running stage; its outcome is ignored.
    case stop(start: Int)
    /// Tidy the store before any call reads it.
    case tidyUp([ExpiredToken])
    case report(TVEError)
    case answer([CallID], Result<RequestorConfiguration, TVEError>)
}

/// One start.
struct Start: Sendable {
    /// A unique number; outcomes of another start are dropped.
    let number: Int
    /// The calls that wait for it.
    var calls: [CallID]
    /// Opens the page of a silent login; nil for none.
    var presenter: (any AuthenticationPresenter)?
}
