import TVEModels

/// What happens to starts.
enum StartEvent: Sendable {
    case called(CallID, (any AuthenticationPresenter)?)
    /// At least one service has answered.
    case loaded(LoadedConfiguration)
    case failed(TVEError)
    /// A step that cannot fail has come to its end.
    case ended
    /// The viewer logged out, chose a provider or took a choice back: a login that nobody sees must not come in between.
    case viewerChangedLogin
    /// A call was cancelled.
    case left(CallID)
    case closed
}

/// What a start machine wants done.
enum StartEffect: Sendable {
    /// Do what a stage is about; its end is an event.
    case run(StartMachine.Stage, Start)
    /// Cancel what runs; nothing that it still brings counts.
    case stop(start: Int)
    /// Bring the store in order before anybody asks it.
    case tidyUp
    case report(TVEError)
    case answer([CallID], Result<RequestorConfiguration, TVEError>)
}

/// One start.
struct Start: Sendable {
    /// A number of its own; outcomes of another start are dropped.
    let number: Int
    /// The calls that wait for it.
    var calls: [CallID]
    /// Opens the page of a silent login; nil for none.
    var presenter: (any AuthenticationPresenter)?
}
