import TVENetworking

/// One attempt to log in: everybody who waits for it gets its outcome.
struct LoginAttempt: Sendable {
    /// What an attempt begins with.
    enum Origin: Sendable {
        /// The viewer is to log in, wherever the ladder leads.
        case call
        /// The viewer has just chosen a TempPass, which lets the device in without a page.
        case tempPass(String)
        /// The page of a login that was opened before the app was closed has reached its redirect.
        case redirect(LoginPage)
    }

    /// A number of its own.
    ///
    /// An attempt that goes on with another provider gets a new one, so that what the old one still brings is dropped.
    var number: Int
    let origin: Origin
    var terms: LoginTerms
    /// The calls that wait for it.
    var calls: [CallID]
    /// How many codes were shown on this screen.
    var codes = 0
}
