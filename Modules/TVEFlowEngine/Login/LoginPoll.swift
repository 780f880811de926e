import TVEModels
import TVENetworking

/// Asks for the login of a code until it is there: after the page on this screen, and while a code is shown.
///
/// Times are uptimes, which no change of the device's clock affects.
struct LoginPoll: Sendable {
    /// Where the viewer logs in.
    enum Place: Sendable {
        /// In the browser of this screen, which has reached a redirect; unless that is certain, it may have been another
        /// page's.
        case thisScreen(isCertain: Bool)
        /// On another screen, until the code ends.
        case otherScreen(codeEnds: Duration)
    }

    /// What to do next.
    enum Decision: Sendable {
        case lookAgain
        case isLoggedIn(NewLogin)
        /// The viewer is still at the page.
        case backToPage
        case newCode
        case fail(TVEError)
    }

    let page: LoginPage
    let place: Place
    /// When this screen gives up; nil before the first look.
    private var deadline: Duration?

    init(page: LoginPage, place: Place) {
        self.page = page
        self.place = place
    }

    var code: RegistrationCode {
        RegistrationCode(code: page.registrationCode, mvpdID: page.mvpdID, expires: page.expires)
    }

    var isHere: Bool { if case .thisScreen = place { true } else { false } }

    /// The next look: on this screen the first one at once, as the browser is back.
    var look: LoginStep {
        switch place {
        case .thisScreen: .look(page, after: deadline == nil ? .zero : Self.pauseHere)
        case .otherScreen: .look(page, after: Self.pauseOnOtherScreen)
        }
    }

    /// Decides what to do after a look.
    mutating func decision(after look: LoginLook, uptime: Duration) -> Decision {
        switch (look, place) {
        case (.found(let login), _): return .isLoggedIn(login)
        case (.failed(let error), _): return .fail(error)
        // The service's clock may be ahead of ours: a code that expires soon counts as expired.
        case (.codeExpired(let error), .otherScreen(let end)):
            return end - uptime < Self.toleratedClockDifference ? .newCode : .fail(error)
        case (.codeExpired(let error), .thisScreen): return .fail(error)
        case (.notYet, .otherScreen(let end)): return uptime < end ? .lookAgain : .newCode
        case (.notYet(let error, let mayCome), .thisScreen(let isCertain)):
            let end = deadline ?? uptime + (isCertain ? Self.patience : Self.pauseHere)
            deadline = end
            if mayCome, uptime < end { return .lookAgain }
            return isCertain || !error.isLoginPending ? .fail(error) : .backToPage
        }
    }

    /// The documents ask for three to five seconds.
    private static let pauseHere = Duration.seconds(3)
    private static let pauseOnOtherScreen = Duration.seconds(5)
    /// A viewer who cancelled at the provider's page comes back by the same redirect as one who has logged in, and a login
    /// that is late comes within seconds.
    private static let patience = Duration.seconds(60)
    /// How much earlier than expected a code may expire.
    private static let toleratedClockDifference = Duration.seconds(60)
}

/// The outcome of asking for the login of a code.
enum LoginLook: Sendable {
    case found(NewLogin)
    /// There is none; it may still come where the service keeps the logins or the viewer types a code, also if the
    /// service did not answer now.
    case notYet(TVEError, mayCome: Bool)
    /// The service no longer knows the code.
    case codeExpired(TVEError)
    case failed(TVEError)
}
