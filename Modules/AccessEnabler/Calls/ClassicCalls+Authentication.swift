import Foundation
import TVEFlowEngine
import TVEModels

extension ClassicCalls {
    func checkAuthentication() {
        submitLong(
            { [callbacks] session in callbacks.authentication(session.authenticationStatus()) },
            orFail: failAuthentication)
    }

    /// Logs the viewer in.
    ///
    /// If a login is already waiting for the app, the app receives its callback again and the login continues.
    func getAuthentication(
        _ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [AnyHashable: Any]?
    ) {
        let data = GenericData.values(data)
        func ids(_ value: Any?) -> [MVPDID]? { (value as? [String])?.map { MVPDID($0) } }
        let filter = filter.map {
            PlatformPickerFilter(providers: ids($0[TV_PROVIDERS]), featured: ids($0[FEATURED_TV_PROVIDERS]))
        }
        submitWithStart(
            { [presenter] session in
                _ = try? await session.authenticate(using: presenter, isForced: forceAuthn, data: data, filter: filter)
            }, orFail: failAuthentication)
    }

    func setSelectedProvider(_ mvpdID: String?) {
        // The calls take effect in their order, so that nil cancels the choice before it.
        let submit = mvpdID == nil ? submitEnd : submitLong
        let chosen = mvpdID.map { MVPDID($0) }
        submit({ session in _ = try? await session.selectProvider(chosen) }, failAuthentication)
    }

    func getSelectedProvider() {
        submitLong { [callbacks] session in
            let provider = try? session.knownSelectedProvider()
            callbacks.toDelegate { $0.selectedProvider(provider.map(MVPD.init)) }
        } orFail: { [callbacks] _ in
            callbacks.toDelegate { $0.selectedProvider(nil) }
        }
    }

    func handleExternalURL(_ url: String?) {
        guard let url = url.flatMap(URL.init(string:)), !presenter.redirected(to: url) else { return }
        submitLong(
            { session in
                // No call waits for a response if there is no such page or it cannot be read.
                _ = try? await session.resumeLogin(at: url)
            }, orFail: { _ in })
    }

    func getAuthenticationToken() {
        _ = presenter.redirected(to: nil)
    }

    func logout() {
        submitEnd(
            { [presenter] session in _ = try? await session.logout(using: presenter) }, orFail: failAuthentication)
    }
}
