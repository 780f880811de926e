import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking

/// The implementation of an access enabler, which translates the documented calls and callbacks to and from an
/// `EntitlementSession`.
///
/// Calls may come from any thread and return at once. Calls made before `setRequestor` has completed are queued and run
/// in order.
final class ClassicCalls: Sendable {
    let softwareStatement: SoftwareStatement
    let service: ServiceDialect?
    let environment: SessionEnvironment
    let callbacks: Callbacks
    let presenter: CallbackPresenter
    let options = Guarded(Options())
    let calls = CallQueue()
    let starts: RepeatedStarts
    /// The check of the stored data, for the first session that is started.
    ///
    /// A later session, of another requestor, does not check again.
    let firstCheck: Guarded<FirstCheck?>
    /// The session and its endpoints, or the reason why there is none.
    ///
    /// `setRequestor` sets it.
    let session = Guarded<Result<EstablishedSession, TVEError>?>(nil)
    /// A Boolean value that indicates whether a start has succeeded, of this requestor or an earlier one.
    let hasEverStarted = Guarded(false)

    init(
        softwareStatement: String, service: ServiceDialect?, storageCheck: IntegrityCheckType,
        environment: SessionEnvironment, automaticBrowser: (any AutomaticBrowser)?,
        callbackRun: @escaping AccessEnabler.CallbackRun
    ) {
        let options = options
        var environment = environment
        environment.options = { [given = environment.options] in options.withLock { $0.client(over: given()) } }
        self.softwareStatement = SoftwareStatement(softwareStatement)
        self.service = service
        environment.safariRedirectURL = environment.safariRedirectURL ?? self.softwareStatement.ownRedirectURL
        self.environment = environment
        starts = RepeatedStarts(environment.clock)
        self.callbacks = Callbacks(run: callbackRun)
        self.presenter = CallbackPresenter(
            callbacks, automaticBrowser: automaticBrowser, appDrivesSafari: { options.withLock(\.drivesSafari) })
        firstCheck = Guarded(FirstCheck(storageCheck, environment))
    }

    deinit { close() }

    /// Ends everything that waits for the app, which has released its access enabler.
    ///
    /// Its delegates receive no further callbacks.
    func close() {
        callbacks.close()
        starts.endPause { established?.session.close() }
        // The session must not take the end of its page for that of a viewer who has left it.
        presenter.close()
    }

    /// The current session, or nil if there is none.
    var established: EstablishedSession? { try? session.withLock(\.self)?.get() }

    /// The current session if a start of it has succeeded.
    var started: EstablishedSession? { established.flatMap { $0.hasStarted.withLock(\.self) ? $0 : nil } }

    /// The household of the current session.
    var household: Household? { started?.session.household }

    func canHandle(_ url: String?) -> Bool {
        guard let url = url.flatMap(URL.init(string:)) else { return false }
        if established?.session.mayEndLogin(at: url) == true { return true }
        return [environment.redirectURL, environment.safariRedirectURL].compactMap(\.self)
            .contains { $0.isReached(at: url) }
    }
}
