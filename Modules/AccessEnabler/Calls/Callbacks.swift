import TVEFlowEngine
import TVEModels
import TVETracking

/// Delivers callbacks to the delegates, one after the other, on the app's run.
///
/// Unchecked, because delegates are the app's objects and not `Sendable`: the references are guarded by the lock, and
/// the objects are called on the run alone.
final class Callbacks: @unchecked Sendable {
    private struct Delegates {
        weak var entitlement: (any EntitlementDelegate)?
        weak var status: (any EntitlementStatus)?
    }

    let run: AccessEnabler.CallbackRun
    private let lock = Guarded<Void>(())
    private var delegates = Delegates()

    init(run: @escaping AccessEnabler.CallbackRun) {
        self.run = run
    }

    var delegate: (any EntitlementDelegate)? {
        get { lock.withLock { _ in delegates.entitlement } }
        set { lock.withLock { _ in delegates.entitlement = newValue } }
    }

    var statusDelegate: (any EntitlementStatus)? {
        get { lock.withLock { _ in delegates.status } }
        set { lock.withLock { _ in delegates.status = newValue } }
    }

    /// Forgets the delegates: of what is on its way to them nothing arrives.
    func close() { lock.withLock { _ in delegates = Delegates() } }

    func toDelegate(_ callback: @escaping @MainActor @Sendable (any EntitlementDelegate) -> Void) {
        let callback = Self.withoutMainActor(callback)
        run { [self] in
            if let delegate { callback(delegate) }
        }
    }

    /// Delivers a callback before this method returns, for what the platform does not wait for.
    @MainActor func now(_ callback: @MainActor (any EntitlementDelegate) -> Void) {
        if let delegate { callback(delegate) }
    }

    /// A callback without `@MainActor`: it is called on the run, which is the main queue unless the app chose another.
    private static func withoutMainActor<Delegate>(
        _ callback: @escaping @MainActor @Sendable (Delegate) -> Void
    ) -> @Sendable (Delegate) -> Void {
        // The two types differ only in `@MainActor`. `assumeIsolated` would trap in every app that has a run of its
        // own.
        unsafe unsafeBitCast(callback, to: (@Sendable (Delegate) -> Void).self)
    }

    /// Translates an event of the session.
    ///
    /// Each call reports for itself who is logged in. An app that takes every `setAuthenticationStatus(0)` for the end
    /// of its own call would act on one that it did not ask for.
    func event(_ event: SessionEvent) {
        switch event {
        case .tracking(let event, let client):
            let data = Self.classic(event).data(client: client)
            toDelegate { $0.track(data, Int32(event.number)) }
        case .authentication, .loginEndsSoon, .completed, .integrity: break
        case .status(let event): status(event) { true }
        }
    }

    /// Delivers a status.
    ///
    /// - Parameter isDue: whether it may still be delivered, asked in the moment of the delivery.
    func status(_ event: StatusEvent, if isDue: @escaping @Sendable () -> Bool) {
        let tell = Self.withoutMainActor { (delegate: any EntitlementStatus) in
            delegate.status(Self.dictionary(event))
        }
        run { [self] in
            if isDue(), let statusDelegate { tell(statusDelegate) }
        }
    }

    func authentication(_ status: AuthenticationStatus) {
        switch status {
        case .authenticated:
            toDelegate { $0.setAuthenticationStatus(ACCESS_ENABLER_STATUS_SUCCESS, errorCode: USER_AUTHENTICATED) }
        case .notAuthenticated(let error), .unknown(let error):
            let code = ClassicErrorCode.authentication(error)
            toDelegate { $0.setAuthenticationStatus(ACCESS_ENABLER_STATUS_ERROR, errorCode: code) }
        }
    }

    func metadata(_ answer: Metadata?, _ question: MetadataQuestion) {
        toDelegate {
            $0.answer(
                question, with: (answer?.value).flatMap(GenericData.any), isEncrypted: answer?.isEncrypted ?? false)
        }
    }

    /// An event with the error code that the callback for the same call carries (API reference, tracking).
    private static func classic(_ event: TrackingEvent) -> TrackingEvent {
        guard case .authorization(var outcome) = event, let name = outcome.error else { return event }
        outcome.error = ClassicErrorCode.authorization(TVEError.Code(rawValue: name))
        return .authorization(outcome)
    }

    private static func dictionary(_ event: StatusEvent) -> [AnyHashable: Any] {
        var dictionary: [AnyHashable: Any] = ["errorId": event.code.rawValue, "level": event.level.rawValue]
        if let message = event.message { dictionary["message"] = message }
        if let resource = event.resource { dictionary["resource"] = resource.text }
        if let details = event.details { dictionary["details"] = details }
        if let trace = event.trace { dictionary["trace"] = trace }
        // No document names the key (row TV8), so the code is under both possible names, and in the message.
        if let code = event.registrationCode {
            dictionary["code"] = code
            dictionary["regCode"] = code
        }
        return dictionary
    }
}

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
