public import TVEModels

/// How one call of a session ended and how long it took; statistics are computed from these.
public struct CallReport: Sendable, Hashable {
    /// The call.
    public enum Call: String, Sendable, Hashable, CaseIterable {
        /// `start`
        case start
        /// `authenticate`
        case authenticate
        /// `authorize`
        case authorize
        /// `preauthorize`
        case preauthorize
        /// `logout`
        case logout
    }

    /// The call.
    public var call: Call
    /// Why it failed, nil when it succeeded.
    public var failure: TVEError.Code?
    /// How long it took, including the time of the viewer.
    public var duration: Duration

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - failure: why it failed, nil when it succeeded.
    ///   - duration: how long it took.
    public init(_ call: Call, failure: TVEError.Code? = nil, duration: Duration) {
        self.call = call
        self.failure = failure
        self.duration = duration
    }
}
