import TVEFlowEngine

/// The callbacks that answer one call.
struct CallAnswers: Sendable {
    let callbacks: Callbacks
    /// The number that the caller gave to the call.
    let call: Int?

    func toDelegate(_ callback: @escaping @MainActor @Sendable (any EntitlementDelegate) -> Void) {
        CallNumber.around.withValue(call) { callbacks.toDelegate(callback) }
    }

    func run(_ callback: @escaping @Sendable () -> Void) {
        CallNumber.around.withValue(call) { callbacks.run(callback) }
    }

    func authentication(_ status: AuthenticationStatus) {
        CallNumber.around.withValue(call) { callbacks.authentication(status) }
    }

    func metadata(_ answer: Metadata?, _ question: MetadataQuestion) {
        CallNumber.around.withValue(call) { callbacks.metadata(answer, question) }
    }
}

/// Says which call a callback answers, which the classic API itself does not: the random walk checks it.
package enum CallNumber {
    // Without the macro, whose plugin the check of Objective-C cannot load.
    /// Around a call, the number that its caller gives it; in the run of callbacks, that of the call which is answered.
    package static let around = TaskLocal<Int?>(wrappedValue: nil)

    package static var current: Int? { around.get() }
}
