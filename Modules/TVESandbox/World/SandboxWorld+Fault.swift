extension SandboxWorld {
    /// A simulated failure: for every device, for one, or for the next few requests.
    public struct Fault: Sendable, Hashable, Codable {
        /// The kind of failure.
        public enum Kind: String, Sendable, Codable, CaseIterable {
            /// Answers are delayed.
            case delay
            /// An HTTP status without a body replaces the answer.
            case status
            /// HTTP 429 with the page of the throttle.
            case throttled
            /// The connection closes without an answer.
            case dropped
            /// The connection closes in the middle of the body.
            case cutBody
            /// The body comes in small pieces.
            case slowBody
            /// The body is corrupted.
            case garbledBody
            /// Another page replaces the answer, as in a hotel.
            case captivePortal
            /// The signature of tokens does not match their bytes.
            case badSignature
            /// The service's clock is wrong.
            case wrongClock
            /// An error code of REST API v2.
            case error
            /// The TV provider denies a resource.
            case denied
            /// The TV provider is degraded: the service decides without asking it.
            case degraded
            /// The service cannot reach the TV provider.
            case unreachable
            /// The login behind a token has ended.
            case sessionOver
        }

        /// The kind of failure.
        public var kind: Kind
        /// The amount: milliseconds of `delay` and `slowBody`, seconds of `wrongClock`, the HTTP status of `status`.
        public var amount: Int?
        /// The variant: the error code of `error`; `authenticateAll`, `authorizeAll` or `authorizeNone` of `degraded`.
        public var code: String?
        /// The step at which it happens, by its name in the console; every step of an app when nil.
        public var step: String?
        /// The MVPD of the failure; all when nil.
        public var provider: String?
        /// The resource of `denied`; all when nil.
        public var resource: String?
        /// The device to which it happens, by its id; all when nil.
        public var device: String?
        /// The number of requests to which it still happens; all when nil.
        public var requests: Int?

        /// Makes a fault that happens to every device.
        ///
        /// - Parameters:
        ///   - kind: the kind of failure.
        ///   - amount: the amount, in the unit of the kind.
        ///   - code: the variant, where the kind has several.
        ///   - step: the step at which it happens.
        ///   - requests: the number of requests to which it happens.
        public init(_ kind: Kind, amount: Int? = nil, code: String? = nil, step: String? = nil, requests: Int? = nil) {
            self.kind = kind
            self.amount = amount
            self.code = code
            self.step = step
            self.requests = requests
        }
    }
}
