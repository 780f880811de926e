import TVENetworking

extension LogoutStep {
    /// The page to open, or nil if there is none.
    var page: LogoutPage? { if case .open(let page) = self { page } else { nil } }
}
