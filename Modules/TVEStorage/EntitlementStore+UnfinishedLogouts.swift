import Foundation
import TVEModels

extension EntitlementStore {
    /// Providers whose login was removed here, but not yet at a service that keeps logins by itself.
    ///
    /// Until that is done, the service's answer that the viewer is logged in must not count.
    ///
    /// - Parameter requestorID: the requestor.
    /// - Returns: MVPD ids, in order.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    public func unfinishedLogouts(of requestorID: String) throws(StorageError) -> [String] {
        try backend.keys(under: Self.unfinished.appending(requestorID).appending(fingerprint)).sorted()
            .compactMap { $0.components.count == 4 ? $0.components[3] : nil }
    }

    /// Notes that a service has ended a login.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - mvpdID: the TV provider.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func finishLogout(requestorID: String, mvpdID: String) throws(StorageError) {
        try backend.apply([.remove(unfinishedLogout(requestorID, mvpdID))])
    }

    func mark(_ login: AuthenticationToken) -> StorageChange {
        .put(unfinishedLogout(login.claims.requestorID, login.claims.providerID), Self.yes)
    }

    static let unfinished = StorageKey("logout")

    private func unfinishedLogout(_ requestorID: String, _ mvpdID: String) -> StorageKey {
        Self.unfinished.appending(requestorID).appending(fingerprint).appending(mvpdID)
    }
}
