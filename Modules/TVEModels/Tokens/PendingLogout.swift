/// The service's signal that a login has ended.
///
/// In the classic dialect the client must then remove every token of the requestor, and over REST API v2 the copy of
/// this login.
public struct PendingLogout: Sendable, Hashable {
    /// The reason, when the service gave one: a number as text, or over REST API v2 the code of the error.
    @BytewiseEqual public var reason: String?
    /// The service's own description of the error, when it sends one (REST API v2).
    public var explanation: EnhancedError?

    /// Creates a signal.
    ///
    /// - Parameters:
    ///   - reason: the reason, a number as text or the code of an error.
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
