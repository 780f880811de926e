extension EntitlementDelegate {
    /// Asks for a page in Safari, in the spelling that the app has, or for an ordinary page if it has none.
    @MainActor func openSafari(at url: String) {
        #if canImport(ObjectiveC)
        if navigate?(toUrl: url, useSVC: true) == nil { navigate(toUrl: url) }
        #else
        (self as any ImplicitSafariPage).navigate(toUrl: url, useSVC: true)
        #endif
    }
}
