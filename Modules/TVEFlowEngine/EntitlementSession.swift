import Crypto
import Foundation
public import TVEDeviceBinding
import TVEModels
public import TVENetworking
public import TVEStorage
import TVETracking

/// One requestor's entitlements on this device: who is logged in and what may be watched.
///
/// Start it, then call what you need; every call returns its own result. Calls may come from any task. What is
/// announced, by return or by event, is already stored.
public actor EntitlementSession {
    /// The requestor this session works for.
    public nonisolated let requestorID: String

    let service: any EntitlementService
    let store: EntitlementStore
    let device: DeviceIdentity
    let clock: SessionClock
    let housekeeping: Housekeeping
    let hub: SessionEvents

    /// Set by a successful start.
    var configuration: RequestorConfiguration?
    /// The provider chosen through `selectProvider`, until a login succeeds with it or is abandoned.
    var preselected: String?

    let starts = SingleFlight<Result<RequestorConfiguration, TVEError>>()
    let logins = SingleFlight<Result<Profile, TVEError>>()

    /// Makes a session of its parts; nothing is sent or read before the first call.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor to work for.
    ///   - service: the wire dialect to speak.
    ///   - store: where entitlements are kept.
    ///   - device: who this device is.
    ///   - clock: what time it is.
    ///   - housekeeping: what is done to the store at every start.
    ///   - observer: called with every event in order, inside the call that causes it; it must be short.
    public init(
        requestorID: String, service: any EntitlementService, store: EntitlementStore, device: DeviceIdentity,
        clock: SessionClock = .system, housekeeping: Housekeeping = Housekeeping(),
        observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) {
        self.requestorID = requestorID
        self.service = service
        self.store = store
        self.device = device
        self.clock = clock
        self.housekeeping = housekeeping
        self.hub = SessionEvents(observer: observer)
    }

    /// Status, tracking and authentication events from now on.
    ///
    /// Each access is a stream of its own.
    public nonisolated var events: AsyncStream<SessionEvent> { hub.stream() }

    // MARK: - For the flows

    /// The configuration, or the error for a call that came before a successful start.
    func configured() throws(TVEError) -> RequestorConfiguration {
        guard let configuration else {
            throw TVEError(.requestorNotConfigured, message: "The session was not started, or starting it failed.")
        }
        return configuration
    }

    /// Reports an error's status code, if it has one, and hands the error back.
    func reported(_ error: TVEError, resource: Resource? = nil) -> TVEError {
        if let status = error.status {
            hub.emit(.status(StatusEvent(status, message: error.message, resource: resource)))
        }
        return error
    }

    func track(_ event: TrackingEvent) {
        hub.emit(.tracking(event, TrackedClient(configuration)))
    }

    /// Runs a storage call and translates its error.
    func stored<Value>(_ body: () throws(StorageError) -> Value) throws(TVEError) -> Value {
        do throws(StorageError) {
            return try body()
        } catch {
            throw TVEError(error)
        }
    }

    /// Runs a storage call whose value may be unreadable.
    ///
    /// Without an integrity check, a value nobody can read is kept and counts as none (row T-65).
    func readable<Value>(_ body: () throws(StorageError) -> Value?) throws(TVEError) -> Value? {
        try stored { () throws(StorageError) in
            do throws(StorageError) {
                return try body()
            } catch .invalidValue(_) {
                return nil
            }
        }
    }

    /// Runs a service call and translates its error.
    func served<Value>(
        _ phase: FlowPhase, _ body: () async throws(ServiceError) -> Value
    ) async throws(TVEError) -> Value {
        do throws(ServiceError) {
            return try await body()
        } catch {
            throw TVEError(error, during: phase)
        }
    }

    func profile(of token: AuthenticationToken) -> Profile {
        Profile(
            requestorID: requestorID, mvpdID: token.claims.providerID, expires: token.claims.expires.date,
            trackingID: Self.trackingID(token.claims.authenticationGUID))
    }

    /// MD5 of the login's GUID: what tracking reports instead of an id of the viewer (wire protocol, tracking).
    package static func trackingID(_ guid: String) -> String {
        Insecure.MD5.hash(data: Data(guid.utf8)).hexadecimal
    }
}

extension TrackedLogin {
    init(_ profile: Profile, isCached: Bool) {
        self.init(mvpdID: profile.mvpdID, trackingID: profile.trackingID, isCached: isCached)
    }
}
