/// The service's signal that the session has ended and that the client must remove every token of the requestor.
public struct PendingLogout: Sendable, Hashable {
    /// The reason number as text, when the service gave one.
    @BytewiseEqual public var reason: String?
    /// The service's own description of the error, when it sends one (REST API v2).
    public var explanation: EnhancedError?

    /// Creates a signal.
    ///
    /// - Parameters:
    ///   - reason: the reason number as text.
    ///   - explanation: the service's own description of the error, when it sends one.
    public init(reason: String? = nil, explanation: EnhancedError? = nil) {
        self.reason = reason
        self.explanation = explanation
    }

    /// A Boolean value that indicates whether the logout happened because the token belongs to another device.
    ///
    /// The reasons are 34764 for authorize and 58772 for short authorize.
    public var isDeviceMismatch: Bool { reason == "34764" || reason == "58772" }
}
