import Foundation
public import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementSession {
    /// Loads the requestor's configuration, registering the application first if that was never done.
    ///
    /// May be called again, for example when the app returns to the foreground; the old configuration serves until the
    /// new one is there. Calls at the same time share one start.
    ///
    /// - Returns: the configuration with its providers.
    /// - Throws: `TVEError`: `applicationNotRegistered`, `accessTokenUnavailable`, `unknownRequestor`,
    ///   `serviceUnreachable`, `connectionNotTrusted`, `serviceFailed`, `clientTooOld`, `throttled`, `storageFailed`. The
    ///   status code goes out as an event as well (API reference, `setRequestor`).
    @discardableResult
    public func start() async throws(TVEError) -> RequestorConfiguration {
        let outcome = await starts.run { [self] in
            do throws(TVEError) {
                return .success(try await load())
            } catch {
                return .failure(await reported(error))
            }
        }
        guard let outcome else {
            throw TVEError(
                .serviceUnreachable, message: "The start was cancelled.", underlying: TransportError.cancelled)
        }
        return try outcome.get()
    }

    private func load() async throws(TVEError) -> RequestorConfiguration {
        guard !requestorID.isEmpty else {
            throw TVEError(.unknownRequestor, status: .unknownRequestor, message: "The requestor id is empty.")
        }
        let loaded = try await served(.start) { () async throws(ServiceError) in
            try await service.configuration(of: requestorID)
        }
        configuration = loaded
        tidyUp()
        if isClockSkewed {
            hub.emit(.status(StatusEvent(.clockSkew, message: "The device's clock differs from the service's.")))
        }
        return loaded
    }

    /// Brings the store in order before anybody asks it: other devices' entitlements, logins of older versions, tokens that
    /// have run out (API reference, sanitizer and importer).
    ///
    /// A store that cannot be used now is none of the start's business; whoever needs it will say so.
    private func tidyUp() {
        let now = clock.now()
        // Before the sanitizer, which might take what can still be had.
        _ = try? store.importLogin(of: requestorID, from: housekeeping.legacyStores, at: now)
        if let removed = try? store.sanitize(housekeeping.foreignTokens), removed > 0 {
            hub.emit(.status(StatusEvent(.deviceMismatch, message: "Entitlements of another device were removed.")))
        }
        // A clock that is wrong must not cost anybody a login.
        if !isClockSkewed { _ = try? store.removeExpired(at: now) }
    }

    private var isClockSkewed: Bool {
        guard let serverTime = configuration?.serverTime else { return false }
        return abs(serverTime.timeIntervalSince(clock.now())) > Self.toleratedSkew
    }

    /// Seconds by which the device's clock may differ (wire protocol, configuration `time`).
    private static let toleratedSkew: TimeInterval = 59
}
