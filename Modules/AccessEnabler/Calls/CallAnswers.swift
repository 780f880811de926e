import TVEFlowEngine

/// The callbacks that answer one call.
struct CallAnswers: Sendable {
    let callbacks: Callbacks
    /// The number that the caller gave to the call.
    let call: Int?

    func toDelegate(_ callback: @escaping @MainActor @Sendable (any EntitlementDelegate) -> Void) {
        CallNumber.$current.withValue(call) { callbacks.toDelegate(callback) }
    }

    func run(_ callback: @escaping @Sendable () -> Void) {
        CallNumber.$current.withValue(call) { callbacks.run(callback) }
    }

    func authentication(_ status: AuthenticationStatus) {
        CallNumber.$current.withValue(call) { callbacks.authentication(status) }
    }

    func metadata(_ answer: Metadata?, _ question: MetadataQuestion) {
        CallNumber.$current.withValue(call) { callbacks.metadata(answer, question) }
    }
}

/// Says which call a callback answers, which the classic API itself does not: the random walk checks it.
package enum CallNumber {
    /// Around a call, the number that its caller gives it; in the run of callbacks, that of the call which is answered.
    @TaskLocal package static var current: Int?
}
