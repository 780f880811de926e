import TVEModels
import TVENetworking

/// A code that is shown until the viewer has typed it on another device.
///
/// Its lifetime is counted in uptime, which no change of the device's clock affects.
struct SecondScreenMachine: Sendable {
    /// What to do next.
    enum Decision: Sendable {
        case pollAgain
        case keep(NewLogin)
        /// The code has expired.
        case end
        case fail(TVEError)
    }

    let page: LoginPage
    /// The uptime at which the code expires.
    let deadline: Duration

    var code: RegistrationCode {
        RegistrationCode(code: page.registrationCode, mvpdID: page.mvpdID, expires: page.expires)
    }

    /// Decides what to do after asking for the token.
    func decision(after poll: SecondScreenPoll, uptime: Duration) -> Decision {
        switch poll {
        case .found(let login): .keep(login)
        case .failed(let error): .fail(error)
        // The service's clock may be ahead of ours: a code that expires soon counts as expired.
        case .codeExpired(let error): deadline - uptime < Self.toleratedClockDifference ? .end : .fail(error)
        case .notYet: uptime < deadline ? .pollAgain : .end
        }
    }

    /// How much earlier than expected a code may expire.
    private static let toleratedClockDifference = Duration.seconds(60)
}
