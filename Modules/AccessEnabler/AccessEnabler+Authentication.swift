import Foundation
import TVEFlowEngine
import TVEModels

extension AccessEnabler {
    /// Asks whether the viewer is logged in, from storage alone; ends with `setAuthenticationStatus`.
    public func checkAuthentication() {
        submit(
            { [callbacks] session in callbacks.authentication(await session.authenticationStatus()) },
            orFail: failAuthentication)
    }

    /// Logs the viewer in unless somebody is; ends with `setAuthenticationStatus`.
    ///
    /// While a login waits for the app, it is announced once more and goes on.
    public func getAuthentication() {
        getAuthentication(false, withData: nil, andFilter: nil)
    }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: whether to show a login even when somebody is logged in.
    ///   - data: what the service is told, for example who asks for a promotional TempPass.
    public func getAuthentication(_ forceAuthn: Bool, withData data: [AnyHashable: Any]?) {
        getAuthentication(forceAuthn, withData: data, andFilter: nil)
    }

    /// Logs the viewer in unless somebody is; ends with `setAuthenticationStatus`.
    ///
    /// - Parameter filter: MVPD ids under ``TV_PROVIDERS`` and ``FEATURED_TV_PROVIDERS``: what the platform's picker offers.
    public func getAuthentication(_ filter: [AnyHashable: Any]?) {
        getAuthentication(false, withData: nil, andFilter: filter)
    }

    /// Logs the viewer in unless somebody is; ends with `setAuthenticationStatus`.
    ///
    /// - Parameter filter: the MVPD ids that the platform's picker offers.
    @available(*, deprecated, message: "Use getAuthentication(_:) with a dictionary.")
    public func getAuthentication(_ filter: [String]) {
        getAuthentication(false, withData: nil, andFilter: [TV_PROVIDERS: filter])
    }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: whether to show a login even when somebody is logged in.
    ///   - data: what the service is told.
    ///   - filter: the MVPD ids that the platform's picker offers.
    @available(*, deprecated, message: "Use getAuthentication(_:withData:andFilter:) with a dictionary.")
    public func getAuthentication(_ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [String]) {
        getAuthentication(forceAuthn, withData: data, andFilter: [TV_PROVIDERS: filter])
    }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: whether to show a login even when somebody is logged in.
    ///   - data: what the service is told, for example who asks for a promotional TempPass.
    ///   - filter: MVPD ids under ``TV_PROVIDERS`` and ``FEATURED_TV_PROVIDERS``: what the platform's picker offers.
    public func getAuthentication(
        _ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [AnyHashable: Any]?
    ) {
        let data = GenericData.values(data)
        let filter = filter.map {
            PlatformPickerFilter(
                providers: $0[TV_PROVIDERS] as? [String], featured: $0[FEATURED_TV_PROVIDERS] as? [String])
        }
        submitLong(
            { [presenter, callbacks] session in
                _ = try? await session.logIn(using: presenter, isForced: forceAuthn, data: data, filter: filter) {
                    session, status in
                    if !session.isClosed { callbacks.authentication(status) }
                }
            }, orFail: failAuthentication)
    }

    /// Answers `displayProviderDialog`, cancels a login with nil, or chooses the provider of the next login.
    ///
    /// - Parameter mvpdID: the provider, nil when the viewer left. A TempPass lets the viewer in at once.
    public func setSelectedProvider(_ mvpdID: String?) {
        // In the order of the calls, so that taking a choice back takes back the one before it.
        submitLong(
            { [answer = answerAuthentication] session in
                await answer(session) { session async throws(TVEError) in try await session.select(mvpdID) }
            }, orFail: failAuthentication)
    }

    /// Asks for the remembered provider; ends with `selectedProvider`.
    public func getSelectedProvider() {
        submit { [callbacks] session in
            let provider = try? await session.selectedProvider()
            callbacks.toDelegate { $0.selectedProvider(provider.map(MVPD.init)) }
        } orFail: { [callbacks] _ in
            callbacks.toDelegate { $0.selectedProvider(nil) }
        }
    }

    /// Finishes the login or logout whose page has reached the redirect, also when the app was closed in between.
    ///
    /// Other URLs, nil and repeats are ignored.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    public func handleExternalURL(_ url: String?) {
        guard let url = url.flatMap(URL.init(string:)), !presenter.redirected(to: url) else { return }
        submitLong(
            { [answer = answerAuthentication] session in
                await answer(session) { session async throws(TVEError) in
                    try await session.resumeLogin(at: url).map { .authenticated($0) }
                }
            }, orFail: { _ in })
    }

    /// Finishes the login whose page has reached the redirect.
    @available(*, deprecated, renamed: "handleExternalURL(_:)")
    public func getAuthenticationToken() {
        presenter.redirected()
    }

    /// Logs out: storage is wiped, the logout page opened; ends with `setAuthenticationStatus`.
    ///
    /// The answer comes at once when there is no page to open, else when ``handleExternalURL(_:)`` has been given the page's
    /// redirect. A page that the app never finishes has none.
    public func logout() {
        submitLong(
            { [presenter, callbacks, answer = answerAuthentication] session in
                await answer(session) { session async throws(TVEError) in
                    try await session.logOut(using: presenter) { callbacks.authentication(.notAuthenticated($0)) }
                    return nil
                }
            }, orFail: failAuthentication)
    }
}
