/// The failure of a browser to open a page, which the viewer has not seen and has not decided about.
public struct PageNotOpened: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason that the browser gave: on Apple systems the domain and code of an error.
    public let reason: String

    /// Creates the failure of a browser.
    ///
    /// - Parameter reason: the reason that the browser gave, without the address of the page, because this text is
    ///   logged.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The reason in a sentence, followed by one about what to do, for developers.
    public var description: String {
        "The browser could not open a page: \(reason). "
            + "Begin while the app is in the foreground, and check that it may use its redirect."
    }
}
