/// Receives the result of one call (preauthorize page).
///
/// Unchecked, because the app's closures are not `Sendable`: they are called once, on the run of the delegates.
public final class AccessEnablerCallback<Result>: @unchecked Sendable {
    private let response: (Result) -> Void
    private let failure: (Result) -> Void

    /// Makes a callback from two closures.
    ///
    /// - Parameters:
    ///   - onResponse: called with the service's answer, also when that is an error.
    ///   - onFailure: called when the request failed before the service could answer.
    public init(onResponse: @escaping (Result) -> Void, onFailure: @escaping (Result) -> Void) {
        response = onResponse
        failure = onFailure
    }

    /// Calls the first closure.
    ///
    /// - Parameter result: the service's answer.
    public func onResponse(result: Result) { response(result) }

    /// Calls the second closure.
    ///
    /// - Parameter result: why there is no answer.
    public func onFailure(result: Result) { failure(result) }
}
