import TVEModels
import TVENetworking

/// A code that is shown until somebody has typed it elsewhere.
///
/// How long it lasts is counted in time that no change of the device's clock moves.
struct SecondScreenMachine: Sendable {
    /// What to do next.
    enum Decision: Sendable {
        case pollAgain
        case keep(NewLogin)
        /// The code has run out.
        case end
        case fail(TVEError)
    }

    let page: LoginPage
    /// The uptime at which the code runs out.
    let deadline: Duration

    var code: ActivationCode {
        ActivationCode(code: page.registrationCode, mvpdID: page.mvpdID, expires: page.expires)
    }

    /// Takes what came of asking for the token.
    func decision(after poll: SecondScreenPoll, uptime: Duration) -> Decision {
        switch poll {
        case .found(let login): .keep(login)
        case .failed(let error): .fail(error)
        // The service's clock may be ahead of ours: a code that is about to run out has run out.
        case .codeExpired(let error): deadline - uptime < Self.toleratedClockDifference ? .end : .fail(error)
        case .notYet: uptime < deadline ? .pollAgain : .end
        }
    }

    /// By how much a code may run out before its time.
    private static let toleratedClockDifference = Duration.seconds(60)
}
