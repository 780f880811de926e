#if canImport(ObjectiveC)
public import Foundation

/// Receives the result of `preauthorize:didCompleteWith:` in Objective-C, where it is called `AccessEnablerCallback`:
/// Swift's generic class is not visible there.
@objc(AccessEnablerCallback)
public final class PreauthorizeCallback: NSObject {
    let response: (PreauthorizeResponse) -> Void
    let failure: (PreauthorizeResponse) -> Void

    /// Makes a callback from two blocks.
    ///
    /// - Parameters:
    ///   - onResponse: called with the service's answer, also when that is an error.
    ///   - onFailure: called when the request failed before the service could answer.
    @objc(initWithOnResponse:onFailure:)
    public init(
        onResponse: @escaping (PreauthorizeResponse) -> Void, onFailure: @escaping (PreauthorizeResponse) -> Void
    ) {
        response = onResponse
        failure = onFailure
        super.init()
    }
}
#endif
