/// The service's signal that the session has ended: every token of the requestor must be removed.
public struct PendingLogout: Sendable, Hashable {
    /// The reason number as text, when the service gave one.
    @BytewiseEqual public var reason: String?
    /// The service's own error, where it explains itself (REST API v2).
    public var explanation: EnhancedError?

    /// Makes a signal.
    ///
    /// - Parameters:
    ///   - reason: the reason number as text.
    ///   - explanation: the service's own error, where it explains itself.
    public init(reason: String? = nil, explanation: EnhancedError? = nil) {
        self.reason = reason
        self.explanation = explanation
    }

    /// Whether the reason is that the token came from another device (34764 on authorize, 58772 on short authorize).
    public var isDeviceMismatch: Bool { reason == "34764" || reason == "58772" }
}
