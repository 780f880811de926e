/// Calls of version 2, in which the filter was a list.
extension AccessEnabler {
    /// Logs the viewer in unless logged in already; ends with `setAuthenticationStatus`.
    ///
    /// - Parameter filter: the MVPD ids that the platform's picker offers.
    @available(*, deprecated, message: "Use getAuthentication(_:) with a dictionary.")
    @nonobjc public func getAuthentication(_ filter: [String]) {
        getAuthentication(false, withData: nil, andFilter: [TV_PROVIDERS: filter])
    }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: whether to show a login even when the viewer is logged in.
    ///   - data: what the service receives.
    ///   - filter: the MVPD ids that the platform's picker offers.
    @available(*, deprecated, message: "Use getAuthentication(_:withData:andFilter:) with a dictionary.")
    @nonobjc public func getAuthentication(
        _ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [String]
    ) {
        getAuthentication(forceAuthn, withData: data, andFilter: [TV_PROVIDERS: filter])
    }
}
