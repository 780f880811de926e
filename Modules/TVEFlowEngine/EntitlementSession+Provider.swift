public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// The TV provider the viewer chose last, if the requestor still works with it.
    ///
    /// - Returns: the provider, or nil when none is remembered.
    /// - Throws: `TVEError`: `storageFailed`, `requestorNotConfigured`.
    public func selectedProvider() throws(TVEError) -> TVProvider? {
        let configuration = try configured()
        let remembered = try stored { () throws(StorageError) in try store.currentProvider(of: requestorID) }
        return (preselected ?? remembered).flatMap(configuration.requestor.provider)
    }

    /// Chooses the TV provider of the next login, or forgets the chosen one; tokens stay.
    ///
    /// Taking the choice back while a login is on its way ends that login, which then answers (API reference, rows SP6,
    /// SP7, SP8, SP11, SP12).
    ///
    /// - Parameter mvpdID: the provider; nil forgets, and the answer to "who is logged in" becomes
    ///   `providerNotSelected`.
    /// - Throws: `TVEError`: `unknownProvider`, `storageFailed`, `requestorNotConfigured`.
    public func selectProvider(_ mvpdID: String?) throws(TVEError) {
        do throws(TVEError) {
            let configuration = try configured()
            guard let mvpdID else {
                if logins.cancel() { return }
                preselected = nil
                try stored { () throws(StorageError) in try store.setCurrentProvider(nil, of: requestorID) }
                announcedFailure(TVEError(.providerNotSelected, message: "The choice of TV provider was taken back."))
                return
            }
            guard configuration.requestor.provider(mvpdID) != nil else { throw Self.unknownProvider }
            try stored { () throws(StorageError) in try store.setCurrentProvider(mvpdID, of: requestorID) }
            preselected = mvpdID
            track(.providerSelected(mvpdID: mvpdID))
        } catch {
            announcedFailure(error)
            throw error
        }
    }
}
