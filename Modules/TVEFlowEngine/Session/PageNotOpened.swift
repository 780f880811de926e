/// The browser could not open a page: the viewer has not seen it, and has decided nothing.
public struct PageNotOpened: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the browser says, on Apple systems an error's domain and code.
    public let reason: String

    /// Makes the failure of a browser.
    ///
    /// - Parameter reason: what the browser says, without the page's address: this text goes into logs.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
