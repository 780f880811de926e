import TVENetworking

/// One attempt to log in: all calls that wait for it get its outcome.
struct LoginAttempt: Sendable {
    /// How an attempt begins.
    enum Origin: Sendable, Equatable {
        /// A call wants the viewer logged in; the ladder decides how.
        case call
        /// The viewer has just chosen a TempPass, which logs the device in without a page.
        case tempPass(String)
        /// The page of a login that was opened before the app was closed has reached its redirect.
        case redirect(LoginPage)
    }

    /// A unique number.
    ///
    /// An attempt that continues with another provider gets a new one, so that late outcomes of the old one are
    /// dropped.
    var number: Int
    let origin: Origin
    var terms: LoginTerms
    /// The calls that wait for it.
    var calls: [CallID]
    /// How many codes this attempt has shown.
    var codes = 0
}
