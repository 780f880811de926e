/// A callback that reports the outcome of a login to an app.
struct LoginCallback {
    /// A Boolean value that indicates whether the call is an authorization that needs a login.
    ///
    /// Calls for a login report before such calls.
    var isForPermission = false
    let notify: (AuthenticationStatus) -> Void
}

/// The selection of answered calls that report to the app.
enum CallbackSelection: Sendable {
    case each
    /// Only the first call reports, because the calls share one login, which the viewer saw once.
    case first
    /// No call reports, because the app closed the page and expects no answer.
    case nobody

    /// Returns the callbacks that report an answer, out of those of the calls that receive it.
    func selection(of callbacks: [LoginCallback]) -> [LoginCallback] {
        switch self {
        case .each: callbacks
        // An authorization has an answer of its own and may have ended already, so a call for a login comes first.
        case .first: Array((callbacks.filter { !$0.isForPermission } + callbacks).prefix(1))
        case .nobody: []
        }
    }
}
