public import TVEModels

/// The outcome and the duration of one call of a session, from which statistics are computed.
public struct CallReport: Sendable, Hashable {
    /// A kind of call.
    public enum Call: String, Sendable, Hashable, CaseIterable {
        /// A call of `start`.
        case start
        /// A call of `authenticate`.
        case authenticate
        /// A call of `authorize`.
        case authorize
        /// A call of `preauthorize`.
        case preauthorize
        /// A call of `logout`.
        case logout
    }

    /// The call that ended.
    public var call: Call
    /// The code of the failure, or nil when the call succeeded.
    public var failure: TVEError.Code?
    /// The duration of the call, including the time that the viewer took.
    public var duration: Duration

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - call: the call that ended.
    ///   - failure: the code of the failure, or nil when the call succeeded.
    ///   - duration: the duration of the call, including the time that the viewer took.
    public init(_ call: Call, failure: TVEError.Code? = nil, duration: Duration) {
        self.call = call
        self.failure = failure
        self.duration = duration
    }
}
