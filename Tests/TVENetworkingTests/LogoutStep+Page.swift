import TVENetworking

extension LogoutStep {
    /// The page to open; nil where there is none.
    var page: LogoutPage? { if case .open(let page) = self { page } else { nil } }
}
