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
        let chosen = if let preselected { preselected } else { try currentProvider() }
        return chosen.flatMap(configuration.requestor.provider)
    }

    /// Chooses the TV provider of the next login, or forgets the chosen one; tokens stay.
    ///
    /// A TempPass lets the viewer in at once. Taking the choice back while a login is on its way ends that login, which then
    /// answers (API reference, rows SP6 to SP13).
    ///
    /// - Parameter mvpdID: the provider; nil forgets, and the answer to "who is logged in" becomes
    ///   `providerNotSelected`.
    /// - Throws: `TVEError`: `unknownProvider`, `storageFailed`, `requestorNotConfigured`, and with a TempPass what
    ///   ``authenticate(using:isForced:data:filter:)`` throws.
    public func selectProvider(_ mvpdID: String?) async throws(TVEError) {
        do throws(TVEError) {
            let configuration = try configured()
            guard let mvpdID else {
                if logins.cancel() { return }
                preselected = nil
                try stored { () throws(StorageError) in try store.setCurrentProvider(nil, of: requestorID) }
                announcedFailure(TVEError(.providerNotSelected, message: "The choice of TV provider was taken back."))
                return
            }
            guard let provider = configuration.requestor.provider(mvpdID) else { throw Self.unknownProvider }
            try stored { () throws(StorageError) in try store.setCurrentProvider(mvpdID, of: requestorID) }
            preselected = mvpdID
            track(.providerSelected(mvpdID: mvpdID))
            guard provider.isTempPass else { return }
            if let login = try validLogin(), login.claims.providerID == mvpdID {
                preselected = nil
                announcedLogin(login, isCached: true)
            } else {
                _ = try await enterTempPass(mvpdID)
            }
        } catch {
            announcedFailure(error)
            throw error
        }
    }
}
