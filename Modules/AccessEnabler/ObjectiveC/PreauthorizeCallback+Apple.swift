#if canImport(ObjectiveC)
public import Foundation

/// The receiver of the result of `preauthorize:didCompleteWith:` in Objective-C.
///
/// It is called `AccessEnablerCallback` there, because Swift's generic class is not visible in Objective-C.
@objc(AccessEnablerCallback)
public final class PreauthorizeCallback: NSObject {
    let response: (PreauthorizeResponse) -> Void
    let failure: (PreauthorizeResponse) -> Void

    /// Creates a callback from two blocks.
    ///
    /// - Parameters:
    ///   - onResponse: a block that is called with the service's response, even if that is an error.
    ///   - onFailure: a block that is called when the request failed before the service could respond.
    @objc(initWithOnResponse:onFailure:)
    public init(
        onResponse: @escaping (PreauthorizeResponse) -> Void, onFailure: @escaping (PreauthorizeResponse) -> Void
    ) {
        response = onResponse
        failure = onFailure
        super.init()
    }
}

// The names for an app with types of its own, as in `AccessEnabler+Types.swift`.

/// The receiver of a result in Objective-C, for an app that has a `PreauthorizeCallback` of its own.
public typealias AccessEnablerPreauthorizeCallback = PreauthorizeCallback

extension AccessEnabler {
    /// The receiver of a result in Objective-C.
    public typealias PreauthorizeCallback = AccessEnablerPreauthorizeCallback
}
#endif
