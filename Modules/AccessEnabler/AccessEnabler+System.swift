public import TVEFlowEngine

extension AccessEnabler {
    /// The system's own TV provider account, where it has one.
    public static var systemPlatform: (any PlatformSignOn)? {
        #if canImport(VideoSubscriberAccount) && (os(iOS) || os(tvOS))
        VideoSubscriberSignOn()
        #else
        nil
        #endif
    }

    /// The system's browser for providers that need Safari, where it has one.
    public static var systemBrowser: (any AutomaticBrowser)? {
        #if canImport(AuthenticationServices) && os(iOS)
        SystemBrowser()
        #else
        nil
        #endif
    }
}
