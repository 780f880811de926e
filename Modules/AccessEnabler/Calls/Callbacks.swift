import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETracking

/// A queue that delivers callbacks to the delegates, one after another, on the app's run.
///
/// The conformance is unchecked because delegates are objects of the app and not `Sendable`. The lock guards the
/// references, and the objects are only called on the run.
final class Callbacks: @unchecked Sendable {
    private struct Delegates {
        weak var entitlement: (any EntitlementDelegate)?
        weak var status: (any EntitlementStatus)?
    }

    let run: AccessEnabler.CallbackRun
    private let lock = Lock()
    private var delegates = Delegates()
    private var hasEnded = false

    init(run: @escaping AccessEnabler.CallbackRun) {
        self.run = run
    }

    var delegate: (any EntitlementDelegate)? {
        get { lock.withLock { delegates.entitlement } }
        set { lock.withLock { delegates.entitlement = newValue } }
    }

    var statusDelegate: (any EntitlementStatus)? {
        get { lock.withLock { delegates.status } }
        set { lock.withLock { delegates.status = newValue } }
    }

    /// Removes the delegates, so that callbacks that are still queued are dropped.
    func close() {
        lock.withLock {
            delegates = Delegates()
            hasEnded = true
        }
    }

    /// A Boolean value that indicates whether the app has released its access enabler.
    var isClosed: Bool { lock.withLock { hasEnded } }

    func toDelegate(_ callback: @escaping @MainActor @Sendable (any EntitlementDelegate) -> Void) {
        let callback = Self.withoutMainActor(callback)
        run { [self] in
            if let delegate { callback(delegate) }
        }
    }

    /// Delivers a callback before this method returns, because the platform does not wait.
    @MainActor func now(_ callback: @MainActor (any EntitlementDelegate) -> Void) {
        if let delegate { callback(delegate) }
    }

    /// Removes `@MainActor` from the type of a callback.
    ///
    /// It is called on the run, which is the main queue unless the app chose another.
    private static func withoutMainActor<Delegate>(
        _ callback: @escaping @MainActor @Sendable (Delegate) -> Void
    ) -> @Sendable (Delegate) -> Void {
        // The two types differ only in `@MainActor`. `assumeIsolated` would trap in every app that has a run of its
        // own.
        unsafe unsafeBitCast(callback, to: (@Sendable (Delegate) -> Void).self)
    }

    /// Translates an event of the session into callbacks.
    ///
    /// Each call itself reports whether the viewer is logged in. An app that interprets every
    /// `setAuthenticationStatus(0)` as the end of its own call would otherwise react to one that it did not request.
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
    /// - Parameter isDue: a closure that indicates, at the moment of the delivery, whether the status may still be
    ///   delivered.
    func status(_ event: StatusEvent, if isDue: @escaping @Sendable () -> Bool) {
        let notify = Self.withoutMainActor { (delegate: any EntitlementStatus) in
            delegate.status(Self.dictionary(event))
        }
        run { [self] in
            if isDue(), let statusDelegate { notify(statusDelegate) }
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

    /// Delivers the answer to a request for permission.
    func permission(_ resource: Resource, _ answer: Result<MediaToken, TVEError>) {
        switch answer {
        case .success(let token): toDelegate { $0.setToken(token.rawText, forResource: resource.text) }
        case .failure(let error):
            let code = ClassicErrorCode.authorization(error.code)
            let text = error.denial?.details ?? error.providerMessage ?? ""
            toDelegate { $0.tokenRequestFailed(resource.text, errorCode: code, errorDescription: text) }
        }
    }

    func metadata(_ answer: Metadata?, _ request: MetadataRequest) {
        toDelegate {
            $0.answer(
                request, with: (answer?.value).flatMap(GenericData.any), isEncrypted: answer?.isEncrypted ?? false)
        }
    }

    /// Returns an event with the error code of the callback for the same call (API reference, tracking).
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
        // No document names the key (row TV8), so the code is stored under both possible names and in the message.
        if let code = event.registrationCode {
            dictionary["code"] = code
            dictionary["regCode"] = code
        }
        return dictionary
    }
}

extension TVEError {
    /// The denial by the service or the TV provider, whose text the viewer reads, or nil if the error has another
    /// cause.
    fileprivate var denial: AuthorizationDenial? {
        guard code == .notAuthorized || code == .invalidResource,
            case .denied(let denial)? = underlying as? ServiceError
        else { return nil }
        return denial
    }
}
