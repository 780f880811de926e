extension EntitlementDelegate {
    /// Asks for a page in Safari, in the spelling that the app implements, or for an ordinary page if it implements
    /// none.
    @MainActor func openSafari(at url: String) {
        #if canImport(ObjectiveC)
        if navigate?(toUrl: url, useSVC: true) == nil { navigate(toUrl: url) }
        #else
        (self as any ImplicitSafariPage).navigate(toUrl: url, useSVC: true)
        #endif
    }
}
