/// The receiver of the result of one call (preauthorize page).
///
/// The conformance is unchecked because the app's closures are not `Sendable`. They are called once, on the run of the
/// delegates.
public final class AccessEnablerCallback<Result>: @unchecked Sendable {
    private let response: (Result) -> Void
    private let failure: (Result) -> Void

    /// Creates a callback from two closures.
    ///
    /// - Parameters:
    ///   - onResponse: a closure that is called with the service's response, even if that is an error.
    ///   - onFailure: a closure that is called when the request failed before the service could respond.
    public init(onResponse: @escaping (Result) -> Void, onFailure: @escaping (Result) -> Void) {
        response = onResponse
        failure = onFailure
    }

    /// Calls the closure for responses.
    ///
    /// - Parameter result: the service's response.
    public func onResponse(result: Result) { response(result) }

    /// Calls the closure for failures.
    ///
    /// - Parameter result: the reason why there is no response.
    public func onFailure(result: Result) { failure(result) }
}
