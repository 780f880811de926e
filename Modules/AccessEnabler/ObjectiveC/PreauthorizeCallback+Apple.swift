#if canImport(ObjectiveC)
public import Foundation

/// Receives the result of `preauthorize:didCompleteWith:` in Objective-C, which knows it as `AccessEnablerCallback`: a class with a type
/// argument, as Swift has it, is none of Objective-C's.
@objc(AccessEnablerCallback)
public final class PreauthorizeCallback: NSObject {
    let response: (PreauthorizeResponse) -> Void
    let failure: (PreauthorizeResponse) -> Void

    /// Makes a callback of two blocks.
    ///
    /// - Parameters:
    ///   - onResponse: called with what the service answered, also when that is an error.
    ///   - onFailure: called when there was nothing that the service could have answered.
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
